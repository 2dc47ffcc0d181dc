"""Intervals of Wilson's type: the limits are where a test of the proportion would just not reject."""

from math import sqrt
from statistics import NormalDist

from evenhand.core.results import Interval
from evenhand.stats.intervals.counts import check_counts, check_level


def wilson(successes: float, trials: float, *, level: float = 0.95) -> Interval:
    """Interval for a proportion by inverting the score test.

    Parameters
    ----------
    successes
        Outputs with the property, from 0 to `trials`. A fraction where an output naming several people counts
        in part.
    trials
        Outputs that could be judged, above 0. A fraction where it is an effective number.
    level
        Two-sided coverage, in (0, 1).

    Returns
    -------
    Interval
        Proportions in [0, 1]; the lower limit is exactly 0 at no success, the upper exactly 1 at no failure.

    Raises
    ------
    ValueError
        If there is no trial, the successes do not fit in the trials, or the level is no probability.

    Notes
    -----
    Wilson (1927), JASA 22:209-212, without continuity correction. Assumes independent trials.

    Examples
    --------
    >>> from evenhand.stats.intervals import wilson
    >>> i = wilson(11, 25)
    >>> round(i.low, 3), round(i.high, 3)
    (0.267, 0.629)
    """
    check_counts(successes, trials)
    check_level(level)
    share = successes / trials
    return _around(share, trials, variance=share * (1 - share), level=level, method="wilson")


def corrected_wilson(successes: float, trials: float, *, level: float = 0.95) -> Interval:
    """Wilson's interval with the finite-sample variance n/(n − 1) · p(1 − p).

    Parameters
    ----------
    successes, trials, level
        As for `wilson`.

    Returns
    -------
    Interval
        Proportions in [0, 1], never narrower than Wilson's. At one trial or less the correction divides by zero (or
        changes sign): the interval is then Wilson's own, and `method` says so.

    Raises
    ------
    ValueError
        As `wilson`.

    Notes
    -----
    The violation-rate instrument: s² = n/(n − 1) · p(1 − p) takes the place of p(1 − p). For whole numbers of trials
    the limits lie in [0, 1] by themselves; for effective numbers between 1 and 2 they may not, and are cut there.
    Assumes independent trials.

    Examples
    --------
    >>> from evenhand.stats.intervals import corrected_wilson
    >>> i = corrected_wilson(11, 25)
    >>> round(i.low, 3), round(i.high, 3)
    (0.263, 0.633)
    """
    check_counts(successes, trials)
    check_level(level)
    share = successes / trials
    if trials <= 1:
        return _around(share, trials, variance=share * (1 - share), level=level, method="wilson (one trial or less)")
    variance = trials / (trials - 1) * share * (1 - share)
    return _around(share, trials, variance=variance, level=level, method="corrected-wilson")


def _around(share: float, trials: float, *, variance: float, level: float, method: str) -> Interval:
    z = NormalDist().inv_cdf((1 + level) / 2)
    shrink = 1 + z * z / trials
    centre = (share + z * z / (2 * trials)) / shrink
    half = z * sqrt(variance / trials + z * z / (4 * trials * trials)) / shrink
    # exact at the ends, where rounding would leave a residue of 1e-16
    low = 0.0 if share == 0 else max(0.0, centre - half)
    high = 1.0 if share == 1 else min(1.0, centre + half)
    return Interval(low=low, high=high, level=level, method=method)
