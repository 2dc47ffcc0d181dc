"""Rows of output tables: taken out, and put under one another."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.core.table import Codes, Floats, OutputTable

Rows = NDArray[np.intp]

_PER_ROW = (
    "scenario",
    "attribute",
    "value",
    "replicate",
    "answered",
    "blocked",
    "empty",
    "refusal",
    "words",
    "toxicity",
    "toxicity_masked",
    "sentiment",
    "sentiment_masked",
    "harms",
    "helpfulness",
    "detection_judged",
)
_NAMED = (("scenario", "scenario_ids"), ("attribute", "attributes"), ("value", "values"))
_VECTORS = ("embedding", "embedding_masked")
_OBJECTS = ("outcomes", "prompts", "request_ids")


def take(table: OutputTable, rows: Rows, *, replicate: Codes | None = None) -> OutputTable:
    """Return some rows of `table`, in the order of `rows`; names that no row uses any more are kept.

    Parameters
    ----------
    replicate
        Replaces the replicate numbers, (len(rows),).
    """
    columns: dict[str, Any] = {name: getattr(table, name)[rows] for name in _PER_ROW}
    for name in _VECTORS:
        vectors = getattr(table, name)
        columns[name] = None if vectors is None else vectors[rows]
    places = rows.tolist()
    for name in _OBJECTS:
        objects = getattr(table, name)
        columns[name] = [objects[i] for i in places]
    for name in ("could_not_judge", "extra"):
        noted = getattr(table, name)
        columns[name] = {row: noted[i] for row, i in enumerate(places) if i in noted} if noted else {}
    if replicate is not None:
        columns["replicate"] = replicate
    return replace(table, **columns, detected={a: weights[rows] for a, weights in table.detected.items()})


def stacked(first: OutputTable, second: OutputTable) -> OutputTable:
    """Return the rows of both, those of `first` on top, under names that both share."""
    columns: dict[str, Any] = {name: np.concatenate([getattr(first, name), getattr(second, name)]) for name in _PER_ROW}
    for codes, names in _NAMED:
        union = tuple(dict.fromkeys((*getattr(first, names), *getattr(second, names))))
        columns[names] = union
        columns[codes] = np.concatenate([_recoded(table, codes, names, union) for table in (first, second)])
    for name in _VECTORS:
        columns[name] = _vectors(getattr(first, name), getattr(second, name), len(first), len(second))
    for name in _OBJECTS:
        columns[name] = [*getattr(first, name), *getattr(second, name)]
    for name in ("could_not_judge", "extra"):
        below = {row + len(first): noted for row, noted in getattr(second, name).items()}
        columns[name] = {**getattr(first, name), **below}
    labels = _labels(first, second)
    detected = {a: np.concatenate([_weights(first, a, labels[a]), _weights(second, a, labels[a])]) for a in labels}
    return OutputTable(**columns, detected_labels=labels, detected=detected)


def _recoded(table: OutputTable, codes: str, names: str, union: Sequence[str]) -> Codes:
    place = {name: i for i, name in enumerate(union)}
    new = np.array([*(place[name] for name in getattr(table, names)), -1], dtype=np.int32)  # −1 stays −1
    recoded: Codes = new[getattr(table, codes)]
    return recoded


def _vectors(
    first: NDArray[np.float32] | None, second: NDArray[np.float32] | None, n_first: int, n_second: int
) -> NDArray[np.float32] | None:
    width = next((v.shape[1] for v in (first, second) if v is not None), None)
    if width is None:
        return None
    parts = [
        np.full((n, width), np.nan, dtype=np.float32) if vectors is None else vectors
        for vectors, n in ((first, n_first), (second, n_second))
    ]
    return np.concatenate(parts)


def _labels(first: OutputTable, second: OutputTable) -> dict[str, tuple[str, ...]]:
    found = dict.fromkeys((*first.detected_labels, *second.detected_labels))
    tables = (first, second)
    return {a: tuple(dict.fromkeys(k for t in tables for k in t.detected_labels.get(a, ()))) for a in found}


def _weights(table: OutputTable, attribute: str, labels: Sequence[str]) -> Floats:
    weights = np.zeros((len(table), len(labels)))
    if attribute in table.detected:
        columns = [labels.index(label) for label in table.detected_labels[attribute]]
        weights[:, columns] = table.detected[attribute]
    return weights
