"""Turns of conversations: one row per turn and round, with every attempt that led to it."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Select, select

from evenhand.core.conversations import Turn
from evenhand.core.outcomes import Attempt, Usage
from evenhand.core.types import GeneratedOutput, RunId
from evenhand.errors import StoreError
from evenhand.storage import schema
from evenhand.storage.inserting import in_chunks, insert_new, stored
from evenhand.storage.reading import in_pieces
from evenhand.storage.responses import attempt_json, outcome_columns, outcome_of

_KEY = ("vector", "replicate", "side", "number")
_COLUMNS = (
    *_KEY,
    "round",
    "outcome",
    "seed",
    "finish_reason",
    "kind",
    "model",
    "input_tokens",
    "output_tokens",
    "latency_s",
    "provider_request_id",
    "attempts",
    "said",
    "text",
    "reason",
    "traceback",
)


def add(connection: Connection, run_id: RunId, turns: Sequence[Turn], stored_at: str) -> None:
    """Insert turns; of each (turn, round) the first stays."""
    for chunk in in_chunks(turns):
        columns: dict[str, Sequence[Any]] = dict(zip(_COLUMNS, zip(*map(_row, chunk), strict=True), strict=True))
        columns |= {"run_id": [run_id] * len(chunk), "stored_at": [stored_at] * len(chunk)}
        insert_new(connection, schema.turns, stored(schema.turns, columns), key=("run_id", *_KEY, "round"))


def stream(connection: Connection, run_id: RunId, *, every_round: bool) -> Iterator[Turn]:
    """Yield the latest round of each turn, or every round, in the order stored."""
    table = schema.turns.c
    wanted = select(*(table[name] for name in _COLUMNS)).where(table.run_id == run_id).order_by(table.sequence)
    if not every_round:
        wanted = wanted.where(table.sequence.not_in(_superseded(run_id)))
    for chunk in in_pieces(connection, wanted):
        yield from map(_turn, chunk)


def _superseded(run_id: RunId) -> Select[Any]:
    """Select the row numbers of rounds that a later one replaced; it begins with the few later rounds."""
    earlier, later = schema.turns.alias("earlier").c, schema.turns.alias("later").c
    same = [earlier[name] == later[name] for name in ("run_id", *_KEY)]
    return select(earlier.sequence).where(later.run_id == run_id, later.round > 1, *same, earlier.round < later.round)


def _row(turn: Turn) -> tuple[Any, ...]:
    output = turn.output
    if output.latency_s is not None and not math.isfinite(output.latency_s):
        # SQLite would keep NaN as NULL, which says "not measured"
        raise StoreError(f"The latency of turn {turn.key} is {output.latency_s}; give seconds, or None.")
    outcome, finish_reason, kind, text, reason, traceback = outcome_columns(output.outcome)
    # fmt: off
    return (
        *turn.key, turn.round, outcome, turn.seed, finish_reason, kind, output.model, output.usage.input_tokens,
        output.usage.output_tokens, output.latency_s, output.provider_request_id,
        [attempt_json(attempt) for attempt in output.attempts], turn.said, text, reason, traceback,
    )
    # fmt: on


def _turn(row: Any) -> Turn:  # Any: a SQLAlchemy row of `_COLUMNS`, whose types are those of the table
    # fmt: off
    (vector, replicate, side, number, round_, outcome, seed, finish_reason, kind, model, input_tokens, output_tokens,
     latency_s, provider_request_id, attempts, said, text, reason, traceback) = row
    # fmt: on
    return Turn(
        vector=vector,
        replicate=replicate,
        side=side,
        number=number,
        said=said,
        seed=seed,
        round=round_,
        output=GeneratedOutput(
            outcome=outcome_of(outcome, text, finish_reason, reason, kind, traceback),
            model=model,
            usage=Usage(input_tokens=input_tokens, output_tokens=output_tokens),
            latency_s=latency_s,
            provider_request_id=provider_request_id,
            attempts=tuple(Attempt(**plain) for plain in attempts),
        ),
    )
