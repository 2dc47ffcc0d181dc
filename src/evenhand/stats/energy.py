"""Distances between groups of rows: how much further apart than rows of one group, and what chance alone would give.

The excess of a group is its mean distance to the base rows, less half the mean distances within both: half the energy
distance of the two, as a U-statistic. Its expectation is 0 if base and group have one law, whatever that law.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Labels = NDArray[np.integer]

CHUNK = 4_000_000
"""Labels held at once: 8 MB as labels, 16 MB as the 0 and 1 of one group."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Projections:
    """Mean distances between a base group and others, and the first-order variances of any weighted mean of them.

    Attributes
    ----------
    between, excess
        (groups,) mean distance to the base rows, and the same above half the mean distances within base and group.
    base_between, base_excess
        (groups, groups) covariances that the base rows bring into either, being shared by all groups.
    own_between, own_excess
        (groups,) variance that each group's own rows bring.
    rows
        (1 + groups,) rows of base and groups.
    """

    between: Floats
    excess: Floats
    base_between: Floats
    base_excess: Floats
    own_between: Floats
    own_excess: Floats
    rows: NDArray[np.int64]


def projections(means: Floats, label: Labels) -> Projections:
    """Project the distances of one block on its rows.

    Parameters
    ----------
    means
        (m, 1 + groups) mean distance of each row to the other rows of each label, as `label_means`.
    label
        (m,) 0 for base rows, 1 … groups otherwise; every label on two rows at least.

    Notes
    -----
    Székely and Rizzo (2013), J. Stat. Plan. Inference 143:1249-1272, as a U-statistic. Projections: Hoeffding (1948),
    Ann. Math. Stat. 19:293-325.
    """
    groups = means.shape[1] - 1
    rows = [np.flatnonzero(label == g) for g in range(groups + 1)]
    own = [means[rows[g], g] for g in range(groups + 1)]  # to the other rows of the same label
    to_groups = means[rows[0], 1:]
    to_base = [means[rows[g], 0] for g in range(1, groups + 1)]
    within = np.array([each.mean() for each in own])
    between = to_groups.mean(axis=0)
    return Projections(
        between=between,
        excess=between - (within[0] + within[1:]) / 2,
        base_between=_covariance(to_groups),
        base_excess=_covariance(to_groups - own[0][:, None]),
        own_between=np.array([_variance(b) for b in to_base]),
        own_excess=np.array([_variance(b - w) for b, w in zip(to_base, own[1:], strict=True)]),
        rows=np.array([len(each) for each in rows]),
    )


def _covariance(x: Floats) -> Floats:
    """Of the means of the columns of (n, groups) rows."""
    centred = x - x.mean(axis=0)
    covariance: Floats = centred.T @ centred / ((len(x) - 1) * len(x))
    return covariance


def _variance(x: Floats) -> float:
    """Of the mean of (n,) numbers."""
    centred = x - x.mean()
    return float(centred @ centred) / ((len(x) - 1) * len(x))


def label_means(distance: Floats32, label: Labels, groups: int) -> Floats:
    """Average the distances of each row to the other rows of each label.

    Parameters
    ----------
    distance
        (m, m), symmetric, 0 on the diagonal.
    label, groups
        (m,) labels 0 … `groups`, each on two rows at least.

    Returns
    -------
    ndarray
        (m, 1 + groups); a row is no pair with itself.
    """
    one_hot = np.eye(groups + 1, dtype=np.float32)[label]
    return per_pair((distance @ one_hot).astype(np.float64), label)


def per_pair(sums: Floats, label: Labels) -> Floats:
    """Divide (m, 1 + groups) sums over the rows of each label by the rows there are beside the row itself."""
    n = np.bincount(label, minlength=sums.shape[1])
    own = np.arange(len(label)), label
    means: Floats = sums / n
    means[own] = sums[own] / (n[label] - 1)
    return means


def permuted_excess(
    distance: Floats32, label: Labels, groups: int, *, draws: int, rng: np.random.Generator
) -> Floats32:
    """Permute the labels of a block, and compute the excess of every group.

    Parameters
    ----------
    distance, label, groups
        As for `label_means`.
    draws
        Permutations. All rows of the block are exchanged, so groups of one block stay as dependent as they are.

    Returns
    -------
    ndarray
        (1 + draws, groups); the first row is what was observed.

    Notes
    -----
    Exact for exchangeable rows: Good (2005), Permutation, Parametric and Bootstrap Tests of Hypotheses, 3rd ed., ch. 6.
    """
    m = len(label)
    step = max(1, CHUNK // m)
    found = []
    for start in range(0, draws + 1, step):
        size = min(step, draws + 1 - start)
        labels = np.tile(label.astype(np.int16), (size, 1))
        free = labels[1:] if start == 0 else labels
        free[:] = rng.permuted(free, axis=1)
        found.append(_excess(distance, labels, groups))
    return np.concatenate(found)


def null_scale(rows: Labels, fewer: Labels) -> Floats:
    """How much wider the excess scatters with fewer rows, if all labels mean the same.

    Parameters
    ----------
    rows, fewer
        (1 + groups,) rows of each label, 2 at least; the base first.

    Returns
    -------
    ndarray
        (groups,) standard deviation with `rows` as a share of that with `fewer`.

    Notes
    -----
    The variance of a degenerate U-statistic goes with the sum over its kinds of pairs of 1 / their number (Hoeffding
    1948).
    """
    scale: Floats = np.sqrt(_pairs(np.asarray(rows, float)) / _pairs(np.asarray(fewer, float)))
    return scale


def _pairs(n: Floats) -> Floats:
    found: Floats = 1 / (n[0] * (n[0] - 1)) + 1 / (n[1:] * (n[1:] - 1)) + 2 / (n[0] * n[1:])
    return found


def _excess(distance: Floats32, labels: Labels, groups: int) -> Floats32:
    """(draws, m) labels to (draws, groups)."""
    n = np.bincount(labels[0], minlength=groups + 1)
    base = (labels == 0).astype(np.float32)
    to_base = base @ distance
    within_base = np.einsum("dm,dm->d", to_base, base) / (n[0] * (n[0] - 1))
    excess = np.empty((len(labels), groups), dtype=np.float32)
    for group in range(1, groups + 1):
        own = (labels == group).astype(np.float32)
        between = np.einsum("dm,dm->d", to_base, own) / (n[0] * n[group])
        within = np.einsum("dm,dm->d", own @ distance, own) / (n[group] * (n[group] - 1))
        excess[:, group - 1] = between - (within_base + within) / 2
    return excess
