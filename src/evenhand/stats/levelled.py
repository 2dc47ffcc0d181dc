"""Other counts that a ray may lead through: cells equally far off, or hardly shrunk towards their references."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

HARDLY = 0.1
"""Outputs' weight by which shares are still shrunk."""


def levelled(origin: Floats, counts: Floats, size: NDArray[np.int64]) -> Floats:
    """Give all cells of as many categories the same departures from their origins.

    Parameters
    ----------
    origin, counts
        (C, K) shares, and counts; padded with 0 beyond the categories of a cell.
    size
        (C,) categories of each cell.

    Returns
    -------
    ndarray
        (C, K), with the sums of `counts`.

    Notes
    -----
    Log ratios of observed to reference share are averaged by rank over the cells, and each cell's categories get the
    averages in the order of its own. Observed shares are shrunk by one output's weight towards the origin.
    """
    found = np.zeros_like(counts)
    for k in np.unique(size).tolist():
        cells = np.flatnonzero(size == k)
        q, seen = origin[cells, :k], counts[cells, :k]
        n = seen.sum(axis=1, keepdims=True)
        ratios = np.log((seen + q) / (n + 1) / q)
        rank = np.argsort(np.argsort(ratios, axis=1, kind="stable"), axis=1)
        shares = q * np.exp(np.sort(ratios, axis=1).mean(axis=0)[rank])
        found[cells, :k] = n * shares / shares.sum(axis=1, keepdims=True)
    return found


def unshrunk(origin: Floats, counts: Floats) -> Floats:
    """Undo, but for `HARDLY`, the shrinking by one output's weight that a ray through `counts` (C, K) would bring.

    The counts returned have the same sums, and may fall below 0 by less than one.
    """
    n = counts.sum(axis=1, keepdims=True)
    found: Floats = (n + 1) * (counts + HARDLY * origin) / (n + HARDLY) - origin
    return found
