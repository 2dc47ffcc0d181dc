"""Many tests at once: p-values in, adjusted p-values out."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def holm(p_values: ArrayLike) -> Floats:
    """Adjust so that the chance of any false rejection stays below the level, whatever the dependence.

    Parameters
    ----------
    p_values
        Shape (m,), each in [0, 1].

    Returns
    -------
    ndarray
        Shape (m,), in the order given, each in [0, 1].

    Raises
    ------
    ValueError
        If one is not in [0, 1].

    Notes
    -----
    Holm (1979), Scand. J. Statist. 6:65-70, step down.

    Examples
    --------
    >>> from evenhand.stats.multiplicity import holm
    >>> holm([0.01, 0.03, 0.02]).round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    p = np.asarray(p_values, dtype=np.float64)
    if not np.all((p >= 0) & (p <= 1)):
        raise ValueError("p-values must lie between 0 and 1")
    order = np.argsort(p, kind="stable")
    stepped = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)), 1.0)
    adjusted = np.empty_like(p)
    adjusted[order] = stepped
    return adjusted
