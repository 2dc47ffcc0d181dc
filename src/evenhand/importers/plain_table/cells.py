"""Counts per trace and attribute → the detection matrix. Both ways of reading end here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.core.detections import Counts, DecisionStatus, DetectionMatrix, Flags

NEVER = np.iinfo(np.int64).max
"""First turn of what did not fire, until it becomes −1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """A table, counted.

    Attributes
    ----------
    traces, attributes, vectors
        Names in rising order, so that the order of rows plays no part.
    vector, n_turns
        (N,) code into `vectors`; distinct turns.
    rows, judged
        (N, K) rows of the table; those among them with a decision.
    first_turn
        (N, K) smallest turn that fired; `NEVER` where none did.
    statuses
        Rows by status.
    """

    traces: Sequence[str]
    attributes: Sequence[str]
    vectors: Sequence[str]
    vector: Counts
    n_turns: Counts
    rows: Counts
    judged: Counts
    first_turn: Counts
    statuses: Mapping[DecisionStatus, int]


def matrix_of(cells: Cells, *, digest: str, source: Mapping[str, str]) -> DetectionMatrix:
    """Build the matrix; a turn without a row for an attribute that its vector was asked about is missing."""
    turns = np.where(asked(cells), cells.n_turns[:, None], 0)
    absent = int((turns - cells.rows).sum())
    statuses = dict(cells.statuses)
    if absent:
        statuses["absent"] = statuses.get("absent", 0) + absent
    fired: Flags = cells.first_turn < NEVER
    return DetectionMatrix(
        traces=cells.traces,
        attributes=tuple(cells.attributes),
        vectors=tuple(cells.vectors),
        vector=cells.vector,
        n_turns=cells.n_turns,
        fired=fired,
        judged=cells.judged,
        missing=turns - cells.judged,
        first_turn=np.where(fired, cells.first_turn, -1),
        statuses={status: count for status, count in statuses.items() if count},
        digest=digest,
        source=source,
    )


def asked(cells: Cells) -> Flags:
    """(N, K) whether the trace's vector has a row for the attribute in any of its traces."""
    by_vector = np.zeros((len(cells.vectors), len(cells.attributes)), dtype=bool)
    np.logical_or.at(by_vector, cells.vector, cells.rows > 0)
    found: Flags = by_vector[cells.vector]
    return found
