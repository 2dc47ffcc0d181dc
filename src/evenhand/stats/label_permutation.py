"""Labels permuted within blocks: what the groups of each block would have got had the labels meant nothing."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CHUNK = 4_000_000
"""Labels held at once: 4 MB as labels, 16 MB as the 0 and 1 of one group."""

Floats32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PermutedSums:
    """Sums over the rows of each group, for b blocks that have the same number of rows in each group.

    Attributes
    ----------
    blocks
        (b,) codes.
    sums
        (b, 1 + draws, groups, columns); the first draw is what was observed.
    """

    blocks: NDArray[np.int64]
    sums: Floats32


def permuted_sums(
    columns: Floats32,
    cell: NDArray[np.integer],
    *,
    shape: tuple[int, int],
    draws: int,
    rng: np.random.Generator,
) -> Iterator[PermutedSums]:
    """Permute the group labels of the rows of each block, and add up the columns by group.

    Parameters
    ----------
    columns
        (n, columns), without NaN. Values are best centred within blocks, as sums are in single precision.
    cell
        (n,) block · groups + group.
    shape
        Blocks and groups. A block without rows comes in no batch.
    draws
        Permutations, at least 1; independent between blocks.

    Yields
    ------
    PermutedSums
        Blocks in batches; every block with rows once.

    Notes
    -----
    Whole rows are permuted, so whatever belongs to one row stays together: an answer that was refused takes its
    missing length along. The number of rows of each group is that of the data (Good 2005, Permutation, Parametric and
    Bootstrap Tests of Hypotheses, 3rd ed., ch. 6: blocked designs).
    """
    n_blocks, n_groups = shape
    order = np.argsort(cell, kind="stable")
    sizes = np.bincount(cell, minlength=n_blocks * n_groups).reshape(shape)
    ends = np.cumsum(sizes.sum(axis=1))
    patterns, which = np.unique(sizes, axis=0, return_inverse=True)
    for place, pattern in enumerate(patterns):
        rows = int(pattern.sum())
        if not rows:
            continue
        blocks = np.flatnonzero(which.reshape(-1) == place)
        step = max(1, CHUNK // ((draws + 1) * rows))
        for start in range(0, len(blocks), step):
            batch = blocks[start : start + step]
            inside = order[ends[batch][:, None] - rows + np.arange(rows)]
            yield PermutedSums(blocks=batch, sums=_sums(columns[inside], pattern, draws, rng))


def _sums(x: Floats32, pattern: NDArray[np.integer], draws: int, rng: np.random.Generator) -> Floats32:
    """Turn (b, rows, columns) sorted by group into (b, 1 + draws, groups, columns)."""
    blocks, rows, width = x.shape
    kind = np.int8 if len(pattern) < 128 else np.int32
    labels = np.tile(np.repeat(np.arange(len(pattern), dtype=kind), pattern), (blocks, draws + 1, 1))
    permuted = labels[:, 1:].reshape(-1, rows)
    labels[:, 1:] = rng.permuted(permuted, axis=1).reshape(blocks, draws, rows)
    sums = np.empty((blocks, draws + 1, len(pattern), width), dtype=np.float32)
    for group in range(len(pattern) - 1):
        sums[:, :, group] = (labels == group).astype(np.float32) @ x
    sums[:, :, -1] = x.sum(axis=1)[:, None] - sums[:, :, :-1].sum(axis=2)
    return sums
