"""Power for shares of categories: divergence from references, and evenness."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from evenhand.stats.divergence import jsd_bits, normalised_entropy
from evenhand.stats.planning.chi_square import drawn_counts, g_sum
from evenhand.stats.planning.power import LIMIT_ALPHA, Power, power_of_draws

Floats = NDArray[np.float64]
Counts = NDArray[np.integer]

_HALVINGS = 32


def skewed(reference: Floats, bits: Floats) -> Floats:
    """Shares that lie a given divergence from the reference, on the way to its rarest category.

    Parameters
    ----------
    reference
        (C, K) shares; categories of share 0 stay at 0.
    bits
        (C,) divergences in bits; the way's end is returned where they lie beyond it.

    Returns
    -------
    ndarray
        (C, K) mixtures of the reference and its rarest category; along them the divergence grows.

    Examples
    --------
    >>> import numpy as np
    >>> from evenhand.stats.planning import skewed
    >>> skewed(np.array([[0.5, 0.5]]), np.array([0.146793])).round(3).tolist()
    [[0.9, 0.1]]
    """
    corner = _corner(np.where(reference > 0, reference, np.inf).argmin(axis=1), reference.shape[1])
    return _mixed(reference, corner, lambda shares: jsd_bits(shares, reference) < bits)


def evened(reference: Floats, evenness: float) -> Floats:
    """Shares with a given evenness H / log2 K, on the way from equal ones to the reference's most common category.

    Parameters
    ----------
    reference
        (C, K) shares.
    evenness
        In [0, 1].

    Examples
    --------
    >>> import numpy as np
    >>> from evenhand.stats.planning import evened
    >>> evened(np.array([[0.5, 0.5]]), 0.469).round(2).tolist()
    [[0.9, 0.1]]
    """
    k = reference.shape[1]
    start = np.full_like(reference, 1 / k)
    corner = _corner(reference.argmax(axis=1), k)
    return _mixed(start, corner, lambda shares: normalised_entropy(shares, k) > evenness)


def skew_power(
    reference: Floats,
    n: Counts,
    *,
    truth: Floats,
    cut: Floats,
    scale: Floats,
    alpha: float,
    rng: np.random.Generator,
    limit_alpha: float = LIMIT_ALPHA,
    draws: int = 2_000,
) -> Power:
    """Chance that divergences from references are found: by G summed over cells, and by the limit of their mean.

    Parameters
    ----------
    reference
        (C, K) shares.
    n
        (C,) outputs, at least 1 each.
    truth, cut
        (C,) divergences in bits, of the truth and at the cut.
    scale
        (C,) what each cell's bits are divided by before they are averaged.
    limit_alpha
        How often the limit may err; less than .05 stands for a method that is known to lose some power.

    Notes
    -----
    Simulated: with few outputs in a cell neither G nor the plug-in divergence follows its large-sample law.
    """
    at = [reference, skewed(reference, cut), skewed(reference, truth)]
    counts = [drawn_counts(shares, n, rng, draws) for shares in at]
    means = [(jsd_bits(drawn, reference) / scale).mean(axis=1) for drawn in counts]
    tested = g_sum(counts[0], reference), g_sum(counts[2], reference)
    return power_of_draws(means[0], means[1], means[2], alpha=alpha, limit_alpha=limit_alpha, tested=tested)


def diversity_power(
    reference: Floats,
    n: Counts,
    *,
    truth: float,
    cut: float,
    alpha: float,
    rng: np.random.Generator,
    limit_alpha: float = LIMIT_ALPHA,
    draws: int = 2_000,
) -> Power:
    """Chance that a lack of evenness is found: against what the references have, and below a cut.

    Parameters
    ----------
    reference, n
        As `skew_power`.
    truth, cut
        Evenness in [0, 1], the truth below the cut.
    """
    k = reference.shape[1]
    at = [reference, evened(reference, cut), evened(reference, truth)]
    counts = [drawn_counts(shares, n, rng, draws) for shares in at]
    null, at_cut, at_truth = (1 - normalised_entropy(drawn, k).mean(axis=1) for drawn in counts)
    return power_of_draws(null, at_cut, at_truth, alpha=alpha, limit_alpha=limit_alpha)


def _corner(places: NDArray[np.intp], k: int) -> Floats:
    return np.eye(k)[places]


def _mixed(start: Floats, end: Floats, is_short: Callable[[Floats], NDArray[np.bool_]]) -> Floats:
    """Halve the way from start to end (C, K) until `is_short` changes; cells apart."""
    low, high = np.zeros(len(start)), np.ones(len(start))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        short = is_short(_between(start, end, middle))
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return _between(start, end, high)


def _between(start: Floats, end: Floats, way: Floats) -> Floats:
    mixed: Floats = (1 - way[:, None]) * start + way[:, None] * end
    return mixed
