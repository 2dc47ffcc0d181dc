"""Confidence intervals. Counts in, Interval out."""

from math import sqrt
from statistics import NormalDist

from evenhand.core.results import Interval


def wilson(successes: float, trials: int, *, level: float = 0.95) -> Interval:
    """Interval for a proportion by inverting the score test.

    Parameters
    ----------
    successes
        Outputs with the property, from 0 to `trials`. A fraction where an output naming several people counts
        in part.
    trials
        Outputs that could be judged, at least 1.
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
    if trials < 1 or not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes in {trials} trials is not a proportion")
    if not 0 < level < 1:
        raise ValueError(f"the level must lie between 0 and 1, not {level}")
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = successes / trials
    shrink = 1 + z * z / trials
    centre = (share + z * z / (2 * trials)) / shrink
    half = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials)) / shrink
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == trials else min(1.0, centre + half)
    return Interval(low=low, high=high, level=level, method="wilson")
