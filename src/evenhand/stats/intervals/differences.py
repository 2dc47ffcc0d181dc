"""Intervals for the difference of two proportions, from the interval of each."""

from math import sqrt

from evenhand.core.results import Interval
from evenhand.stats.intervals.score import wilson


def newcombe(
    successes: float, trials: float, other_successes: float, other_trials: float, *, level: float = 0.95
) -> Interval:
    """Interval for a difference of two independent proportions, first − second.

    Parameters
    ----------
    successes, trials
        Of the first sample, as for `wilson`.
    other_successes, other_trials
        Of the second, independent sample.
    level
        Two-sided coverage, in (0, 1).

    Returns
    -------
    Interval
        Differences in [−1, 1].

    Raises
    ------
    ValueError
        As `wilson`, for either sample.

    Notes
    -----
    Newcombe (1998), Statistics in Medicine 17:873-890, method 10: the distances from each share to its Wilson limits
    are squared and added. The score interval of statsmodels fails for 9 of 25 against 4 of 25; this one exists for
    all counts.

    Examples
    --------
    >>> from evenhand.stats.intervals import newcombe
    >>> i = newcombe(56, 70, 48, 80)
    >>> round(i.low, 4), round(i.high, 4)
    (0.0524, 0.3339)
    """
    first = wilson(successes, trials, level=level)
    second = wilson(other_successes, other_trials, level=level)
    low, high = _combined(successes / trials, first, other_successes / other_trials, second, correlation=0.0)
    return Interval(low=low, high=high, level=level, method="newcombe")


def newcombe_paired(
    both: float, first_only: float, second_only: float, neither: float, *, level: float = 0.95
) -> Interval:
    """Interval for a difference of two proportions of the same units, first − second.

    Parameters
    ----------
    both, first_only, second_only, neither
        Units with the property under both conditions, one of them, or none; at least one unit in all.
    level
        Two-sided coverage, in (0, 1).

    Returns
    -------
    Interval
        Differences in [−1, 1].

    Raises
    ------
    ValueError
        If a count is negative, there is no unit, or the level is no probability.

    Notes
    -----
    Newcombe (1998), Statistics in Medicine 17:2635-2650, method 10: as `newcombe`, with a correlation between the two
    that is pulled towards 0 when positive.
    """
    if not min(both, first_only, second_only, neither) >= 0:
        raise ValueError(f"counts of units cannot be negative: {(both, first_only, second_only, neither)}")
    units = both + first_only + second_only + neither
    first = wilson(both + first_only, units, level=level)
    second = wilson(both + second_only, units, level=level)
    correlation = _phi(both, first_only, second_only, neither)
    share, other = (both + first_only) / units, (both + second_only) / units
    low, high = _combined(share, first, other, second, correlation=correlation)
    return Interval(low=low, high=high, level=level, method="newcombe, paired")


def _combined(
    share: float, first: Interval, other: float, second: Interval, *, correlation: float
) -> tuple[float, float]:
    below, above = share - first.low, first.high - share
    other_below, other_above = other - second.low, second.high - other
    down = below**2 - 2 * correlation * below * other_above + other_above**2
    up = above**2 - 2 * correlation * above * other_below + other_below**2
    difference = share - other
    # max(0, …): a perfect correlation leaves a residue below 0
    return max(-1.0, difference - sqrt(max(0.0, down))), min(1.0, difference + sqrt(max(0.0, up)))


def _phi(both: float, first_only: float, second_only: float, neither: float) -> float:
    spread = (both + first_only) * (second_only + neither) * (both + second_only) * (first_only + neither)
    if spread == 0:
        return 0.0
    product = both * neither - first_only * second_only
    if product > 0:
        product = max(0.0, product - (both + first_only + second_only + neither) / 2)
    return product / sqrt(spread)
