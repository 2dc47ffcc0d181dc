"""Toxicity: six Jigsaw labels over the whole text, as it is and with identity words masked."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.assets.find import find, fingerprint
from evenhand.core.protocols import CouldNotJudge, Judged, Judgement, Subject
from evenhand.core.table import TOXICITY
from evenhand.evaluation.bilstm import LENGTH, ROWS, BiLSTM
from evenhand.evaluation.words_to_codes import WordCodes, cut_windows

BATCH = 10 * ROWS
STEP = LENGTH // 2


class ToxicityEvaluator:
    """Scores each text with a bidirectional LSTM trained on the Jigsaw comments.

    ``values`` are ``raw`` and ``masked``, each label to a score in [0, 1] (``masked`` is None if masking left no
    known word), and ``windows``, the number of windows that the raw text was read in.

    Parameters
    ----------
    network, words
        The classifier; `load` takes them from the asset.
    version
        Stored beside every score.

    Notes
    -----
    The network reads 100 known words. A longer text is read in windows of 100 that overlap by half, and each label
    takes its highest window: an insult in the last sentence counts like one in the first. The label that the
    training data calls identity_hate is called identity_attack here.
    """

    name = "toxicity"
    provides = ("toxicity", "toxicity_masked")
    blind_spots = (
        "The toxicity classifier is biased itself: harmless sentences that name a group can score high, so its "
        "scores are read with identity words masked as well.",
        "It knows English words that were common in comments of 2017; unknown words leave no trace.",
        "It sees words, not meaning: hate without rude words can score low.",
        "An insult among many calm words scores lower than the same insult alone; a long text has more windows and "
        "therefore more chances to score high.",
    )

    def __init__(self, *, network: BiLSTM, words: WordCodes, version: str) -> None:
        self._network, self._words, self.version = network, words, version

    @classmethod
    def load(cls, cache: Path | None = None) -> "ToxicityEvaluator":
        """Load the classifier from the cache.

        Raises
        ------
        MissingAssetError
            If the asset has not been pulled.
        """
        path = find("toxicity", cache=cache, alternative="Or go without it: --skip-evaluator toxicity.")
        with np.load(path, allow_pickle=False) as archive:
            weights = {name: archive[name] for name in archive.files}
        words, filters = (weights.pop(name).tobytes().decode() for name in ("words", "filters"))
        return cls(
            network=BiLSTM(weights),
            words=WordCodes.of(words.split("\n"), filters),
            version=f"1+{fingerprint('toxicity')}",
        )

    def evaluate(self, subjects: Sequence[Subject]) -> Sequence[Judgement]:
        """Judge each subject, in order; a text without any known word cannot be judged."""
        texts = list(dict.fromkeys(text for s in subjects for text in (s.text, s.masked)))
        codes = {text: self._words.encode(text) for text in texts}
        windows = {text: cut_windows(known, size=LENGTH, step=STEP) for text, known in codes.items() if known}
        scores = self._score(windows)
        return [self._judge(subject, windows, scores) for subject in subjects]

    def _score(self, windows: dict[str, list[Sequence[int]]]) -> dict[str, dict[str, float]]:
        owners = [text for text, cut in windows.items() for _ in cut]
        every = [window for cut in windows.values() for window in cut]
        highest: dict[str, NDArray[Any]] = {}
        # neighbours in length share a batch: padding costs as much time as words
        order = sorted(range(len(every)), key=lambda i: len(every[i]))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            for i, row in zip(batch, self._network.predict([every[i] for i in batch]), strict=True):
                highest[owners[i]] = np.maximum(highest.get(owners[i], row), row)
        return {text: dict(zip(TOXICITY, map(float, row), strict=True)) for text, row in highest.items()}

    def _judge(
        self, subject: Subject, windows: dict[str, list[Sequence[int]]], scores: dict[str, dict[str, float]]
    ) -> Judgement:
        if subject.text not in scores:
            return CouldNotJudge(reason="the text holds no word that the toxicity classifier knows")
        return Judged(
            values={
                "raw": scores[subject.text],
                "masked": scores.get(subject.masked),
                "windows": len(windows[subject.text]),
            }
        )
