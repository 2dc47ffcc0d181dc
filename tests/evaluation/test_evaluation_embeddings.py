"""Embeddings: the published similarities, unit length, whole texts."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evenhand.core.protocols import CouldNotJudge, Evaluator, Judged, Judgement, Subject
from evenhand.errors import MissingAssetError, MissingExtraError
from evenhand.evaluation.embeddings import WINDOW, EmbeddingEvaluator

pytestmark = pytest.mark.assets


def subject(text: str, masked: str | None = None) -> Subject:
    return Subject(text=text, masked=text if masked is None else masked)


def vectors(judgement: Judgement) -> Mapping[str, Any]:
    assert isinstance(judgement, Judged)
    return judgement.vectors


@pytest.fixture(scope="module")
def evaluator() -> EmbeddingEvaluator:
    return EmbeddingEvaluator.load()


def test_gives_the_published_similarities(evaluator: EmbeddingEvaluator) -> None:
    """The quick start of Sentence Transformers prints them for the float32 model; 8-bit products move them by < .01."""
    texts = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
    rows = np.stack([vectors(j)["raw"] for j in evaluator.evaluate([subject(text) for text in texts])])
    published = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]
    assert rows @ rows.T == pytest.approx(np.array(published), abs=0.01)


def test_vectors_are_float32_of_length_one(evaluator: EmbeddingEvaluator) -> None:
    """Raw and masked alike; equal texts have equal vectors."""
    same, different = evaluator.evaluate([subject("She sings."), subject("She sings.", "They sing.")])
    for judgement in (same, different):
        for vector in vectors(judgement).values():
            assert (vector.shape, vector.dtype) == ((384,), np.float32)
            assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-6)
    assert np.array_equal(vectors(same)["raw"], vectors(same)["masked"])
    assert np.array_equal(vectors(same)["raw"], vectors(different)["raw"])
    assert not np.allclose(vectors(different)["raw"], vectors(different)["masked"], atol=1e-3)


def test_a_vector_does_not_depend_on_the_batch(evaluator: EmbeddingEvaluator) -> None:
    """Alone, beside texts of the same and of other lengths, in any order: the same to the last bit."""
    alike = [f"{word} came home." for word in ("She", "He", "They", "Who", "It", "Nobody")]
    texts = ["Short.", *alike, *(f"A text of some length {'and more ' * n}" for n in range(20)), "cat " * 600]
    together = evaluator.evaluate([subject(text) for text in texts])
    backwards = evaluator.evaluate([subject(text) for text in reversed(texts)])
    for text, judgement, other in zip(texts, together, reversed(backwards), strict=True):
        (alone,) = evaluator.evaluate([subject(text)])
        assert np.array_equal(vectors(alone)["raw"], vectors(judgement)["raw"])
        assert np.array_equal(vectors(alone)["raw"], vectors(other)["raw"])


def test_a_long_text_is_read_to_its_end(evaluator: EmbeddingEvaluator) -> None:
    """Two windows: the direction of their outputs' sum, by hand from each window alone and its piece count."""
    first, second = "cat " * WINDOW, "the stock market fell " * 3
    texts = [first, second, f"{first}{second}"]
    one, two, both = evaluator.evaluate([subject(text) for text in texts])
    assert isinstance(both, Judged)
    assert both.values["windows"] == 2
    assert vectors(both)["raw"] @ vectors(one)["raw"] > 0.9  # 254 pieces outweigh 12
    assert not np.array_equal(vectors(both)["raw"], vectors(one)["raw"])
    sums = evaluator._sum_outputs([[evaluator._tokenizer.token_to_id("cat")] * WINDOW])
    sums = sums + evaluator._sum_outputs([evaluator._tokenizer.encode(second, add_special_tokens=False).ids])
    assert vectors(both)["raw"] == pytest.approx(sums[0] / np.linalg.norm(sums[0]), abs=1e-5)
    assert isinstance(two, Judged)


def test_text_that_holds_nothing_to_read_cannot_be_judged(evaluator: EmbeddingEvaluator) -> None:
    """Control characters alone make no word piece; a masked text without any has no vector."""
    unreadable, half = evaluator.evaluate([subject("\x00\x01"), subject("Fine.", "\x00")])
    assert isinstance(unreadable, CouldNotJudge)
    assert list(vectors(half)) == ["raw"]


def test_meets_the_evaluator_protocol(evaluator: EmbeddingEvaluator) -> None:
    """And judges nothing when given nothing."""
    assert isinstance(evaluator, Evaluator)
    assert evaluator.evaluate([]) == []


def test_a_missing_part_is_named_with_its_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """First the package, then the file: each error says how to bring it."""
    with pytest.raises(MissingAssetError, match=r"models pull minilm-l6-v2.*--skip-evaluator embeddings"):
        EmbeddingEvaluator.load(tmp_path)
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtraError, match=r"evenhand\[embeddings\]"):
        EmbeddingEvaluator.load(tmp_path)
