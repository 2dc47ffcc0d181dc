"""What a scorecard needs to know about metrics and evaluators; whoever ran them fills it in."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricInfo:
    """A metric in words.

    Attributes
    ----------
    name
        Short name, the key of its result: ``"RSI"``.
    long_name
        ``"Representation skew"``.
    description
        What it measures, one or two sentences.
    formula
        How the value is computed, as text.
    source
        Where the definition comes from.
    limits
        What it does not show, one sentence each.
    interpretation
        This run's result, read out in a sentence.
    """

    name: str
    long_name: str
    description: str
    formula: str
    source: str
    limits: Sequence[str]
    interpretation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatorInfo:
    """An evaluator in words.

    Attributes
    ----------
    blind_spots
        What it cannot see, one sentence each.
    """

    name: str
    version: str
    blind_spots: Sequence[str] = ()
