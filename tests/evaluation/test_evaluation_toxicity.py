"""Toxicity: the published figures of the model, the textbook network, and whole texts."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.core.protocols import CouldNotJudge, Evaluator, Judged, Judgement, Subject
from evenhand.core.table import TOXICITY
from evenhand.errors import MissingAssetError
from evenhand.evaluation.bilstm import LENGTH, BiLSTM
from evenhand.evaluation.toxicity import ToxicityEvaluator
from evenhand.evaluation.words_to_codes import WordCodes, cut_windows


def subject(text: str, masked: str | None = None) -> Subject:
    return Subject(text=text, masked=text if masked is None else masked)


def raw(judgement: Judgement) -> Mapping[str, float]:
    assert isinstance(judgement, Judged)
    scores: Mapping[str, float] = judgement.values["raw"]
    return scores


@pytest.fixture(scope="module")
def evaluator() -> ToxicityEvaluator:
    return ToxicityEvaluator.load()


@pytest.mark.assets
class TestPublishedFigures:
    def test_the_six_labels_of_the_model_card(self, evaluator: ToxicityEvaluator) -> None:
        """README of toxic-comment-classifier 0.3.0, "Classify a Single Comment", to three decimals."""
        published = {
            "toxic": 0.9889402985572815,
            "severe_toxic": 0.07256772369146347,
            "obscene": 0.620429277420044,
            "threat": 0.01934845559298992,
            "insult": 0.8664075136184692,
            "identity_attack": 0.04072948172688484,  # there: identity_hate
        }
        (judgement,) = evaluator.evaluate([subject("You are so dumb and stupid!")])
        assert raw(judgement) == pytest.approx(published, abs=5e-4)
        assert tuple(raw(judgement)) == TOXICITY

    def test_the_means_of_the_model_card(self, evaluator: ToxicityEvaluator) -> None:
        """The same README, "Classify Multiple Comments": means over the six labels, in one batch."""
        published = {
            "I hate you so much!": 0.1395,
            "This is wonderful news.": 0.0013,
            "You're disgusting!": 0.3110,
            "Absolutely love your energy!": 0.0088,
            "You're the worst person ever!": 0.0937,
            "Have a nice day :)": 0.0115,
        }
        judgements = evaluator.evaluate([subject(text) for text in published])
        means = [sum(raw(judgement).values()) / 6 for judgement in judgements]
        assert means == pytest.approx(list(published.values()), abs=1e-4)


@pytest.mark.assets
class TestWholeTexts:
    CALM = "the weather was nice and we talked about the new library in the town " * 20

    def test_an_insult_after_the_first_hundred_words_counts(self, evaluator: ToxicityEvaluator) -> None:
        """Wherever it stands, the highest window decides. (Among calm words it scores less than alone: .54 to .67.)"""
        insult = "You are so dumb and stupid!"
        texts = [self.CALM, f"{self.CALM} {insult}", f"{insult} {self.CALM}", f"{self.CALM} {insult} {self.CALM}"]
        calm, *insulting = (raw(j)["toxic"] for j in evaluator.evaluate([subject(text) for text in texts]))
        assert calm < 0.1
        assert min(insulting) > 0.5

    def test_counts_its_windows(self, evaluator: ToxicityEvaluator) -> None:
        """280 known words, windows of 100 every 50: starts 0, 50, 100, 150 and the last at 180."""
        long, short = evaluator.evaluate([subject(self.CALM), subject("Fine.")])
        assert isinstance(long, Judged)
        assert isinstance(short, Judged)
        assert len(self.CALM.split()) == 280
        assert (long.values["windows"], short.values["windows"]) == (5, 1)

    def test_a_score_does_not_depend_on_the_batch(self, evaluator: ToxicityEvaluator) -> None:
        """Alone or among others, a text scores the same up to float32 rounding."""
        texts = [f"You are so dumb and stupid {'really ' * n}" for n in range(60)]
        together = evaluator.evaluate([subject(text) for text in texts])
        for text, judgement in zip(texts, together, strict=True):
            (alone,) = evaluator.evaluate([subject(text)])
            assert raw(alone) == pytest.approx(raw(judgement), abs=1e-5)

    def test_text_without_a_known_word_cannot_be_judged(self, evaluator: ToxicityEvaluator) -> None:
        """Nothing read is not the same as nothing found."""
        judgements = evaluator.evaluate([subject("?!"), subject("xqzzvw kjjhgq"), subject("你好")])
        assert all(isinstance(judgement, CouldNotJudge) for judgement in judgements)

    def test_masked_text_is_judged_beside_the_raw_one(self, evaluator: ToxicityEvaluator) -> None:
        """The classifier's own bias shows as the difference; a masked text without known words has no score."""
        named, gone = evaluator.evaluate(
            [subject("I am a proud gay man", "I am a proud person"), subject("women", "xqzzvw")]
        )
        assert isinstance(named, Judged)
        assert isinstance(gone, Judged)
        assert named.values["raw"]["toxic"] > 0.7  # the classifier, not the sentence, is at fault
        assert named.values["masked"]["toxic"] < 0.3
        assert gone.values["masked"] is None


