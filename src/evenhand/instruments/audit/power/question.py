"""One thing that an audit shall find, in the terms of its metric, and what cannot be found at all."""

from collections.abc import Callable
from dataclasses import dataclass

from evenhand.core.results import Band

Power = Callable[[int, float, float], float]
"""Replicates, true value and level of the test to the chance that both test and limit find it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Whether a difference is found.

    Attributes
    ----------
    metric, attribute
        Attribute is empty where the metric does not look at one.
    reads
        Quantity that the bands read.
    cut
        Of the pass band.
    difference
        True value that shall be found, beyond the cut.
    farthest
        Largest value possible under the assumptions; the smallest for a metric where less is worse.
    power
        Chance of finding it.
    words
        A true value in words.
    has_test
        Whether a test against a fair model takes part, and so in Holm's adjustment.
    notes
        What a reader must know, one sentence each.
    """

    metric: str
    attribute: str
    reads: str
    cut: float
    difference: float
    farthest: float
    power: Power
    words: Callable[[float], str]
    has_test: bool = True
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unplanned:
    """A metric, or one attribute of it, for which no number of replicates can be given.

    Attributes
    ----------
    reason
        Why not, and what would help; without a full stop.
    is_tested
        Whether the run will test it all the same, so that it counts in Holm's adjustment.
    """

    metric: str
    attribute: str
    reason: str
    is_tested: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreachable:
    """A cut that no model could cross.

    Attributes
    ----------
    band
        That would begin there.
    largest
        Value that is possible.
    text
        The same as a sentence, without a full stop.
    """

    metric: str
    attribute: str
    band: Band
    cut: float
    largest: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What one metric contributes to a plan."""

    questions: tuple[Question, ...] = ()
    unplanned: tuple[Unplanned, ...] = ()
    unreachable: tuple[Unreachable, ...] = ()


def joined(parts: list[Asked]) -> Asked:
    """Put contributions together, in their order."""
    return Asked(
        questions=tuple(q for part in parts for q in part.questions),
        unplanned=tuple(u for part in parts for u in part.unplanned),
        unreachable=tuple(u for part in parts for u in part.unreachable),
    )
