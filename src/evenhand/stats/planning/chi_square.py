"""Power of a G or chi-square test of counts against shares, by the noncentral law: a start, not the last word."""

import numpy as np
from numpy.typing import NDArray

from evenhand.stats.planning.power import exceeds

Floats = NDArray[np.float64]


def chi_square_power(noncentrality: float, df: int, *, alpha: float) -> float:
    """Power of a test whose statistic has a noncentral chi-square law.

    Parameters
    ----------
    noncentrality
        n Σ (p − q)² / q for chi-square, 2 n Σ p ln(p / q) for G; several tests add theirs up.
    df
        Degrees of freedom, at least 1; they add up too.

    Notes
    -----
    Cohen (1988), Statistical Power Analysis, 2nd ed., ch. 7. Holds for expected counts of five or more in every
    category; with fewer use `g_power`, which simulates.
    """
    from scipy.stats import chi2, ncx2  # slow to import

    return float(ncx2.sf(chi2.isf(alpha, df), df, noncentrality)) if noncentrality > 0 else alpha


def g_noncentrality(reference: Floats, truth: Floats, n: NDArray[np.integer]) -> float:
    """2 Σ_c n_c Σ p ln(p / q) of G summed over cells.

    Parameters
    ----------
    reference, truth
        (C, K) shares; a category of share 0 in the reference must have share 0 in the truth.
    n
        (C,) outputs.
    """
    ratio = np.divide(truth, reference, out=np.ones_like(truth), where=truth > 0)
    return float(2 * (n * (truth * np.log(ratio)).sum(axis=1)).sum())


def g_power(
    reference: Floats,
    truth: Floats,
    n: NDArray[np.integer],
    *,
    alpha: float,
    rng: np.random.Generator,
    draws: int = 2_000,
) -> float:
    """Power of G summed over cells, simulated: right for small expected counts too.

    Parameters
    ----------
    reference, truth, n
        As `g_noncentrality`.
    draws
        Samples under the reference, and as many under the truth.
    """
    null = g_sum(drawn_counts(reference, n, rng, draws), reference)
    return float(exceeds(g_sum(drawn_counts(truth, n, rng, draws), reference), null, alpha).mean())


def drawn_counts(shares: Floats, n: NDArray[np.integer], rng: np.random.Generator, draws: int) -> Floats:
    """Draw (draws, C, K) counts of n (C,) outputs from shares (C, K)."""
    counts = np.empty((draws, *shares.shape))
    for cell, (size, row) in enumerate(zip(n.tolist(), shares, strict=True)):  # one by one: numpy is quicker so
        counts[:, cell] = rng.multinomial(size, row / row.sum(), size=draws)
    return counts


def g_sum(counts: Floats, reference: Floats) -> Floats:
    """2 Σ k ln(k / nq) of counts (draws, C, K), summed over cells; (draws,)."""
    expected = counts.sum(axis=2, keepdims=True) * reference
    ratio = np.divide(counts, expected, out=np.ones_like(counts), where=counts > 0)
    total: Floats = 2 * (counts * np.log(ratio)).sum(axis=(1, 2))
    return total
