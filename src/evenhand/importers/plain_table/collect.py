"""The definitional way: every row is checked, kept as codes, and counted by sorting. Slow, and names what is wrong."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evenhand.core.detections import STATUSES, Counts, DecisionStatus
from evenhand.importers.plain_table import words
from evenhand.importers.plain_table.cells import NEVER, Cells
from evenhand.importers.plain_table.layout import Layout
from evenhand.importers.plain_table.problems import Problems

Row = tuple[int, Sequence[object]]
"""Line or row number, and the values in the order of the header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRows:
    """Columns that were recognised, and the rows below them."""

    layout: Layout
    rows: Iterable[Row]


_JUDGED = STATUSES.index("judged")
_ERROR = STATUSES.index("error")


@dataclass(slots=True)
class _Trace:
    code: int
    vector: str
    replicate: int | None
    at: int


@dataclass(slots=True)
class Collected:
    """What was read so far, as columns of codes.

    Attributes
    ----------
    rows
        That have a place.
    spoilt
        Codes of traces that are left out as a whole.
    """

    traces: dict[str, _Trace] = field(default_factory=dict)
    attributes: dict[str, int] = field(default_factory=dict)
    trace: "array[int]" = field(default_factory=lambda: array("q"))
    turn: "array[int]" = field(default_factory=lambda: array("q"))
    attribute: "array[int]" = field(default_factory=lambda: array("q"))
    value: "array[int]" = field(default_factory=lambda: array("b"))
    status: "array[int]" = field(default_factory=lambda: array("b"))
    at: "array[int]" = field(default_factory=lambda: array("q"))
    spoilt: set[int] = field(default_factory=set)
    rows: int = 0


def collect(rows: Iterable[Row], layout: Layout, problems: Problems) -> Collected:
    """Check every row.

    A row whose place is known but whose decision is not stays, as missing: ``unparsed``, or ``error`` where decision
    and status contradict each other. A row without a place is left out, and so is a trace of two vectors.

    Raises
    ------
    DataError
        At the first problem, unless problems are to be reported.
    """
    into = Collected()
    for name in layout.attributes:
        into.attributes[name] = len(into.attributes)
    for at, values in rows:
        _add(at, values, layout, into, problems)
    return into


def counted(collected: Collected, problems: Problems) -> tuple[Cells, int]:
    """Count the rows by trace and attribute; also return how many rows were copies of a place.

    Of a place with several rows none is picked: it is missing, with status ``error``.
    """
    traces, trace_rank = _ranked({name: each.code for name, each in collected.traces.items()}, collected.spoilt)
    attributes, attribute_rank = _ranked(collected.attributes, set())
    trace = trace_rank[_counts(collected.trace)]
    kept = np.flatnonzero(trace >= 0)
    order = kept[
        np.lexsort((_counts(collected.attribute)[kept], _counts(collected.turn)[kept], trace[kept]))
    ]  # stable: of equal places the earlier row stays first
    trace, turn = trace[order], _counts(collected.turn)[order]
    attribute = attribute_rank[_counts(collected.attribute)[order]]
    value = np.frombuffer(collected.value, dtype=np.int8)[order] if len(collected.value) else np.zeros(0, np.int8)
    status = np.frombuffer(collected.status, dtype=np.int8)[order] if len(collected.status) else np.zeros(0, np.int8)

    new_turn = _starts(trace, turn)
    new_cell = new_turn | _starts(attribute)
    _name_copies(collected, order, new_cell, problems)
    group = np.cumsum(new_cell) - 1
    copies = np.bincount(group, minlength=0) > 1
    value, status = value[new_cell].copy(), status[new_cell].copy()
    value[copies], status[copies] = -1, _ERROR

    shape = len(traces), len(attributes)
    places = trace[new_cell], attribute[new_cell]
    rows, judged = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    first_turn = np.full(shape, NEVER, dtype=np.int64)
    np.add.at(rows, places, 1)
    np.add.at(judged, places, (value >= 0).astype(np.int64))
    np.minimum.at(first_turn, places, np.where(value == 1, turn[new_cell], NEVER))
    by_name = {name: each.vector for name, each in collected.traces.items()}
    vectors = sorted({by_name[name] for name in traces})
    code = {name: place for place, name in enumerate(vectors)}
    tally = np.bincount(status, minlength=len(STATUSES))
    cells = Cells(
        traces=traces,
        attributes=attributes,
        vectors=vectors,
        vector=np.array([code[by_name[name]] for name in traces], dtype=np.int64),
        n_turns=np.bincount(trace[new_turn], minlength=len(traces)).astype(np.int64),
        rows=rows,
        judged=judged,
        first_turn=first_turn,
        statuses={name: int(count) for name, count in zip(STATUSES, tally, strict=True) if count},
    )
    return cells, int(len(order) - new_cell.sum() + copies.sum())


