"""Integer products: a processor that cuts sums at 16 bits is noticed."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from evenhand.assets.onnx_form import unsigned
from evenhand.evaluation import embeddings
from evenhand.evaluation.embeddings import EmbeddingEvaluator
from evenhand.evaluation.exact_products import is_exact


def runtime(*, limit: int | None) -> Any:
    """Multiply like an x86 processor with VNNI instructions, or, with a limit, like one without."""

    class Session:
        def __init__(self, *_: object, **__: object) -> None: ...

        def run(self, _: object, given: dict[str, Any]) -> list[Any]:
            pairs = given["codes"].astype(np.int64)[:, 0::2] * 127 + given["codes"].astype(np.int64)[:, 1::2] * 127
            sums = (pairs if limit is None else np.minimum(pairs, limit)).sum(axis=1)
            return [np.repeat(sums[:, None], 64, axis=1)]

    return SimpleNamespace(SessionOptions=SimpleNamespace, InferenceSession=Session)


def test_cut_sums_are_noticed() -> None:
    """Pairs of 255 * 127 are 64,770; vpmaddubsw gives 32,767."""
    assert is_exact(runtime(limit=None))
    assert not is_exact(runtime(limit=32_767))


@pytest.mark.assets
def test_unsigned_weights_give_the_same_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """To the last bit: so a processor that cuts sums gets the vectors that others get."""
    from evenhand.core.protocols import Judged, Subject

    subjects = [Subject(text=text, masked=text) for text in ("She came home.", "Sorry, no.", "the stock market fell")]
    usual = EmbeddingEvaluator.load().evaluate(subjects)
    shifted: list[bytes] = []
    monkeypatch.setattr(embeddings, "is_exact", lambda _: False)
    monkeypatch.setattr(embeddings, "unsigned", lambda model: shifted.append(unsigned(model)) or shifted[0])
    other = EmbeddingEvaluator.load().evaluate(subjects)
    assert len(shifted) == 1
    for one, two in zip(usual, other, strict=True):
        assert isinstance(one, Judged)
        assert isinstance(two, Judged)
        assert np.array_equal(one.vectors["raw"], two.vectors["raw"])
