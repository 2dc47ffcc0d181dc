"""Metrics that are functions of category counts: one scenario's counts, and how a metric reads them."""

from collections.abc import Callable
from dataclasses import dataclass

from evenhand.core.table import Floats

Distance = Callable[[Floats, Floats], Floats]
"""Counts or shares (..., K) and the cell's own reference (..., K) to a number that grows away from the ray's origin."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountCell:
    """One scenario and attribute that has a value.

    Attributes
    ----------
    counts
        (K,) weights of the categories.
    n
        Outputs behind them.
    reference
        (K,) shares of the reference.
    """

    scenario: str
    attribute: str
    counts: Floats
    n: int
    reference: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading:
    """How a metric reads counts.

    Attributes
    ----------
    metric
        Name of the metric: its streams of random numbers are named after it.
    value
        The metric itself.
    distance
        What grows along the ray, and `of_distance`, which turns it into the metric again.
    origin
        Where rays start, from the reference of each cell.
    sign
        1 if more is worse, −1 if less is.
    tests_g
        Whether the test sums G over cells; otherwise it is the metric's own value in the bad direction.
    """

    metric: str
    value: Distance
    distance: Distance
    of_distance: Callable[[float], float]
    origin: Callable[[Floats], Floats]
    sign: int
    tests_g: bool
