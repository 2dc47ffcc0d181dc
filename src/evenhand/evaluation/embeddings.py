"""Sentence embeddings: one unit vector per text, as it is and with identity words masked."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand._base.optional import require
from evenhand.assets.find import find, fingerprint
from evenhand.core.protocols import CouldNotJudge, Judged, Judgement, Subject

Floats = NDArray[np.float32]

BATCH = 8
"""Small, because padding a short text to the length of a long one costs as much as reading it."""
WINDOW = 254
"""Word pieces per window; with the two marks around them, the 256 that the model is used with."""
MAX_THREADS = 2
"""Enough for a model this small, and leaves a core to a language model on the same machine."""

_EXTRA, _PURPOSE = "embeddings", "The evaluator 'embeddings'"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Window:
    owner: str
    pieces: Sequence[int]


class EmbeddingEvaluator:
    """Embeds each text with all-MiniLM-L6-v2 (weights stored as int8).

    ``vectors`` are ``raw`` and ``masked``, each float32 of shape (384,) and length 1 (``masked`` is absent if
    masking left no text); ``values`` hold ``windows``, the number of windows that the raw text was read in.

    Parameters
    ----------
    session, tokenizer
        An onnxruntime session and a tokenizer; `load` takes them from the assets.
    version
        Stored beside every vector.

    Notes
    -----
    The vector is the mean of the model's outputs over all word pieces of the text, scaled to length 1. The model
    reads 256 word pieces: a longer text is read in windows without overlap, whose means are averaged by their
    number of pieces. Nothing is cut off.
    """

    name = "embeddings"
    provides = ("embedding", "embedding_masked")
    blind_spots = (
        "The embedding model was trained on English; other languages are placed coarsely.",
        "It measures what a text is about better than how it is said: negation and tone move it little.",
        "A text of more than 256 word pieces is read in windows that do not see each other.",
    )

    def __init__(self, *, session: Any, tokenizer: Any, version: str) -> None:
        # Any: neither package publishes types
        self._session, self._tokenizer, self.version = session, tokenizer, version
        self._marks = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
        self._inputs = {item.name for item in session.get_inputs()}

    @classmethod
    def load(cls, cache: Path | None = None) -> "EmbeddingEvaluator":
        """Load model and tokenizer from the cache.

        Raises
        ------
        MissingExtraError
            If onnxruntime or tokenizers is not installed.
        MissingAssetError
            If an asset has not been pulled.
        """
        runtime = require("onnxruntime", extra=_EXTRA, purpose=_PURPOSE)
        tokenizers = require("tokenizers", extra=_EXTRA, purpose=_PURPOSE)
        alternative = "Or go without it: --skip-evaluator embeddings."
        model = find("minilm-l6-v2", cache=cache, alternative=alternative)
        vocabulary = find("minilm-l6-v2-tokenizer", cache=cache, alternative=alternative)
        tokenizer = tokenizers.Tokenizer.from_file(str(vocabulary))
        tokenizer.no_padding()  # the file pads everything to 128 and cuts there
        tokenizer.no_truncation()
        return cls(
            session=runtime.InferenceSession(str(model), _options(runtime), providers=["CPUExecutionProvider"]),
            tokenizer=tokenizer,
            version=f"1+{fingerprint('minilm-l6-v2')}",
        )

    def evaluate(self, subjects: Sequence[Subject]) -> Sequence[Judgement]:
        """Judge each subject, in order; a text without any word piece cannot be judged."""
        texts = list(dict.fromkeys(text for s in subjects for text in (s.text, s.masked)))
        windows = [window for text in texts for window in self._cut(text)]
        vectors, counts = self._embed(windows), Counter(window.owner for window in windows)
        return [self._judge(subject, vectors, counts) for subject in subjects]

    def _cut(self, text: str) -> list[_Window]:
        pieces = self._tokenizer.encode(text, add_special_tokens=False).ids
        return [_Window(owner=text, pieces=pieces[start : start + WINDOW]) for start in range(0, len(pieces), WINDOW)]

    def _embed(self, windows: Sequence[_Window]) -> dict[str, Floats]:
        sums: dict[str, Floats] = {}
        order = sorted(windows, key=lambda window: len(window.pieces))  # neighbours in length share a batch
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            for window, total in zip(batch, self._sum_outputs([w.pieces for w in batch]), strict=True):
                sums[window.owner] = sums.get(window.owner, np.float32(0)) + total
        return {text: (total / np.linalg.norm(total)).astype(np.float32) for text, total in sums.items()}

    def _sum_outputs(self, pieces: Sequence[Sequence[int]]) -> Floats:
        # the sum points where the mean points, and adds up over windows
        first, last = self._marks
        rows = [[first, *window, last] for window in pieces]
        ids = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
        mask = np.zeros_like(ids)
        for i, row in enumerate(rows):
            ids[i, : len(row)] = row
            mask[i, : len(row)] = 1
        offered = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        outputs = self._session.run(None, {name: offered[name] for name in self._inputs})[0]
        sums: Floats = np.einsum("bpd,bp->bd", outputs, mask.astype(np.float32))
        return sums

    @staticmethod
    def _judge(subject: Subject, vectors: dict[str, Floats], windows: Mapping[str, int]) -> Judgement:
        if subject.text not in vectors:
            return CouldNotJudge(reason="the text holds nothing that the embedding model can read")
        found = {"raw": vectors[subject.text]}
        if subject.masked in vectors:
            found["masked"] = vectors[subject.masked]
        return Judged(values={"windows": windows[subject.text]}, vectors=found)


def _options(runtime: Any) -> Any:
    options = runtime.SessionOptions()
    options.intra_op_num_threads = min(MAX_THREADS, os.cpu_count() or 1)
    options.inter_op_num_threads = 1
    # waiting threads must not burn the core that a language model runs on
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return options
