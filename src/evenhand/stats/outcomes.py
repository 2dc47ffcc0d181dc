"""Every way in which outputs can fall into categories, and how likely each is."""

from math import comb

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_SMALLEST = 1e-300


def how_many(n: int, k: int) -> int:
    """Count the ways to put n outputs into k categories."""
    return comb(n + k - 1, k - 1)


def all_outcomes(n: int, k: int) -> Floats:
    """List them as counts, (`how_many`, k), each row summing to n; k at least 1.

    Examples
    --------
    >>> from evenhand.stats.outcomes import all_outcomes
    >>> all_outcomes(2, 2).tolist()
    [[0.0, 2.0], [1.0, 1.0], [2.0, 0.0]]
    """
    left, columns = np.array([n]), list[NDArray[np.int64]]()
    for _ in range(k - 1):
        ways = left + 1  # this category may get none of what is left, or all of it
        row = np.repeat(np.arange(len(left)), ways)
        taken = np.arange(len(row)) - np.repeat(np.cumsum(ways) - ways, ways)
        columns = [*(column[row] for column in columns), taken]
        left = left[row] - taken
    counts: Floats = np.stack([*columns, left], axis=1).astype(np.float64)
    return counts


def chances(outcomes: Floats, shares: Floats) -> Floats:
    """Return the multinomial probability of each outcome.

    Parameters
    ----------
    outcomes
        (M, K) counts; every row has the same sum.
    shares
        (..., K), each row summing to 1; a category of share 0 never appears.

    Returns
    -------
    ndarray
        (..., M), each row summing to 1.
    """
    from scipy.special import gammaln  # slow to import

    ways = gammaln(outcomes.sum(axis=1) + 1) - gammaln(outcomes + 1).sum(axis=1)
    logs = np.log(np.maximum(shares, _SMALLEST)) @ outcomes.T
    found: Floats = np.exp(ways + logs)
    return found
