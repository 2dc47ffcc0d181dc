"""Decisions of detectors: one scoring of a run after the other, each whole."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, insert, select

from evenhand.core.detections import Decision
from evenhand.core.types import RunId
from evenhand.storage import schema
from evenhand.storage.inserting import in_chunks, insert_new, stored

_COLUMNS = ("vector", "replicate", "trace", "turn", "attribute", "decision", "status", "reason")


def add(
    connection: Connection, run_id: RunId, detectors: Mapping[str, str], decisions: Sequence[Decision], scored_at: str
) -> None:
    """Insert a scoring with its decisions."""
    scoring = {"run_id": run_id, "scored_at": scored_at, "detectors": dict(detectors)}
    made = connection.execute(insert(schema.scorings), scoring)
    (scoring_id,) = made.inserted_primary_key or (None,)
    for chunk in in_chunks(decisions):
        columns: dict[str, Sequence[Any]] = dict(zip(_COLUMNS, zip(*map(_row, chunk), strict=True), strict=True))
        columns["scoring_id"] = [scoring_id] * len(chunk)
        key = ("scoring_id", "trace", "turn", "attribute")
        insert_new(connection, schema.decisions, stored(schema.decisions, columns), key=key)


def newest(connection: Connection, run_id: RunId) -> list[Decision]:
    """Return the decisions of the newest scoring, in the order saved."""
    table, scoring_id = schema.decisions.c, _newest_scoring(connection, run_id)
    if scoring_id is None:
        return []
    wanted = select(*(table[name] for name in _COLUMNS)).where(table.scoring_id == scoring_id).order_by(table.sequence)
    return [_decision(row) for row in connection.execute(wanted)]


def detectors(connection: Connection, run_id: RunId) -> dict[str, str]:
    """Return the detectors of the newest scoring, name to version; empty if there is none."""
    scoring_id = _newest_scoring(connection, run_id)
    if scoring_id is None:
        return {}
    found: dict[str, str] = connection.execute(
        select(schema.scorings.c.detectors).where(schema.scorings.c.sequence == scoring_id)
    ).scalar_one()
    return found


def _newest_scoring(connection: Connection, run_id: RunId) -> int | None:
    table = schema.scorings.c
    wanted = select(table.sequence).where(table.run_id == run_id).order_by(table.sequence.desc()).limit(1)
    return connection.scalar(wanted)


def _row(each: Decision) -> tuple[Any, ...]:
    decided = None if each.decision is None else int(each.decision)
    return each.vector, each.replicate, each.trace, each.turn, each.attribute, decided, each.status, each.reason


def _decision(row: Any) -> Decision:  # Any: a SQLAlchemy row of `_COLUMNS`
    vector, replicate, trace, turn, attribute, decided, status, reason = row
    return Decision(
        trace=trace,
        turn=turn,
        attribute=attribute,
        decision=None if decided is None else bool(decided),
        status=status,
        vector=vector,
        replicate=replicate,
        reason=reason,
    )
