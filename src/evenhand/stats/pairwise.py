"""Means over all pairs, without forming the pairs. Rows with a group code in, one number per group out."""

import numpy as np
from numpy.typing import NDArray

from evenhand.stats.divergence import unit_rows

Floats = NDArray[np.float64]
Codes = NDArray[np.integer]

_CHUNK = 256  # rows at a time: what fits the processor's cache is many times faster than one large copy


def unit_sums(vectors: NDArray[np.floating], rows: Codes, group: Codes, n_groups: int) -> Floats:
    """Sum the unit vectors of each group.

    Parameters
    ----------
    vectors
        Shape (n, d), rows of any non-zero length.
    rows
        Rows of `vectors` to use, shape (m,).
    group
        Code of each used row in 0 … `n_groups` − 1, shape (m,).

    Returns
    -------
    ndarray
        Shape (n_groups, d); zero for a group without rows.

    Raises
    ------
    ValueError
        If a used row is zero or not finite.
    """
    sums = np.zeros((n_groups, vectors.shape[1]))
    order = np.argsort(group, kind="stable")
    for start in range(0, len(order), _CHUNK):
        part = order[start : start + _CHUNK]
        unit = unit_rows(vectors[rows[part]])
        codes = group[part]
        first = np.flatnonzero(np.r_[True, codes[1:] != codes[:-1]])
        sums[codes[first]] += np.add.reduceat(unit, first, axis=0)
    return sums


def cosine_between(sums: Floats, n: Codes, a: Codes, b: Codes) -> Floats:
    """Mean cosine distance between groups `a[i]` and `b[i]`, over every pair of one row from each.

    Parameters
    ----------
    sums, n
        Sums of unit vectors (n_groups, d) and rows of each group (n_groups,).
    a, b
        Codes of the groups to compare, shape (m,).

    Returns
    -------
    ndarray
        Shape (m,), in [0, 2]; NaN where a group has no row.
    """
    dots = np.empty(len(a))
    for start in range(0, len(a), _CHUNK):
        part = slice(start, start + _CHUNK)
        dots[part] = np.einsum("ij,ij->i", sums[a[part]], sums[b[part]])
    return np.clip(1 - _per(dots, n[a].astype(np.float64) * n[b]), 0.0, 2.0)


def cosine_within(sums: Floats, n: Codes) -> Floats:
    """Mean cosine distance over the pairs of different rows of each group.

    Returns
    -------
    ndarray
        Shape (n_groups,), in [0, 2]; NaN for a group with fewer than two rows.
    """
    size = n.astype(np.float64)
    dots = np.einsum("ij,ij->i", sums, sums) - size  # each unit row's product with itself is 1
    return np.clip(1 - _per(dots, size * (size - 1)), 0.0, 2.0)


def absolute_differences(
    x: Floats, stratum: Codes, is_base: NDArray[np.bool_], group: Codes, n_groups: int
) -> tuple[Floats, Floats]:
    """Mean absolute differences, between each group and the base rows of its stratum, and within each group.

    Parameters
    ----------
    x
        Shape (m,), no NaN.
    stratum
        Code of what is compared with what, shape (m,); a group lies in one stratum.
    is_base
        Rows that the other groups of their stratum are compared with, shape (m,).
    group
        Code of each row's group, shape (m,).

    Returns
    -------
    between
        Shape (n_groups,), over every pair of a base row and a row of the group; NaN for base groups, groups without
        rows, and strata without base rows.
    within
        Shape (n_groups,), over the pairs of different rows; NaN for a group with fewer than two rows.

    Notes
    -----
    O(m log m): sorted once, then everything is counts and sums of what lies below.
    """
    by_number = np.argsort(x)
    between = _between(x, stratum, is_base, group, n_groups, order=_grouped(by_number, stratum))
    return between, _within(x, group, n_groups, order=_grouped(by_number, group))


def cosine_to_labels(unit: Floats, label: Codes, n_labels: int) -> Floats:
    """Add up the cosine distances of each row to the rows of each label.

    Parameters
    ----------
    unit
        (m, d) rows of length 1.
    label
        (m,) in 0 … `n_labels` − 1.

    Returns
    -------
    ndarray
        (m, n_labels); the distance of a row to itself is 0.
    """
    one_hot = np.eye(n_labels)[label]
    totals: Floats = one_hot.sum(axis=0) - unit @ (one_hot.T @ unit).T
    return np.maximum(totals, 0.0)


def absolute_to_labels(x: Floats, label: Codes, n_labels: int) -> Floats:
    """Add up the absolute differences of each number to the numbers of each label; shapes as `cosine_to_labels`.

    Notes
    -----
    O(m log m) per label: each label is sorted once, and what lies below a number is counted and summed.
    """
    totals = np.empty((len(x), n_labels))
    for code in range(n_labels):
        own = np.sort(x[label == code])
        sums = np.concatenate([[0.0], np.cumsum(own)])
        below = np.searchsorted(own, x)
        totals[:, code] = x * (2 * below - len(own)) + sums[-1] - 2 * sums[below]
    return np.maximum(totals, 0.0)


def _between(
    x: Floats, stratum: Codes, is_base: NDArray[np.bool_], group: Codes, n_groups: int, *, order: Codes
) -> Floats:
    """Add for each number its distance to the base numbers below it and above it."""
    x, stratum, is_base, group = x[order], stratum[order], is_base[order], group[order]
    n_strata = int(stratum.max()) + 1 if len(stratum) else 0
    base_n = np.bincount(stratum[is_base], minlength=n_strata)
    base_sum = np.bincount(stratum[is_base], weights=x[is_base], minlength=n_strata)
    n_before, sum_before = np.cumsum(base_n) - base_n, np.cumsum(base_sum) - base_sum
    below_n = np.cumsum(is_base) - n_before[stratum]
    below_sum = np.cumsum(np.where(is_base, x, 0.0)) - sum_before[stratum]
    total = x * (2 * below_n - base_n[stratum]) + base_sum[stratum] - 2 * below_sum
    mean = _per(total, base_n[stratum])
    rows = ~is_base
    size = np.bincount(group[rows], minlength=n_groups)
    return np.maximum(_per(np.bincount(group[rows], weights=mean[rows], minlength=n_groups), size), 0.0)


def _within(x: Floats, group: Codes, n_groups: int, *, order: Codes) -> Floats:
    """Add the number of rank k (from 0) k times, and subtract it n − 1 − k times."""
    x, group = x[order], group[order]
    n = np.bincount(group, minlength=n_groups)
    rank = np.arange(len(x)) - (np.cumsum(n) - n)[group]
    total = np.bincount(group, weights=x * (2 * rank - n[group] + 1), minlength=n_groups)
    return np.maximum(_per(total, n * (n - 1) / 2), 0.0)


def _grouped(by_number: Codes, code: Codes) -> Codes:
    """Order rows by code, and by number within a code: np.lexsort((x, code)) in less than half its time."""
    codes = code[by_number]
    if len(codes) and codes.max() < 2**16:
        codes = codes.astype(np.uint16)  # numpy sorts 16-bit numbers by counting
    return by_number[np.argsort(codes, kind="stable")]


def _per(total: Floats | Codes, count: Floats | Codes) -> Floats:
    """Divide, with NaN where there is nothing to divide by."""
    mean: Floats = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
    return mean
