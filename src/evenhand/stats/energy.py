"""Distances between groups of rows: how much further apart than rows of one group, and what chance alone would give."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

CHUNK = 4_000_000
"""Labels held at once."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Projections:
    """First-order parts of the distances between a base group and others, for standard errors.

    Attributes
    ----------
    between, excess
        (groups,) mean distance to the base rows, and the same above half the mean distances within base and group.
    base_between, base_excess
        (base rows, groups) what each base row adds to either, centred.
    own_between, own_excess
        Per group, (its rows,) what each of its rows adds, centred.
    """

    between: Floats
    excess: Floats
    base_between: Floats
    base_excess: Floats
    own_between: tuple[Floats, ...]
    own_excess: tuple[Floats, ...]


def projections(distance: Floats32, label: NDArray[np.integer], groups: int) -> Projections:
    """Project the distances of one block on its rows.

    Parameters
    ----------
    distance
        (m, m), symmetric, 0 on the diagonal.
    label
        (m,) 0 for base rows, 1 … `groups` otherwise; every label on two rows at least.

    Notes
    -----
    Székely and Rizzo (2013), J. Stat. Plan. Inference 143:1249-1272, as a U-statistic: the expectation of the excess is
    0 if the rows of both groups have one law. Projections: Hoeffding (1948), Ann. Math. Stat. 19:293-325.
    """
    one_hot = np.eye(groups + 1, dtype=np.float32)[label]
    sums = (distance @ one_hot).astype(np.float64)
    n = np.bincount(label, minlength=groups + 1)
    own = np.arange(len(label)), label
    means = sums / n
    means[own] = sums[own] / (n[label] - 1)
    within = np.array([means[label == g, g].mean() for g in range(groups + 1)])
    base = label == 0
    between = np.array([means[base, g].mean() for g in range(1, groups + 1)])
    base_between = means[base, 1:] - between
    base_own = (means[base, 0] - within[0])[:, None]
    own_between = tuple(means[label == g, 0] - between[g - 1] for g in range(1, groups + 1))
    own_own = tuple(means[label == g, g] - within[g] for g in range(1, groups + 1))
    return Projections(
        between=between,
        excess=between - (within[0] + within[1:]) / 2,
        base_between=base_between,
        base_excess=base_between - base_own,
        own_between=own_between,
        own_excess=tuple(b - w for b, w in zip(own_between, own_own, strict=True)),
    )


def permuted_excess(
    distance: Floats32, label: NDArray[np.integer], groups: int, *, draws: int, rng: np.random.Generator
) -> Floats32:
    """Permute the labels of a block, and compute the excess of every group.

    Parameters
    ----------
    distance, label, groups
        As for `projections`.

    Returns
    -------
    ndarray
        (1 + draws, groups); the first row is what was observed.
    """
    m = len(label)
    step = max(1, CHUNK // m)
    found = []
    for start in range(0, draws + 1, step):
        size = min(step, draws + 1 - start)
        labels = np.tile(label, (size, 1))
        free = labels[1:] if start == 0 else labels
        free[:] = rng.permuted(free, axis=1)
        found.append(_excess(distance, labels, groups))
    return np.concatenate(found)


def _excess(distance: Floats32, labels: NDArray[np.integer], groups: int) -> Floats32:
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
