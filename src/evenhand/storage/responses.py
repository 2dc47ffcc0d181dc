"""Responses: one row per request and round, with every attempt that led to it."""

import math
from collections.abc import Iterator, Sequence
from typing import Any, assert_never

from sqlalchemy import ColumnElement, Connection, Select, func, select

from evenhand.core.outcomes import Answered, Attempt, Blocked, Failed, Outcome, Usage
from evenhand.core.types import Condition, GeneratedOutput, Request, RequestId, RunId
from evenhand.errors import StoreError
from evenhand.storage import schema
from evenhand.storage.inserting import in_chunks, insert_new, stored
from evenhand.storage.reading import in_pieces
from evenhand.storage.records import OutcomeName, Response

_COLUMNS = (
    "request_id",
    "round",
    "replicate",
    "outcome",
    "scenario_id",
    "attribute",
    "value",
    "seed",
    "finish_reason",
    "kind",
    "model",
    "input_tokens",
    "output_tokens",
    "latency_s",
    "provider_request_id",
    "attempts",
    "prompt",
    "text",
    "reason",
    "traceback",
)


def add(connection: Connection, run_id: RunId, responses: Sequence[Response], stored_at: str) -> None:
    """Insert responses; of each (request, round) the first stays."""
    for chunk in in_chunks(responses):
        columns: dict[str, Sequence[Any]] = dict(zip(_COLUMNS, zip(*map(_row, chunk), strict=True), strict=True))
        columns |= {"run_id": [run_id] * len(chunk), "stored_at": [stored_at] * len(chunk)}
        insert_new(
            connection, schema.responses, stored(schema.responses, columns), key=("run_id", "request_id", "round")
        )


def stream(connection: Connection, run_id: RunId) -> Iterator[Response]:
    """Yield the latest round of each request: by replicate, then in the order stored."""
    yield from _stream(connection, latest_rounds(run_id, *_columns()))


def stream_superseded(connection: Connection, run_id: RunId) -> Iterator[Response]:
    """Yield the rounds that a later one replaced: they no longer count, yet they were paid for."""
    table = schema.responses.c
    wanted = (
        select(*_columns())
        .where(table.run_id == run_id, table.sequence.in_(_superseded(run_id)))
        .order_by(table.sequence)
    )
    yield from _stream(connection, wanted)


def _columns() -> Iterator[ColumnElement[Any]]:
    return (schema.responses.c[name] for name in _COLUMNS)


def _stream(connection: Connection, wanted: Select[Any]) -> Iterator[Response]:
    shared: dict[Any, Any] = {}
    conditions: dict[tuple[str | None, str | None], Condition] = {}
    for chunk in in_pieces(connection, wanted):
        for row in chunk:
            yield _response(row, shared, conditions)


def latest_outcomes(connection: Connection, run_id: RunId) -> dict[RequestId, OutcomeName]:
    """Return each request's outcome in its latest round."""
    table = schema.responses.c
    wanted = select(table.request_id, table.outcome).where(table.run_id == run_id).order_by(table.round)
    return dict(connection.execute(wanted).all())  # a later round overwrites


def count_rows(connection: Connection, run_id: RunId) -> int:
    """Count the rows of every round."""
    return connection.scalar(select(func.count()).where(schema.responses.c.run_id == run_id)) or 0


def latest_rounds(run_id: RunId, *columns: ColumnElement[Any]) -> Select[Any]:
    """Select these columns of each request's latest round: by replicate, then in the order stored."""
    table = schema.responses
    wanted = select(*columns).where(table.c.run_id == run_id, table.c.sequence.not_in(_superseded(run_id)))
    return wanted.order_by(table.c.replicate, table.c.sequence)


