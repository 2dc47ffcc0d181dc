"""What lies behind the rate: which attributes fire, together or alone, at which turn. Counts, without intervals."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.core.detections import DetectionMatrix


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeCount:
    """Traces that fired on one attribute. A diagnostic: the instrument gives it no interval.

    Attributes
    ----------
    k, n
        Traces that fired on it; traces with at least one judged decision on it.
    rate
        k / n; None where n is 0.
    undetermined
        Traces among n that did not fire on it and lack a decision on it.
    unobserved
        Traces without a judged decision on it.
    """

    attribute: str
    k: int
    n: int
    rate: float | None
    undetermined: int
    unobserved: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """Traces that fired on exactly these attributes; on none, where there are none."""

    attributes: tuple[str, ...]
    count: int


def attribute_counts(matrix: DetectionMatrix) -> tuple[AttributeCount, ...]:
    """Count each attribute by itself, in the order of the matrix."""
    return tuple(_count(matrix, column) for column in range(len(matrix.attributes)))


def firing_patterns(matrix: DetectionMatrix) -> tuple[Pattern, ...]:
    """Count which attributes fire together: the most frequent first, "none" last."""
    # the bits of a row as one opaque value: sorting those is far quicker than sorting rows
    packed = np.packbits(np.pad(matrix.fired, ((0, 0), (0, 1))), axis=1)
    keys = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, places, counts = np.unique(keys, return_index=True, return_counts=True)
    found = [
        Pattern(attributes=tuple(a for a, fires in zip(matrix.attributes, row, strict=True) if fires), count=int(count))
        for row, count in zip(matrix.fired[places], counts, strict=True)
    ]
    return tuple(sorted(found, key=lambda p: (not p.attributes, -p.count, p.attributes)))


def first_turns(matrix: DetectionMatrix) -> dict[int, int]:
    """Count traces by the turn at which they first fired on any attribute; only traces that did."""
    never = np.iinfo(np.int64).max
    first = np.where(matrix.first_turn < 0, never, matrix.first_turn).min(axis=1, initial=never)
    counted: Counter[int] = Counter(first[first < never].tolist())
    return dict(sorted(counted.items()))


def decisions_per_trace(matrix: DetectionMatrix) -> tuple[int, float, int]:
    """Return the smallest, the mean and the largest number of judged decisions of an observed trace; 0 without any."""
    counts: Sequence[int] = matrix.decisions[matrix.observed].tolist()
    return (min(counts), sum(counts) / len(counts), max(counts)) if counts else (0, 0.0, 0)


def _count(matrix: DetectionMatrix, column: int) -> AttributeCount:
    fired, judged, missing = (each[:, column] for each in (matrix.fired, matrix.judged, matrix.missing))
    observed = judged > 0
    k, n = int(fired.sum()), int(observed.sum())
    return AttributeCount(
        attribute=matrix.attributes[column],
        k=k,
        n=n,
        rate=k / n if n else None,
        undetermined=int((observed & ~fired & (missing > 0)).sum()),
        unobserved=int((~observed).sum()),
    )
