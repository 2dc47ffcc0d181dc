"""Counts of which every cell is equally far from its reference, each in its own direction."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


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