def _superseded(run_id: RunId) -> Select[Any]:
    """Select the row numbers of rounds that a later one replaced.

    It begins with the few later rounds. To ask of each row whether a later one exists is what PostgreSQL may turn
    into a search of all rows for each.
    """
    earlier, later = schema.responses.alias("earlier").c, schema.responses.alias("later").c
    same_request = (earlier.run_id == later.run_id, earlier.request_id == later.request_id)
    return select(earlier.sequence).where(
        later.run_id == run_id, later.round > 1, *same_request, earlier.round < later.round
    )


def _row(response: Response) -> tuple[Any, ...]:
    request, output = response.request, response.output
    if output.latency_s is not None and not math.isfinite(output.latency_s):
        # SQLite would keep NaN as NULL, which says "not measured"
        raise StoreError(f"The latency of request {request.id} is {output.latency_s}; give seconds, or None.")
    outcome, finish_reason, kind, text, reason, traceback = outcome_columns(output.outcome)
    # fmt: off
    return (
        request.id, response.round, request.replicate, outcome, request.scenario_id, request.condition.attribute,
        request.condition.value, request.seed, finish_reason, kind, output.model, output.usage.input_tokens,
        output.usage.output_tokens, output.latency_s, output.provider_request_id,
        [attempt_json(attempt) for attempt in output.attempts], request.prompt, text, reason, traceback,
    )
    # fmt: on


def outcome_columns(outcome: Outcome) -> tuple[str | None, ...]:
    """Return outcome, finish_reason, kind, text, reason, traceback."""
    match outcome:
        case Answered():
            return "answered", outcome.finish_reason, None, outcome.text, None, None
        case Blocked():
            return "blocked", None, None, None, outcome.reason, None
        case Failed():
            return "failed", None, outcome.kind, None, outcome.error, outcome.traceback
        case _:
            assert_never(outcome)


def attempt_json(attempt: Attempt) -> dict[str, Any]:
    """Keep what is not the default: nearly every row holds one attempt that succeeded."""
    plain: dict[str, Any] = {
        "status": attempt.status,
        "started_at": attempt.started_at,
        "latency_s": attempt.latency_s,
    }
    if attempt.detail:
        plain["detail"] = attempt.detail
    if attempt.http_status is not None:
        plain["http_status"] = attempt.http_status
    if attempt.provider_request_id is not None:
        plain["provider_request_id"] = attempt.provider_request_id
    return plain


def _response(
    row: Any,  # a SQLAlchemy row of `_COLUMNS`, whose types are those of the tables
    shared: dict[Any, Any],
    conditions: dict[tuple[str | None, str | None], Condition],
) -> Response:
    # fmt: off
    (request_id, round_, replicate, outcome, scenario_id, attribute, value, seed, finish_reason, kind, model,
     input_tokens, output_tokens, latency_s, provider_request_id, attempts, prompt, text, reason, traceback) = row
    # fmt: on
    condition = conditions.get((attribute, value))
    if condition is None:
        condition = conditions.setdefault((attribute, value), Condition(attribute=attribute, value=value))
    return Response(
        request=Request(
            id=request_id,
            # replicates repeat prompt and scenario: one string in memory serves all
            scenario_id=shared.setdefault(scenario_id, scenario_id),
            condition=condition,
            replicate=replicate,
            prompt=shared.setdefault(prompt, prompt),
            seed=seed,
        ),
        output=GeneratedOutput(
            outcome=outcome_of(outcome, text, finish_reason, reason, kind, traceback),
            model=shared.setdefault(model, model),
            usage=Usage(input_tokens=input_tokens, output_tokens=output_tokens),
            latency_s=latency_s,
            provider_request_id=provider_request_id,
            attempts=tuple(Attempt(**plain) for plain in attempts),
        ),
        round=round_,
    )


def outcome_of(name: str, text: str, finish_reason: Any, reason: str, kind: str, traceback: str) -> Outcome:
    """Rebuild an outcome from its columns, of which the others are NULL."""
    if name == "answered":
        return Answered(text=text, finish_reason=finish_reason)
    if name == "blocked":
        return Blocked(reason=reason)
    return Failed(error=reason, kind=kind, traceback=traceback)
