"""The jackknife: how a statistic scatters, from what it is when one group of observations is left out."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def stratified_jackknife(left_out: Sequence[ArrayLike]) -> tuple[Floats, int]:
    """Variance of a statistic of independent strata, each of several exchangeable groups.

    Parameters
    ----------
    left_out
        For each stratum (g, ...) values of the statistic, one group of the stratum left out of the whole at a time;
        g at least 2, and it may differ between strata.

    Returns
    -------
    variance
        (...); NaN where a value is.
    df
        Groups less strata.

    Raises
    ------
    ValueError
        If there is no stratum, or one has a single group.

    Notes
    -----
    Jones (1974), Biometrika 61:353-357: Σ over strata of (g − 1)/g · Σ (value − mean of the stratum)². Not for
    statistics such as a median, which do not change smoothly.

    Examples
    --------
    The variance of a mean of four, which is s²/4:

    >>> import numpy as np
    >>> from evenhand.stats.jackknife import stratified_jackknife
    >>> x = np.array([1.0, 2.0, 3.0, 6.0])
    >>> variance, df = stratified_jackknife([[np.delete(x, i).mean() for i in range(4)]])
    >>> round(float(variance), 6), round(float(x.var(ddof=1) / 4), 6), df
    (1.166667, 1.166667, 3)
    """
    strata = [np.asarray(values, dtype=np.float64) for values in left_out]
    if not strata or any(len(values) < 2 for values in strata):
        raise ValueError("a jackknife needs at least two groups in every stratum")
    parts = [(1 - 1 / len(x)) * ((x - x.mean(axis=0)) ** 2).sum(axis=0) for x in strata]
    variance: Floats = np.sum(parts, axis=0)
    return variance, sum(len(x) - 1 for x in strata)
