"""Sentence embeddings: one unit vector per text, as it is and with identity words masked."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand._base.optional import require
from evenhand.assets.find import find, fingerprint
from evenhand.assets.onnx_form import unsigned
from evenhand.core.protocols import CouldNotJudge, Judged, Judgement, Subject
from evenhand.evaluation.exact_products import is_exact

Floats = NDArray[np.float32]

PIECES_AT_ONCE = 256
"""Word pieces of one batch: enough to keep a core busy; more takes memory and saves no time."""
MARKS = 2
"""Pieces that the model wants around every text: [CLS] before it, [SEP] behind it."""
WINDOW = 256 - MARKS
"""Word pieces per window: the model is used with 256."""
MAX_THREADS = 2
"""Batches read at once: enough for a model this small, and leaves cores to a language model on the same machine."""

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
    session
        Gives an onnxruntime session when the first text is read.
    tokenizer
        The model's tokenizer; `load` takes both from the assets.
    version
        Stored beside every vector.

    Notes
    -----
    The vector is the mean of the model's outputs over all word pieces of the text, scaled to length 1. The model
    reads 256 word pieces: a longer text is read in windows without overlap, whose means are averaged by their
    number of pieces. Nothing is cut off.

    Every word piece is multiplied as 8-bit integers on a scale of its own, and texts are read together only with
    texts of the same length. So a vector does not depend on the other texts, to the last bit.
    """

    name = "embeddings"
    provides = ("embedding", "embedding_masked")
    blind_spots = (
        "The embedding model was trained on English; other languages are placed coarsely.",
        "It measures what a text is about better than how it is said: negation and tone move it little.",
        "A text of more than 256 word pieces is read in windows that do not see each other.",
    )

    def __init__(self, *, session: Callable[[], Any], tokenizer: Any, version: str) -> None:
        # Any: neither package publishes types
        self._session, self._tokenizer, self.version = session, tokenizer, version
        self._marks = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")

    @classmethod
    def load(cls, cache: Path | None = None) -> "EmbeddingEvaluator":
        """Load the tokenizer from the cache, and begin to load the model.

        The model is read in the background, because that needs another core and a quarter of a second, in which the
        run can already ask.

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
        background = ThreadPoolExecutor(1)
        opening = background.submit(_open, runtime, model)
        background.shutdown(wait=False)
        return cls(session=opening.result, tokenizer=tokenizer, version=f"2+{fingerprint('minilm-l6-v2')}")

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
        batches = list(_batches(windows))
        with ThreadPoolExecutor(min(MAX_THREADS, os.cpu_count() or 1)) as pool:
            read = pool.map(lambda batch: self._sum_outputs([window.pieces for window in batch]), batches)
            for batch, totals in zip(batches, read, strict=True):
                for window, total in zip(batch, totals, strict=True):
                    sums[window.owner] = sums.get(window.owner, np.float32(0)) + total
        return {text: (total / np.linalg.norm(total)).astype(np.float32) for text, total in sums.items()}

    def _sum_outputs(self, pieces: Sequence[Sequence[int]]) -> Floats:
        # the sum points where the mean points, and adds up over windows; all pieces are equally many
        first, last = self._marks
        ids = np.array([[first, *window, last] for window in pieces], dtype=np.int64)
        (outputs,) = self._session().run(None, {"input_ids": ids})
        # not in the graph: onnxruntime adds one text's outputs in another order than several texts'
        sums: Floats = outputs.sum(axis=1)
        return sums

    @staticmethod
    def _judge(subject: Subject, vectors: dict[str, Floats], windows: Mapping[str, int]) -> Judgement:
        if subject.text not in vectors:
            return CouldNotJudge(reason="the text holds nothing that the embedding model can read")
        found = {"raw": vectors[subject.text]}
        if subject.masked in vectors:
            found["masked"] = vectors[subject.masked]
        return Judged(values={"windows": windows[subject.text]}, vectors=found)


def _batches(windows: Sequence[_Window]) -> Iterator[Sequence[_Window]]:
    """Cut into batches of equal length: padding would cost as much time as text, and change the last bits."""
    by_length: dict[int, list[_Window]] = {}
    for window in windows:
        by_length.setdefault(len(window.pieces), []).append(window)
    # in order of length, so that the windows of one text are always added up in the same order
    for length, alike in sorted(by_length.items()):
        size = max(1, PIECES_AT_ONCE // (length + MARKS))
        yield from (alike[start : start + size] for start in range(0, len(alike), size))


def _open(runtime: Any, model: Path) -> Any:
    options = runtime.SessionOptions()
    # one thread a batch, and a batch a thread: two threads on one batch wait for each other, and round differently
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_mem_pattern = False  # it keeps the memory of every shape of batch that it has seen
    options.log_severity_level = 3
    # unsigned weights take almost twice the time, and no processor cuts their sums
    source = str(model) if is_exact(runtime) else unsigned(model.read_bytes())
    return runtime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