def _add(at: int, values: Sequence[object], layout: Layout, into: Collected, problems: Problems) -> None:
    place = layout.place
    column = 0

    def cell(word: str) -> object:
        nonlocal column  # where an error is
        column = place[word]
        return values[column]

    try:
        trace = _named(words.text(cell("trace")), "this row names no trace")
        turn = words.turn(cell("turn"))
        attributes = layout.attributes or {_named(words.text(cell("attribute")), "this row names no attribute"): -1}
        vector = words.text(cell("vector")) if "vector" in place else ""
        replicate = words.replicate(cell("replicate")) if "replicate" in place else None
    except words.Unreadable as error:
        problems.lose(str(error), at, layout.names[column], values[column])
        return
    into.rows += 1
    code = _trace(at, trace, vector, replicate, into, problems)
    decided = _decided(at, values, layout, attributes, problems)
    for name, (value, status) in zip(attributes, decided, strict=True):
        into.trace.append(code)
        into.turn.append(turn)
        into.attribute.append(into.attributes.setdefault(name, len(into.attributes)))
        into.value.append(-1 if value is None else int(value))
        into.status.append(status)
        into.at.append(at)


def _trace(at: int, name: str, vector: str, replicate: int | None, into: Collected, problems: Problems) -> int:
    known = into.traces.get(name)
    if known is None:
        into.traces[name] = _Trace(code=len(into.traces), vector=vector, replicate=replicate, at=at)
        return len(into.traces) - 1
    there = f"in {'line' if problems.has_lines else 'row'} {known.at}"
    if known.vector != vector:
        into.spoilt.add(known.code)
        said = f"trace {name!r} follows the vector {known.vector!r} {there} and {vector!r} here; a conversation has one"
        problems.add(said, at, "vector", vector)
    elif known.replicate != replicate:
        into.spoilt.add(known.code)
        said = (
            f"trace {name!r} is replicate {_shown(known.replicate)} {there} and {_shown(replicate)} here; "
            "every conversation needs a trace name of its own"
        )
        problems.add(said, at, "replicate", replicate)
    return known.code


def _decided(
    at: int, values: Sequence[object], layout: Layout, attributes: dict[str, int], problems: Problems
) -> list[tuple[bool | None, int]]:
    """Return value and status code per attribute of the row."""
    said: DecisionStatus | None = None
    is_known = True
    if "status" in layout.place:
        raw = values[layout.place["status"]]
        try:
            said = words.status(raw)
        except words.Unreadable as error:
            is_known = False
            problems.add(str(error), at, layout.names[layout.place["status"]], raw)
    found = [_decision(at, values, layout, column, said, problems, is_known=is_known) for column in attributes.values()]
    is_idle = layout.form == "wide" and said not in (None, "judged") and all(v is not None for v, _ in found)
    if is_idle:
        problems.add(f"the status is {said!r}, and every decision of the row is there", at, "status", said)
        return [(None, _ERROR)] * len(found)
    return found


def _decision(
    at: int,
    values: Sequence[object],
    layout: Layout,
    column: int,
    said: DecisionStatus | None,
    problems: Problems,
    *,
    is_known: bool,
) -> tuple[bool | None, int]:
    column = layout.place["decision"] if column < 0 else column
    name, raw = layout.names[column], values[column]
    try:
        value = words.decision(raw)
    except words.Unreadable as error:
        problems.add(str(error), at, name, raw)
        return None, STATUSES.index("unparsed")
    if not is_known:
        return None, _ERROR
    if value is None and said == "judged":
        problems.add("the status is 'judged', and there is no decision", at, name, raw)
        return None, _ERROR
    if value is not None and said not in (None, "judged") and layout.form == "long":
        problems.add(f"the status is {said!r}, and yet there is a decision", at, name, raw)
        return None, _ERROR
    return value, STATUSES.index(said or "unscored") if value is None else _JUDGED


def _named(name: str, complaint: str) -> str:
    if not name:
        raise words.Unreadable(complaint)
    return name


def _name_copies(collected: Collected, order: Counts, new_cell: NDArray[np.bool_], problems: Problems) -> None:
    copies = np.flatnonzero(~new_cell)
    if not len(copies):
        return
    starts = np.flatnonzero(new_cell)
    first = starts[np.searchsorted(starts, copies) - 1]
    traces, attributes = list(collected.traces), list(collected.attributes)
    word = "line" if problems.has_lines else "row"
    named: set[int] = set()
    for place in np.argsort(order[copies], kind="stable").tolist():  # in the order of the file
        row, earlier = int(order[copies[place]]), int(order[first[place]])
        at = collected.at[row]
        if at in named:  # a wide row that repeats a turn is one problem, not one per attribute
            continue
        named.add(at)
        trace, attribute = traces[collected.trace[row]], attributes[collected.attribute[row]]
        said = (
            f"trace {trace!r} has a second decision on {attribute!r} in turn {collected.turn[row]}; "
            f"the first is in {word} {collected.at[earlier]}"
        )
        problems.add(said, at, "turn")


def _ranked(codes: dict[str, int], without: set[int]) -> tuple[list[str], Counts]:
    """Return the names in rising order, and the place of each code among them; −1 for those left out."""
    names = sorted(name for name, code in codes.items() if code not in without)
    rank = np.full(len(codes), -1, dtype=np.int64)
    for place, name in enumerate(names):
        rank[codes[name]] = place
    return names, rank


def _starts(*columns: Counts) -> NDArray[np.bool_]:
    """Mark the rows at which any of the sorted columns changes."""
    found = np.ones(len(columns[0]), dtype=bool)
    found[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return found


def _counts(column: "array[int]") -> Counts:
    return np.frombuffer(column, dtype=np.int64) if len(column) else np.zeros(0, dtype=np.int64)


def _shown(replicate: int | None) -> str:
    return "(none)" if replicate is None else str(replicate)
