"""Runs and their results: one row per run, one more row per result each time it is computed."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from difflib import get_close_matches
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from evenhand.core.results import MetricResult, as_json, from_json
from evenhand.core.types import EvaluationRun, ModelInfo, RunId, RunStatus
from evenhand.errors import UnknownNameError, UsageError
from evenhand.storage import schema

_NEWEST_FIRST = (schema.runs.c.created_at.desc(), schema.runs.c.id.desc())
_NAMED_IN_ERRORS = 10


def add(connection: Connection, run: EvaluationRun) -> None:
    """Insert a run, without its results."""
    row = {
        "id": run.id,
        "name": run.name,
        "status": run.status,
        "model": asdict(run.model),
        "spec": run.spec,
        "spec_digest": run.spec_digest,
        "created_at": run.created_at,
        "finished_at": run.finished_at,
        "manifest": run.manifest,
        "kind": run.kind,
    }
    connection.execute(insert(schema.runs), row)


def move_on(
    connection: Connection,
    run_id: RunId,
    status: RunStatus,
    finished_at: str | None,
    manifest: Mapping[str, Any] | None,
) -> None:
    """Set the status; None keeps the other two, but a run that goes on is not finished any more."""
    changes: dict[str, Any] = {"status": status}
    if finished_at is not None or status == "running":
        changes["finished_at"] = finished_at
    if manifest is not None:
        changes["manifest"] = manifest
    done = connection.execute(update(schema.runs).where(schema.runs.c.id == run_id).values(changes))
    if done.rowcount == 0:
        raise _unknown(connection, run_id)


def find(connection: Connection, name: str) -> RunId:
    """Turn an id, the unique beginning of one, or ``"latest"`` into an id."""
    ids = schema.runs.c.id
    if name == "latest":
        found = connection.scalars(select(ids).order_by(*_NEWEST_FIRST).limit(1)).all()
    else:
        found = connection.scalars(select(ids).where(ids == name)).all()
        if not found and name:
            beginning = func.substr(ids, 1, len(name)) == name
            found = connection.scalars(select(ids).where(beginning).order_by(*_NEWEST_FIRST)).all()
    if not found:
        raise _unknown(connection, name)
    if len(found) > 1:
        raise UsageError(f"Several runs begin with {name!r}: {_listing(found)}. Give more of the id.")
    return RunId(found[0])


def read(connection: Connection, run_id: RunId) -> EvaluationRun:
    """Return one run with its newest results."""
    row = connection.execute(select(schema.runs).where(schema.runs.c.id == run_id)).one()
    return _run(row, read_results(connection, run_id))


def newest(connection: Connection, limit: int | None) -> list[EvaluationRun]:
    """Return runs, newest first, without results."""
    return [_run(row, {}) for row in connection.execute(select(schema.runs).order_by(*_NEWEST_FIRST).limit(limit))]


def newest_unfinished(connection: Connection, spec_digest: str) -> RunId | None:
    """Return the newest run of a spec that may go on."""
    runs = schema.runs.c
    unfinished = runs.status.in_(("running", "interrupted", "partial"))
    wanted = select(runs.id).where(runs.spec_digest == spec_digest, unfinished)
    found = connection.scalar(wanted.order_by(*_NEWEST_FIRST).limit(1))
    return None if found is None else RunId(found)


def add_results(connection: Connection, run_id: RunId, results: Mapping[str, MetricResult], computed_at: str) -> None:
    """Add one row per result."""
    rows = [
        {"run_id": run_id, "metric": metric, "computed_at": computed_at, "result": as_json(result)}
        for metric, result in results.items()
    ]
    if rows:
        connection.execute(insert(schema.results), rows)


def read_results(connection: Connection, run_id: RunId) -> dict[str, MetricResult]:
    """Return the newest result of each metric, in the order in which they were saved."""
    table = schema.results
    last = select(func.max(table.c.sequence)).where(table.c.run_id == run_id).group_by(table.c.metric)
    wanted = select(table.c.metric, table.c.result).where(table.c.sequence.in_(last)).order_by(table.c.sequence)
    return {metric: from_json(plain) for metric, plain in connection.execute(wanted)}


def _run(row: Row[Any], results: Mapping[str, MetricResult]) -> EvaluationRun:
    return EvaluationRun(
        id=RunId(row.id),
        name=row.name,
        status=row.status,
        model=ModelInfo(**row.model),
        spec=row.spec,
        spec_digest=row.spec_digest,
        created_at=row.created_at,
        finished_at=row.finished_at,
        results=results,
        manifest=row.manifest,
        kind=row.kind,
    )


def _unknown(connection: Connection, name: str) -> UnknownNameError:
    """Name near ids and the newest ones; a store may hold thousands."""
    every = connection.scalars(select(schema.runs.c.id).order_by(*_NEWEST_FIRST)).all()
    near = get_close_matches(name, every, n=3, cutoff=0.5)
    shown = list(dict.fromkeys([*near, *every[:_NAMED_IN_ERRORS]]))
    return UnknownNameError("run", name, shown)


def _listing(ids: Sequence[str]) -> str:
    shown = ", ".join(ids[:_NAMED_IN_ERRORS])
    return shown if len(ids) <= _NAMED_IN_ERRORS else f"{shown} and {len(ids) - _NAMED_IN_ERRORS} more"
