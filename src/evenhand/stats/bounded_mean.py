"""Limits for means of scores that are bounded and skewed, such as severities. Moments in, limits out."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def bounded_mean_limits(
    mean: ArrayLike,
    *,
    n: ArrayLike,
    variance: ArrayLike,
    df: ArrayLike,
    level: float = 0.95,
    low: float = 0.0,
    high: float = 1.0,
) -> tuple[Floats, Floats]:
    """Limits of a mean, each from the data and one pseudo-observation at that end of the scale.

    Parameters
    ----------
    mean
        Observed mean, in [`low`, `high`]. All arguments broadcast.
    n
        Observations, at least 1.
    variance
        Of one observation, such that that of the mean is `variance` / `n`; within strata where there are any.
    df
        Degrees of freedom of `variance`; 0 where it could not be estimated.
    level
        Two-sided coverage, in (0, 1); each end is a one-sided limit at (1 + level) / 2.

    Returns
    -------
    lower, upper
        In [`low`, `high`]. They coincide only where the whole scale has one point.

    Notes
    -----
    Student's t on n + 1 observations. Without the added one, scores that are all 0 would have an interval of width 0,
    and skewed ones an upper limit that is too low: what was not seen in n outputs may still happen about once in n
    (Agresti and Coull 1998, American Statistician 52:119-126, for the same device with proportions). All 0 with
    n = 100: upper 95% two-sided limit .0296, where the exact binomial one is .0362 and Wilson's .0370.
    """
    m, size, s2 = (np.asarray(a, dtype=np.float64) for a in (mean, n, variance))
    degrees = np.asarray(df, dtype=np.float64)
    t = _t_quantile((1 + level) / 2, np.maximum(degrees, 0) + 1)
    ends: list[Floats] = []
    for end, sign in ((low, -1), (high, 1)):
        centre = (size * m + end) / (size + 1)
        spread = ((size - 1) * s2 + (end - m) ** 2 * size / (size + 1)) / size
        ends.append(np.asarray(np.clip(centre + sign * t * np.sqrt(spread / (size + 1)), low, high), dtype=np.float64))
    # rounding must not leave the mean outside
    lower: Floats = np.minimum(ends[0], m)
    upper: Floats = np.maximum(ends[1], m)
    return lower, upper


def _t_quantile(p: float, df: Floats) -> Floats:
    from scipy.special import stdtrit  # slow to import, and most commands compute no interval

    return np.asarray(stdtrit(df, p), dtype=np.float64)
