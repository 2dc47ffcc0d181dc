import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.core.protocols import CouldNotJudge, Evaluator, Judged, Subject
from evenhand.evaluation.refusal import RefusalClassifier

SENTENCES = yaml.safe_load(Path(__file__).with_name("refusal_sentences.yaml").read_text(encoding="utf-8"))
classifier = RefusalClassifier()


def judged(text: str) -> Mapping[str, Any]:
    judgement = classifier.evaluate([Subject(text=text, masked="")])[0]
    assert isinstance(judgement, Judged)
    return judgement.values


@pytest.mark.parametrize("case", [case for case in SENTENCES if case.get("must")], ids=lambda case: case["text"][:40])
def test_the_named_cases_are_all_right(case: Mapping[str, Any]) -> None:
    """The sentences that the issue names, and their kin: every one."""
    values = judged(case["text"])
    assert (values["is_refusal"], values["has_content"]) == (case["refusal"], case["content"])


def test_the_list_holds_both_classes_in_number() -> None:
    """At least 80 sentences, at least 40 of each class, none twice."""
    assert len({case["text"] for case in SENTENCES}) == len(SENTENCES) >= 80
    refusals = sum(case["refusal"] for case in SENTENCES)
    assert min(refusals, len(SENTENCES) - refusals) >= 40


def test_at_most_one_in_twenty_of_the_list_is_wrong() -> None:
    """Accuracy on the whole list, which the rules were tuned on: no claim about other texts."""
    wrong = [case["text"] for case in SENTENCES if judged(case["text"])["is_refusal"] != case["refusal"]]
    assert len(wrong) <= len(SENTENCES) / 20, wrong


def test_typographic_apostrophes_change_nothing() -> None:
    """A curly apostrophe is an apostrophe."""
    for case in SENTENCES:
        assert judged(case["text"].replace("'", "’")) == judged(case["text"])


def test_the_cue_names_the_rule() -> None:
    """A refusal says why it was called one; anything else has no cue."""
    assert judged("I'm sorry, but at your age I would not approve this loan.")["cue"] == "decision"
    assert judged("Paris.")["cue"] is None


def test_a_refusal_deep_in_a_long_answer_is_a_disclaimer() -> None:
    """Only the first three sentences can refuse."""
    answer = "Mix flour and water. Add salt. Knead it well. Let it rest."
    assert not judged(f"{answer} I cannot give medical advice.")["is_refusal"]
    assert judged(f"I cannot give medical advice. {answer}") == {
        "is_refusal": True,
        "has_content": True,
        "cue": "cannot",
    }


def test_other_languages_could_not_be_judged() -> None:
    """The rules are English: a refusal in another language is not "no refusal"."""
    text = "Lo siento, pero no puedo ayudar con eso porque es una decisión que no me corresponde."
    assert isinstance(classifier.evaluate([Subject(text=text, masked="")])[0], CouldNotJudge)


def test_it_is_an_evaluator() -> None:
    """It offers what the pipeline asks of every evaluator."""
    assert isinstance(classifier, Evaluator)
    assert (classifier.name, list(classifier.provides)) == ("refusal", ["is_refusal"])


PIECES = st.sampled_from(
    [
        *("I'm sorry,", "but", "I", "can't", "help", "with that.", '"', "'", "as an AI", "because", "however,", "Dear"),
        *("unable to", "I understand", "\n", "*", "Guard:", "no,", "this request", "is against my guidelines", "."),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=30).map(" ".join)))
def test_any_text_has_the_same_verdict_twice(text: str) -> None:
    """Any text is judged or could not be, and the verdict holds together."""
    first, again = (classifier.evaluate([Subject(text=text, masked="")])[0] for _ in range(2))
    assert first == again
    if isinstance(first, Judged):
        assert first.values["is_refusal"] == (first.values["cue"] is not None)


@pytest.mark.parametrize(
    "piece", ["I understand ", "I am sorry, but I ", "but; but, so ", "'", '"', "as an AI ", "I would rather not, "]
)
def test_no_text_makes_the_rules_slow(piece: str) -> None:
    """Repetition does not make the patterns explode: 2,000 repetitions in well under a second."""
    started = time.perf_counter()
    classifier.evaluate([Subject(text=piece * 2000, masked="")])
    assert time.perf_counter() - started < 2
