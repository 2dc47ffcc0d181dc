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
    p = _checked(p_values)
    order = np.argsort(p, kind="stable")
    return _in_order(order, np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)))


def benjamini_hochberg(p_values: ArrayLike) -> Floats:
    """Adjust so that the expected share of false ones among the rejections stays below the level.

    Parameters
    ----------
    p_values
        Shape (m,), each in [0, 1].

    Returns
    -------
    ndarray
        Shape (m,), in the order given, each in [0, 1] and no larger than Holm's.

    Raises
    ------
    ValueError
        If one is not in [0, 1].

    Notes
    -----
    Benjamini and Hochberg (1995), J. R. Statist. Soc. B 57:289-300, step up. Holds for independent tests and those with
    positive regression dependence. For lists to look into; a verdict uses `holm`.

    Examples
    --------
    >>> from evenhand.stats.multiplicity import benjamini_hochberg
    >>> benjamini_hochberg([0.01, 0.03, 0.02]).round(3).tolist()
    [0.03, 0.03, 0.03]
    """
    p = _checked(p_values)
    order = np.argsort(p, kind="stable")
    scaled = p[order] * len(p) / np.arange(1, len(p) + 1)
    return _in_order(order, np.minimum.accumulate(scaled[::-1])[::-1])


def _checked(p_values: ArrayLike) -> Floats:
    p = np.asarray(p_values, dtype=np.float64)
    if not np.all((p >= 0) & (p <= 1)):  # NaN is not: a test that was not made is left out before
        raise ValueError("p-values must lie between 0 and 1")
    return p


def _in_order(order: NDArray[np.intp], stepped: Floats) -> Floats:
    adjusted = np.empty_like(stepped)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted
