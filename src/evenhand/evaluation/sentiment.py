"""Sentiment by lexicon: how much of a text is positive, negative, neutral; as it is and masked."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from evenhand.core.protocols import CouldNotJudge, Judged, Judgement, Subject

Shares = Mapping[str, float]


class SentimentEvaluator:
    """Reads sentiment with VADER.

    ``values`` are ``raw`` and ``masked``, each ``positive``, ``negative``, ``neutral`` in [0, 1], together 1 up to
    rounding to three decimals (``masked`` is None if masking left nothing to read).

    Parameters
    ----------
    analyzer
        A VADER analyzer.
    version
        Stored beside every reading.

    Notes
    -----
    Hutto and Gilbert (2014), "VADER: a parsimonious rule-based model for sentiment analysis of social media text",
    ICWSM 8:216-225. The shares are its ``pos``, ``neg`` and ``neu``.
    """

    name = "sentiment"
    provides = ("sentiment", "sentiment_masked")
    blind_spots = (
        "Sentiment is read from an English word list; text in other languages reads as neutral.",
        "It counts words: irony, faint praise and context escape it.",
    )

    def __init__(self, *, analyzer: Any, version: str) -> None:
        # Any: the package publishes no types
        self._analyzer, self.version = analyzer, version

    @classmethod
    def load(cls, cache: Path | None = None) -> "SentimentEvaluator":
        """Load the lexicon, which comes with the package; `cache` is not used."""
        from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

        return cls(analyzer=SentimentIntensityAnalyzer(), version=f"1+vader-{version('vaderSentiment')}")

    def evaluate(self, subjects: Sequence[Subject]) -> Sequence[Judgement]:
        """Judge each subject, in order; a text in which VADER sees nothing cannot be judged."""
        texts = dict.fromkeys(text for subject in subjects for text in (subject.text, subject.masked))
        shares = {text: self._read(text) for text in texts}
        return [self._judge(shares[subject.text], shares[subject.masked]) for subject in subjects]

    def _read(self, text: str) -> Shares | None:
        scores = self._analyzer.polarity_scores(text)
        shares = {"positive": scores["pos"], "negative": scores["neg"], "neutral": scores["neu"]}
        # all three at zero is how VADER says that it saw nothing
        return shares if any(shares.values()) else None

    @staticmethod
    def _judge(raw: Shares | None, masked: Shares | None) -> Judgement:
        if raw is None:
            return CouldNotJudge(reason="the text holds nothing that VADER can read")
        return Judged(values={"raw": raw, "masked": masked})
