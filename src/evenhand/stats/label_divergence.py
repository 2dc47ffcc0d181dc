"""Divergence between what two samples show, if both came from one law: samples of labels in, mean and p-value out."""

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from evenhand.stats.divergence import jsd_bits

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

MOST_OUTCOMES = 5_000
"""More ways to divide the labels than this are drawn and not enumerated."""
SAME = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class OneLaw:
    """What two samples of these sizes would show if labels meant nothing.

    Attributes
    ----------
    expected
        Mean divergence, in bits.
    p_value
        Mid-p of a divergence as large as the one observed, in (0, 1].
    exact
        Whether all divisions were enumerated.
    """

    expected: float
    p_value: float
    exact: bool


def one_law(base: Counts, group: Counts, shares: Floats, *, draws: int, rng: np.random.Generator) -> OneLaw:
    """Divide the outputs of two samples between them anew, in every way or at random.

    Parameters
    ----------
    base, group
        (T,) outputs of each kind; neither all 0.
    shares
        (T, K) what one output of a kind shows, each row summing to 1: (1, 0), or (½, ½) where it shows two people.
    draws
        Divisions to draw where they are too many.

    Notes
    -----
    Exact: multivariate hypergeometric, which is the law of a permutation of rows (Fisher 1935, The Design of
    Experiments, ch. 2). Mid-p: Lancaster (1961), JASA 56:223-234. If every division has the divergence observed,
    nothing could have been seen, and p is 1.

    Examples
    --------
    One A among twenty outputs falls to either side, and the divergence is the same:

    >>> import numpy as np
    >>> from evenhand.stats.label_divergence import one_law
    >>> law = one_law(np.array([1, 9]), np.array([0, 10]), np.eye(2), draws=99, rng=np.random.default_rng(0))
    >>> round(law.expected, 3), law.p_value, law.exact
    (0.052, 1.0, True)
    """
    pooled = base + group
    shown = pooled > 0
    outcomes = _divisions(pooled[shown], int(base.sum()))
    exact = outcomes is not None
    if outcomes is None:
        drawn = rng.multivariate_hypergeometric(pooled[shown], int(base.sum()), size=draws, method="marginals")
        outcomes = np.vstack([base[shown], drawn])  # the observed division is one of those that could have been drawn
        chance = np.full(len(outcomes), 1 / len(outcomes))
    else:
        chance = _chances(outcomes, pooled[shown])
    values = jsd_bits(outcomes @ shares[shown], (pooled[shown] - outcomes) @ shares[shown])
    observed = float(jsd_bits(base @ shares, group @ shares))
    same = np.abs(values - observed) <= SAME
    above = float(chance[(values > observed) & ~same].sum())
    p_value = 1.0 if same.all() else above + float(chance[same].sum()) / 2
    expected = chance @ values if exact else values[1:].mean()
    return OneLaw(expected=float(expected), p_value=p_value, exact=exact)


def _divisions(pooled: Counts, n: int) -> Counts | None:
    """List what the first of two samples, of n outputs, may get of each kind; None where that is too long a list."""
    *room, _ = (min(int(k), n) + 1 for k in pooled)
    if prod(room) > MOST_OUTCOMES:
        return None
    free = np.indices(tuple(room)).reshape(len(room), prod(room)).T
    last = n - free.sum(axis=1)
    possible = (last >= 0) & (last <= pooled[-1])
    divisions: Counts = np.column_stack([free, last])[possible].astype(np.int64)
    return divisions


def _chances(outcomes: Counts, pooled: Counts) -> Floats:
    from scipy.special import gammaln  # slow to import

    logs = -(gammaln(outcomes + 1) + gammaln(pooled - outcomes + 1)).sum(axis=1)
    weights = np.exp(logs - logs.max())
    chances: Floats = weights / weights.sum()
    return chances
