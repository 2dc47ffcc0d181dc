"""Lists with holes to numpy arrays: None becomes NaN, −1 or a row of zeros, never a number that says something."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]


def encode(names: Sequence[str | None]) -> tuple[tuple[str, ...], Codes]:
    """Return the different names in the order of their first appearance, and (n,) codes; −1 for None."""
    index: dict[str, int] = {}
    codes = [-1 if name is None else index.setdefault(name, len(index)) for name in names]
    return tuple(index), np.array(codes, dtype=np.int32)


def numbers(values: Sequence[Any] | Floats | None, n: int) -> Floats:
    """Return (n,) numbers; NaN for None, and everywhere if there are no values."""
    if isinstance(values, np.ndarray):
        return values
    if values is None:
        return np.full(n, np.nan)
    return np.fromiter((np.nan if value is None else value for value in values), dtype=np.float64, count=n)


def matrix(rows: Sequence[Mapping[str, float] | None] | Floats | None, names: tuple[str, ...], n: int) -> Floats:
    """Return (n, names) numbers of rows that map names to numbers; NaN for what is not there."""
    if isinstance(rows, np.ndarray):
        return rows
    filled = np.full((n, len(names)), np.nan)
    known = set().union(*filter(None, rows)) if rows is not None else set()
    found = tuple(name for name in names if name in known)
    if rows is None or not found:
        return filled
    flat = chain.from_iterable(map(_reader(found), rows))
    columns = [names.index(name) for name in found]
    filled[:, columns] = np.fromiter(flat, dtype=np.float64, count=n * len(found)).reshape(n, len(found))
    return filled


def _reader(names: tuple[str, ...]) -> Callable[[Mapping[str, float] | None], tuple[float, ...]]:
    """Return a function from a row to its numbers: the quick way for a row that has them all, as nearly all do."""
    nothing = (np.nan,) * len(names)
    every = itemgetter(*names) if len(names) > 1 else lambda row: (row[names[0]],)

    def read(row: Mapping[str, float] | None) -> tuple[float, ...]:
        if row is None:
            return nothing
        try:
            numbers: tuple[float, ...] = every(row)
        except KeyError:
            return tuple(row.get(name, np.nan) for name in names)
        return numbers

    return read


def vectors(rows: Sequence[NDArray[np.float32] | None] | NDArray[np.float32] | None) -> NDArray[np.float32] | None:
    """Return (n, d) vectors, NaN rows for None; None if there is no vector at all. A matrix is used as it is."""
    if rows is None:
        return None
    if isinstance(rows, np.ndarray):
        return None if np.isnan(rows[:, 0]).all() else rows
    width = next((len(row) for row in rows if row is not None), None)
    if width is None:
        return None
    filled = np.full((len(rows), width), np.nan, dtype=np.float32)
    for i, row in enumerate(rows):
        if row is not None:
            filled[i] = row
    return filled


def detections(
    rows: Iterable[Mapping[str, Mapping[str, float]] | None],
) -> tuple[dict[str, tuple[str, ...]], dict[str, Floats]]:
    """Return attribute to labels seen, and attribute to (n, labels) weights, 0 where a label was not detected."""
    found = list(rows)
    seen: dict[str, dict[str, int]] = {}
    for row in filter(None, found):
        for attribute, weights in row.items():
            labels = seen.setdefault(attribute, {})
            for label in weights:
                labels.setdefault(label, len(labels))
    detected = {attribute: np.zeros((len(found), len(labels))) for attribute, labels in seen.items()}
    for i, each in enumerate(found):
        for attribute, weights in (each or {}).items():
            for label, weight in weights.items():
                detected[attribute][i, seen[attribute][label]] = weight
    return {attribute: tuple(labels) for attribute, labels in seen.items()}, detected