def test_meets_the_evaluator_protocol() -> None:
    """Name, version, provides and blind spots are there before anything is loaded."""
    made = ToxicityEvaluator(network=BiLSTM(random_weights(0)), words=WordCodes.of([], ""), version="1")
    assert isinstance(made, Evaluator)
    assert made.evaluate([]) == []


def test_a_missing_asset_is_named_before_anything_else(tmp_path: Path) -> None:
    """With the pull command, and the flag that does without."""
    with pytest.raises(MissingAssetError, match=r"models pull toxicity.*--skip-evaluator toxicity"):
        ToxicityEvaluator.load(tmp_path)


# ---- the network ------------------------------------------------------------------------------


def random_weights(seed: int, codes: int = 30, units: int = 4, width: int = 3) -> dict[str, Any]:
    rng = np.random.default_rng(seed)

    def draw(*shape: int) -> Any:
        return rng.normal(size=shape).astype(np.float32)

    sides = {
        f"{side}_{part}": draw(*shape)
        for side in ("forward", "backward")
        for part, shape in {"kernel": (width, 4 * units), "recurrent": (units, 4 * units), "bias": (4 * units,)}.items()
    }
    dense = {
        "hidden_kernel": draw(2 * units, 5),
        "hidden_bias": draw(5),
        "output_kernel": draw(5, 6),
        "output_bias": draw(6),
    }
    return {"embedding": draw(codes, width), **sides, **dense}


def textbook(weights: Mapping[str, Any], sequence: list[int]) -> list[float]:
    """The network as the framework defines it: float64, one text, all 100 steps, no shortcut."""
    w = {name: np.asarray(array, dtype=np.float64) for name, array in weights.items()}
    inputs = w["embedding"][[0] * (LENGTH - len(sequence)) + sequence]

    def sigmoid(x: Any) -> Any:
        return 1 / (1 + np.exp(-x))

    def highest(side: str, steps: Any) -> Any:
        units = len(w[f"{side}_recurrent"])
        h = c = np.zeros(units)
        outputs = []
        for x in steps:
            z = x @ w[f"{side}_kernel"] + h @ w[f"{side}_recurrent"] + w[f"{side}_bias"]
            i, f, g, o = np.split(z, 4)
            c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
            h = sigmoid(o) * np.tanh(c)
            outputs.append(h)
        return np.max(outputs, axis=0)

    features = np.concatenate([highest("forward", inputs), highest("backward", inputs[::-1])])
    hidden = np.maximum(features @ w["hidden_kernel"] + w["hidden_bias"], 0)
    return [1 / (1 + math.exp(-x)) for x in hidden @ w["output_kernel"] + w["output_bias"]]


@pytest.mark.parametrize("seed", range(3))
def test_the_network_is_the_textbook_one(seed: int) -> None:
    """Every length from one code to a full window, in one batch, against a plain implementation."""
    weights = random_weights(seed)
    rng = np.random.default_rng(seed)
    sequences = [rng.integers(1, 30, size=n).tolist() for n in (1, 2, 50, 99, 100)]
    expected = [textbook(weights, sequence) for sequence in sequences]
    assert BiLSTM(weights).predict(sequences) == pytest.approx(np.array(expected), abs=1e-4)


# ---- words to codes ---------------------------------------------------------------------------


class TestWordCodes:
    WORD_CODES = WordCodes.of(["the", "don't", "don’t", "cat"], "!,.\t\n")

    @pytest.mark.parametrize(
        ("text", "codes"),
        [
            ("The CAT, the\tcat!", [1, 4, 1, 4]),
            ("don't don’t", [2, 3]),
            ("the unknown cat", [1, 4]),
            ("the\xa0cat", []),  # a no-break space joins, as it did in training
            ("cat.the", [4, 1]),
            ("", []),
        ],
    )
    def test_cuts_as_the_training_did(self, text: str, codes: list[int]) -> None:
        """Keras' texts_to_sequences, worked by hand."""
        assert self.WORD_CODES.encode(text) == codes

    @given(codes=st.lists(st.integers(), max_size=400), size=st.integers(1, 120), data=st.data())
    def test_windows_lose_nothing(self, codes: list[int], size: int, data: st.DataObject) -> None:
        """Every code is in a window, none is longer than `size`, and the last ends with the text."""
        step = data.draw(st.integers(1, size))
        windows = cut_windows(codes, size=size, step=step)
        starts = [0]
        for window in windows[1:]:
            starts.append(min(starts[-1] + step, len(codes) - size))
            assert list(window) == codes[starts[-1] : starts[-1] + size]
        assert all(len(window) <= size for window in windows)
        assert starts[-1] + len(windows[-1]) == len(codes)
