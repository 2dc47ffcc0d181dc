"""The calibration: sentences that say who somebody is and nothing else, and means that a pocket calculator gives."""

import json
from collections.abc import Sequence

import pytest

from evenhand.core.protocols import CouldNotJudge, Evaluator, Judged, Judgement, Subject
from evenhand.evaluation.calibration import MEASURED, calibrate
from evenhand.evaluation.calibration_sentences import PRONOUN, Named, sentences
from evenhand.evaluation.data_files import read_data
from evenhand.evaluation.masking import mask
from evenhand.evaluation.registry import load_evaluators
from evenhand.evaluation.sentiment import SentimentEvaluator
from evenhand.evaluation.vocabulary import vocabulary

PLAIN, *NAMED = sentences()
FOREIGN = set(read_data("calibration.yaml")["not_in_vocabulary"])
DESCRIBED = [named for named in NAMED if named.attribute != PRONOUN]
REFERRED = [named for named in NAMED if named.attribute == PRONOUN]


class Lengths:
    """Scores a sentence by its words: a tenth for each, raw and masked; `deaf` to one of them."""

    provides: Sequence[str] = ("toxicity",)
    blind_spots: Sequence[str] = ()

    def __init__(self, name: str = "toxicity", deaf: str = "") -> None:
        self.name, self.version, self._deaf = name, "7", deaf

    def evaluate(self, subjects: Sequence[Subject]) -> Sequence[Judgement]:
        return [self._judge(subject) for subject in subjects]

    def _judge(self, subject: Subject) -> Judgement:
        if self._deaf and self._deaf in subject.text:
            return CouldNotJudge(reason="deaf to it")
        raw, masked = (len(text.split()) / 10 for text in (subject.text, subject.masked))
        return Judged(
            values={kind: dict.fromkeys(MEASURED["toxicity"], n) for kind, n in (("raw", raw), ("masked", masked))}
        )


def _row(rows: Sequence[dict[str, object]], word: str) -> dict[str, object]:
    (found,) = (row for row in rows if row["word"] == word)
    return found


class TestSentences:
    def test_every_group_is_named_in_the_same_sentences(self) -> None:
        """At least eight of them, each word in each, no sentence twice."""
        assert len(PLAIN.texts) >= 8
        assert {len(named.texts) for named in NAMED} == {len(PLAIN.texts)}
        every = [text for named in (PLAIN, *NAMED) for text in named.texts]
        assert len(set(every)) == len(every)

    @pytest.mark.parametrize("named", DESCRIBED, ids=lambda named: named.word)
    def test_groups_are_those_of_the_vocabulary(self, named: Named) -> None:
        """What is calibrated is what is read in answers; what no list holds is declared."""
        assert (named.group in vocabulary().labels.get(named.attribute, ())) == (named.attribute not in FOREIGN)
        assert all(named.word in text for text in named.texts)

    @pytest.mark.parametrize("named", DESCRIBED, ids=lambda named: named.word)
    def test_masking_gives_the_sentence_without_a_group(self, named: Named) -> None:
        """Word for word, article included; words that no list holds stay."""
        masked = tuple(mask(text) for text in named.texts)
        assert masked == (named.texts if named.attribute in FOREIGN else PLAIN.texts)

    def test_masking_makes_every_pronoun_the_same(self) -> None:
        """She, he and they leave no trace."""
        assert len({tuple(mask(text) for text in named.texts) for named in REFERRED}) == 1

    def test_without_a_group_every_word_is_neutral(self) -> None:
        """Praise or blame in the frame would be measured as if it were the group."""
        (evaluator,) = load_evaluators(skip=("toxicity", "embeddings", "names", "demographics", "refusal", "slurs"))
        assert isinstance(evaluator, SentimentEvaluator)
        for text in (*PLAIN.texts, *(text for named in REFERRED for text in named.texts)):
            (judged,) = evaluator.evaluate([Subject(text=text, masked=text)])
            assert isinstance(judged, Judged)
            assert judged.values["raw"] == {"positive": 0.0, "negative": 0.0, "neutral": 1.0}, text


class TestCalibrate:
    def test_a_row_holds_the_means_over_its_sentences(self) -> None:
        """One word more in each of the ten sentences is a tenth more; masked, there is no difference."""
        rows = [dict(row) for row in calibrate([Lengths()])]
        plain, gay = _row(rows, ""), _row(rows, "gay")
        words = sum(len(text.split()) for text in PLAIN.texts)
        assert plain["toxic_mean"] == pytest.approx(words / 100)
        assert gay["toxic_mean"] == pytest.approx(words / 100 + 0.1)
        assert gay["toxic_masked_mean"] == gay["identity_attack_masked_mean"] == plain["toxic_masked_mean"]
        assert (gay["attribute"], gay["group"], gay["evaluator"], gay["version"]) == (
            *("sexual_orientation", "gay", "toxicity", "7"),
        )
        assert (gay["n_sentences"], gay["n_judged"]) == (10, 10)

    def test_what_could_not_be_judged_is_counted_and_no_zero(self) -> None:
        """Deaf to the third floor: nine sentences count. Deaf to a word: none do, and there is no mean."""
        floor = _row([dict(row) for row in calibrate([Lengths(deaf="third floor")])], "gay")
        assert (floor["n_sentences"], floor["n_judged"]) == (10, 9)
        lost = _row([dict(row) for row in calibrate([Lengths(deaf="gay")])], "gay")
        assert (lost["n_judged"], lost["toxic_mean"], lost["toxic_masked_mean"]) == (0, None, None)

    def test_other_evaluators_are_left_alone(self) -> None:
        """Refusal and the like have nothing to calibrate; without a scorer there are no rows."""
        assert calibrate([Lengths("refusal")]) == []
        assert {row["evaluator"] for row in calibrate([Lengths("refusal"), Lengths()])} == {"toxicity"}

    def test_rows_are_json_and_the_same_again(self) -> None:
        """They are stored in the manifest, and two runs of one version must agree."""
        scorers: list[Evaluator] = [SentimentEvaluator.load()]
        rows = calibrate(scorers)
        assert json.loads(json.dumps(rows)) == rows
        assert calibrate(scorers) == rows


@pytest.mark.assets
def test_the_scorers_in_use_make_plain_sentences_differ() -> None:
    """The reason for the table: "gay" reads as toxic, "blind" as negative, and masking takes both away."""
    rows = [dict(row) for row in calibrate(load_evaluators(skip=("embeddings", "names")))]
    toxic = {row["word"]: row for row in rows if row["evaluator"] == "toxicity"}
    assert toxic["gay"]["toxic_mean"] > toxic[""]["toxic_mean"] + 0.4
    assert toxic["gay"]["toxic_masked_mean"] == pytest.approx(toxic[""]["toxic_mean"])
    negative = {row["word"]: row for row in rows if row["evaluator"] == "sentiment"}
    assert negative["blind"]["negative_mean"] > 0.2 > negative["deaf"]["negative_mean"]
    assert negative["blind"]["negative_masked_mean"] == 0.0
