"""Counts against a reference: how unlikely they are if every output is drawn from it."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Statistic = Literal["G", "chi-square"]

MOST_OUTCOMES = 50_000
"""More outcomes than this are drawn and not enumerated."""
SAME = 1e-9
"""Relative distance within which two values of a statistic are the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MultinomialTest:
    """A test of counts against shares.

    Attributes
    ----------
    statistic
        Value of the statistic, at least 0.
    p_value, mid_p
        Chance of a value at least as large; with half the chance of one as large.
    method
        ``"exact"``, or ``"Monte-Carlo, 1999 draws"``.
    """

    statistic: float
    p_value: float
    mid_p: float
    method: str


def multinomial_test(
    counts: ArrayLike,
    shares: ArrayLike,
    *,
    statistic: Statistic = "G",
    rng: np.random.Generator | None = None,
    draws: int = 1_999,
) -> MultinomialTest:
    """Test whether counts come from given shares.

    Parameters
    ----------
    counts
        (K,) whole numbers.
    shares
        (K,) above 0, summing to 1; merge categories of share 0 before (`without_zeros`).
    rng
        Needed where the outcomes are too many to enumerate.

    Raises
    ------
    ValueError
        If a share is not above 0, or there are too many outcomes and no `rng`.

    Notes
    -----
    Exact: all outcomes of n draws. McDonald (2014), Handbook of Biological Statistics, 3rd ed., 82-85.

    Examples
    --------
    >>> from evenhand.stats.multinomial import multinomial_test
    >>> [round(multinomial_test([8, 1, 1], [1 / 3] * 3, statistic=s).p_value, 3) for s in ("chi-square", "G")]
    [0.01, 0.022]
    """
    k, q = np.asarray(counts, dtype=np.float64), np.asarray(shares, dtype=np.float64)
    if not np.all(q > 0):
        raise ValueError("a category with share 0 has no place in the test; merge it with another first")
    n = round(float(k.sum()))
    observed = float(_STATISTICS[statistic](k[None], q)[0])
    if comb(n + len(q) - 1, len(q) - 1) <= MOST_OUTCOMES:
        outcomes = np.array(list(_outcomes(n, len(q))), dtype=np.float64)
        chance, method = _probabilities(outcomes, q), "exact"
    elif rng is None:
        raise ValueError(f"{n} outputs in {len(q)} categories have too many outcomes to enumerate; give an rng")
    else:
        outcomes = rng.multinomial(n, q / q.sum(), size=draws).astype(np.float64)
        chance, method = np.full(draws, 1 / (draws + 1)), f"Monte-Carlo, {draws} draws"
    values = _STATISTICS[statistic](outcomes, q)
    same = np.abs(values - observed) <= SAME * max(1.0, observed)
    above, equal = float(chance[(values > observed) & ~same].sum()), float(chance[same].sum())
    own = 0.0 if method == "exact" else 1 / (draws + 1)
    return MultinomialTest(
        statistic=observed,
        p_value=min(1.0, above + equal + own),
        mid_p=min(1.0, above + (equal + own) / 2),
        method=method,
    )


def g_statistic(counts: Floats, shares: Floats) -> Floats:
    """Return 2 Σ k ln(k / nq) along the last axis; counts (..., K) against shares (..., K) above 0."""
    n = counts.sum(axis=-1, keepdims=True)
    expected = n * shares
    ratio = np.divide(
        counts, expected, out=np.ones(np.broadcast_shapes(counts.shape, expected.shape)), where=counts > 0
    )
    g: Floats = 2 * (counts * np.log(ratio)).sum(axis=-1)
    return np.maximum(g, 0.0)


def chi_square_statistic(counts: Floats, shares: Floats) -> Floats:
    """Return Σ (k − nq)² / nq along the last axis; counts (..., K) against shares (..., K) above 0."""
    expected = counts.sum(axis=-1, keepdims=True) * shares
    total: Floats = np.divide(
        (counts - expected) ** 2, expected, out=np.zeros_like(expected + counts), where=expected > 0
    )
    summed: Floats = total.sum(axis=-1)
    return summed


def without_zeros(counts: Floats, shares: Floats) -> tuple[Floats, Floats, tuple[int, ...]]:
    """Merge categories of share 0 with the rarest of the others.

    Returns
    -------
    counts, shares
        Of the categories that remain, counts (..., K') and shares (K',).
    merged
        Places that were merged.
    """
    zero = shares <= 0
    if not zero.any():
        return counts, shares, ()
    kept = np.flatnonzero(~zero)
    rarest = int(np.argmin(shares[kept]))
    left = counts[..., kept].copy()
    left[..., rarest] += counts[..., zero].sum(axis=-1)
    return left, shares[kept], tuple(np.flatnonzero(zero).tolist())


_STATISTICS = {"G": g_statistic, "chi-square": chi_square_statistic}


def _outcomes(n: int, k: int) -> Iterator[tuple[int, ...]]:
    """Walk through all ways to put n outputs into k categories."""
    if k == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in _outcomes(n - first, k - 1):
            yield (first, *rest)


def _probabilities(outcomes: Floats, q: Floats) -> Floats:
    from scipy.special import gammaln  # slow to import

    n = outcomes.sum(axis=1)
    logs = gammaln(n + 1) - gammaln(outcomes + 1).sum(axis=1) + outcomes @ np.log(q)
    chances: Floats = np.exp(logs)
    return chances
