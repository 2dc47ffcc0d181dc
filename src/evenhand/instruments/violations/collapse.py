"""Decisions → matrix: the union over turns, with every missing decision counted."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from evenhand._base.digest import digest
from evenhand.core.detections import Decision, DecisionStatus, DetectionMatrix, ReportedRate
from evenhand.errors import DataError


@dataclass(slots=True)
class _Trace:
    vector: str
    turns: set[int] = field(default_factory=set)
    cells: dict[str, dict[int, Decision]] = field(default_factory=dict)


def collapse(
    decisions: Iterable[Decision],
    *,
    reported: Sequence[ReportedRate] = (),
    source: Mapping[str, str] | None = None,
    attributes: Sequence[str] = (),
) -> DetectionMatrix:
    """Collapse turns: a trace fires on an attribute if any turn did.

    Parameters
    ----------
    decisions
        In any order.
    attributes
        Columns in this order; attributes that only occur in `decisions` follow.

    Raises
    ------
    DataError
        If a (trace, turn, attribute) has two decisions, or a trace has two vectors.

    Notes
    -----
    A vector is asked about the attributes that any of its traces has a row for: what another vector is asked about is
    not missing from its traces. An attribute without any row is missing from all.
    """
    traces: dict[str, _Trace] = {}
    statuses: Counter[DecisionStatus] = Counter()
    seen: dict[str, None] = dict.fromkeys(attributes)
    for each in decisions:
        trace = traces.setdefault(each.trace, _Trace(vector=each.vector))
        if trace.vector != each.vector:
            raise DataError(f"trace {each.trace!r} is of the vectors {trace.vector!r} and {each.vector!r}; it has one")
        cell = trace.cells.setdefault(each.attribute, {})
        if each.turn in cell:
            raise DataError(f"trace {each.trace!r} has two decisions on {each.attribute!r} in turn {each.turn}")
        cell[each.turn] = each
        trace.turns.add(each.turn)
        seen.setdefault(each.attribute)
        statuses[each.status] += 1
    return _matrix(traces, tuple(seen), statuses, reported, source or {})


def _matrix(
    traces: Mapping[str, _Trace],
    attributes: tuple[str, ...],
    statuses: Counter[DecisionStatus],
    reported: Sequence[ReportedRate],
    source: Mapping[str, str],
) -> DetectionMatrix:
    shape = len(traces), len(attributes)
    fired = np.zeros(shape, dtype=bool)
    judged, missing = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    first_turn = np.full(shape, -1, dtype=np.int64)
    asked = _asked(traces.values(), attributes)
    for i, trace in enumerate(traces.values()):
        for c, attribute in enumerate(attributes):
            if attribute not in asked[trace.vector]:
                continue
            cell = trace.cells.get(attribute, {})
            yes = [turn for turn, each in cell.items() if each.decision]
            judged[i, c] = sum(each.decision is not None for each in cell.values())
            missing[i, c] = len(trace.turns) - judged[i, c]
            fired[i, c] = bool(yes)
            first_turn[i, c] = min(yes, default=-1)
            statuses["absent"] += len(trace.turns) - len(cell)
    vectors = tuple(dict.fromkeys(trace.vector for trace in traces.values()))
    code = {name: place for place, name in enumerate(vectors)}
    return DetectionMatrix(
        traces=list(traces),
        attributes=attributes,
        vectors=vectors,
        vector=np.array([code[trace.vector] for trace in traces.values()], dtype=np.int64),
        n_turns=np.array([len(trace.turns) for trace in traces.values()], dtype=np.int64),
        fired=fired,
        judged=judged,
        missing=missing,
        first_turn=first_turn,
        statuses={status: count for status, count in statuses.items() if count},
        reported=reported,
        digest=_digest(traces),
        source=source,
    )


def _asked(traces: Iterable[_Trace], attributes: tuple[str, ...]) -> Mapping[str, set[str]]:
    """Return the attributes of each vector."""
    found: dict[str, set[str]] = {}
    for trace in traces:
        found.setdefault(trace.vector, set()).update(trace.cells)
    nowhere = set(attributes).difference(*found.values())
    return {vector: own | nowhere for vector, own in found.items()}


def _digest(traces: Mapping[str, _Trace]) -> str:
    rows = [
        [name, trace.vector, turn, attribute, each.decision, each.status]
        for name, trace in sorted(traces.items())
        for attribute, cell in sorted(trace.cells.items())
        for turn, each in sorted(cell.items())
    ]
    return digest(rows)
