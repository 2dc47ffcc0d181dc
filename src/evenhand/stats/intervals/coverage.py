"""How often an interval for a proportion holds the truth: exact, by enumerating what a binomial can give."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.stats.intervals.by_name import level_of, proportion_interval

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Exact coverage of one method at one number of trials.

    Attributes
    ----------
    minimum
        Greatest lower bound over true shares in (0, 1).
    at
        True share next to which it is approached.
    mean
        Over true shares, uniformly.
    """

    minimum: float
    at: float
    mean: float


def exact_coverage(method: str, trials: int, *, level: float | None = None, z: float | None = None) -> Coverage:
    """Smallest and mean coverage of a named method over all true shares.

    Parameters
    ----------
    method
        One of `intervals.METHODS`.
    trials
        At least 1.
    level, z
        As for `proportion_interval`.

    Returns
    -------
    Coverage
        Probabilities in [0, 1].

    Notes
    -----
    No grid. Between two neighbouring limits the numbers of successes whose interval holds p are consecutive, and the
    probability of such a run rises, then falls, in p: the smallest coverage is approached at a limit, from one side or
    the other. The mean is a sum of beta integrals, ∫ C(n,k) p^k (1 − p)^(n − k) dp from limit to limit.
    """
    from scipy.special import betainc

    low, high = _limits(method, trials, level=level_of(level=level, z=z))
    ends = np.concatenate([low, high])
    ends = ends[(ends > 0) & (ends < 1)]
    weights = _binomial(trials, ends)
    at = ends[:, None]
    from_left = (weights * ((low < at) & (at <= high))).sum(axis=1)
    from_right = (weights * ((low <= at) & (at < high))).sum(axis=1)
    coverage = np.minimum(from_left, from_right)
    k = np.arange(trials + 1)
    held = betainc(k + 1, trials - k + 1, high) - betainc(k + 1, trials - k + 1, low)
    worst = int(coverage.argmin())
    return Coverage(minimum=float(coverage[worst]), at=float(ends[worst]), mean=float(held.mean()))


def coverage_at(
    shares: ArrayLike, method: str, trials: int, *, level: float | None = None, z: float | None = None
) -> Floats:
    """Coverage at given true shares: (p,) in [0, 1] in, (p,) probabilities out."""
    p = np.asarray(shares, dtype=np.float64)
    low, high = _limits(method, trials, level=level_of(level=level, z=z))
    held = (low <= p[:, None]) & (p[:, None] <= high)
    coverage: Floats = (_binomial(trials, p) * held).sum(axis=1)
    return coverage


def _limits(method: str, trials: int, *, level: float) -> tuple[Floats, Floats]:
    intervals = [proportion_interval(k, trials, method=method, level=level) for k in range(trials + 1)]
    return np.array([i.low for i in intervals]), np.array([i.high for i in intervals])


def _binomial(trials: int, shares: Floats) -> Floats:
    from scipy.stats import binom  # slow to import, and most commands compute no coverage

    return np.asarray(binom.pmf(np.arange(trials + 1), trials, shares[:, None]), dtype=np.float64)
