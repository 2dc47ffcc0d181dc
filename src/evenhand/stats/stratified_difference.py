"""Intervals for a difference of two groups, averaged over strata with equal weight. Moments in, limits out."""

from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def mover(
    difference: float, first: tuple[Floats, Floats, Floats], second: tuple[Floats, Floats, Floats]
) -> tuple[float, float]:
    """Combine limits of independent estimates into limits of the mean over strata of first − second.

    Parameters
    ----------
    difference
        Mean over strata of the differences.
    first, second
        Estimate, lower and upper limit of each stratum, (S,) each.

    Notes
    -----
    Method of variance estimates recovery: squared distances from estimates to limits add up as variances do (Zou and
    Donner 2008, Statistics in Medicine 27:1693-1702).
    """
    (a, a_low, a_high), (b, b_low, b_high) = first, second
    strata = len(a)
    down = sqrt(float(((a - a_low) ** 2 + (b_high - b) ** 2).sum())) / strata
    up = sqrt(float(((a_high - a) ** 2 + (b - b_low) ** 2).sum())) / strata
    return difference - down, difference + up


def stratified_newcombe(
    successes: ArrayLike, trials: ArrayLike, other_successes: ArrayLike, other_trials: ArrayLike, *, level: float = 0.95
) -> tuple[float, float]:
    """Limits of a difference of rates, averaged over strata.

    Parameters
    ----------
    successes, trials, other_successes, other_trials
        (S,) each, trials at least 1.
    level
        Two-sided coverage, in (0, 1).

    Returns
    -------
    lower, upper
        In [−1, 1]. With one stratum Newcombe's hybrid score interval.

    Notes
    -----
    Newcombe (1998), Statistics in Medicine 17:873-890, method 10; over strata by `mover`.

    Examples
    --------
    >>> from evenhand.stats.stratified_difference import stratified_newcombe
    >>> [round(x, 4) for x in stratified_newcombe([56], [70], [48], [80])]
    [0.0524, 0.3339]
    """
    one, two = _rates(successes, trials, level), _rates(other_successes, other_trials, level)
    low, high = mover(float((one[0] - two[0]).mean()), one, two)
    return max(low, -1.0), min(high, 1.0)


def welch(
    difference: float, variances: tuple[float, float], df: tuple[float, float], *, level: float = 0.95
) -> tuple[float, float]:
    """Limits of a difference of means with variances of their own.

    Parameters
    ----------
    variances
        Of the two means.
    df
        Degrees of freedom of each, at least 1.

    Notes
    -----
    Welch (1947), Biometrika 34:28-35, with Satterthwaite's degrees of freedom. Where nothing varies the limits are the
    difference itself.
    """
    total = sum(variances)
    if total == 0:
        return difference, difference
    from scipy.special import stdtrit  # slow to import, and most commands compute no interval

    freedom = total**2 / sum(v**2 / max(d, 1.0) for v, d in zip(variances, df, strict=True))
    half = float(stdtrit(freedom, (1 + level) / 2)) * sqrt(total)
    return difference - half, difference + half


def _rates(successes: ArrayLike, trials: ArrayLike, level: float) -> tuple[Floats, Floats, Floats]:
    """Rates with Wilson's limits, as `intervals.wilson`, for thousands of strata at once."""
    x, n = np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    z = NormalDist().inv_cdf((1 + level) / 2)
    rate = x / n
    centre, shrink = rate + z * z / (2 * n), 1 + z * z / n
    half = z * np.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    low = np.where(x == 0, 0.0, np.maximum((centre - half) / shrink, 0.0))
    high = np.where(x == n, 1.0, np.minimum((centre + half) / shrink, 1.0))
    return rate, low, high
