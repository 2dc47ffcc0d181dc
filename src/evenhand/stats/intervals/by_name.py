"""Proportion intervals by the name that a spec or a report uses."""

from collections.abc import Mapping
from statistics import NormalDist
from types import MappingProxyType
from typing import Protocol

from evenhand.core.results import Interval
from evenhand.stats.intervals.beta import clopper_pearson, jeffreys
from evenhand.stats.intervals.counts import check_level
from evenhand.stats.intervals.score import corrected_wilson, wilson

DEFAULT_Z = 1.96
"""Of the violation-rate instrument, which fixes z and not the level: level .950004."""


class Method(Protocol):
    """An interval for a proportion."""

    def __call__(self, successes: float, trials: float, /, *, level: float) -> Interval:
        """Turn counts into limits in [0, 1]."""
        ...


METHODS: Mapping[str, Method] = MappingProxyType(
    {
        "corrected-wilson": corrected_wilson,
        "wilson": wilson,
        "clopper-pearson": clopper_pearson,
        "jeffreys": jeffreys,
    }
)
"""The instrument's own method first."""


def proportion_interval(
    successes: float,
    trials: float,
    *,
    method: str = "corrected-wilson",
    level: float | None = None,
    z: float | None = None,
) -> Interval:
    """Interval for a proportion by a named method.

    Parameters
    ----------
    successes, trials
        As for `wilson`.
    method
        One of `METHODS`.
    level
        Two-sided coverage, in (0, 1).
    z
        The same as a normal quantile, above 0: level = 2Φ(z) − 1. With neither, z = 1.96.

    Returns
    -------
    Interval
        Proportions in [0, 1].

    Raises
    ------
    ValueError
        If the method has no such name, both level and z are given, or the counts are no proportion.

    Examples
    --------
    >>> from evenhand.stats.intervals import proportion_interval
    >>> i = proportion_interval(11, 25)
    >>> round(i.low, 6), round(i.high, 6), i.method
    (0.263414, 0.632569, 'corrected-wilson')
    """
    if method not in METHODS:
        raise ValueError(f"no interval method is called {method!r}; choose one of {', '.join(METHODS)}")
    return METHODS[method](successes, trials, level=level_of(level=level, z=z))


def level_of(*, level: float | None = None, z: float | None = None) -> float:
    """Coverage from a level or a normal quantile; that of z = 1.96 if neither is given."""
    if level is not None and z is not None:
        raise ValueError(f"give a level or z, not both: level {level}, z {z}")
    if level is not None:
        check_level(level)
        return level
    quantile = DEFAULT_Z if z is None else z
    if not quantile > 0:
        raise ValueError(f"z must be above 0, not {quantile}")
    return 2 * NormalDist().cdf(quantile) - 1
