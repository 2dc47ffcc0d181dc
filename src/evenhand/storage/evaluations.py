"""Evaluations: one row per response, evaluator and version; vectors as bytes beside the plain values."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from typing import Any, NamedTuple

from sqlalchemy import Connection, ScalarSelect, Text, bindparam, func, select, type_coerce

from evenhand.core.protocols import CouldNotJudge, Judged, Judgement
from evenhand.core.types import RequestId, RunId
from evenhand.storage import schema
from evenhand.storage.codecs import (
    AnyText,
    pack_vectors,
    parse_all,
    parse_json,
    unescape_all,
    unpack_vectors,
)
from evenhand.storage.inserting import insert_new
from evenhand.storage.records import Evaluation, EvaluationCounts
from evenhand.storage.responses import latest_rows

_ROWS_AT_ONCE = 2_000
_JUDGED, _COULD_NOT_JUDGE = "judged", "could not judge"


class Block(NamedTuple):
    """Some rows of one evaluator, column by column; vectors as they are stored."""

    request_ids: Sequence[RequestId]
    reasons: Sequence[str | None]
    values: Sequence[Any]
    lengths: Sequence[str | None]
    packed: Sequence[bytes | None]


def add(connection: Connection, run_id: RunId, evaluations: Sequence[Evaluation], started_at: str) -> None:
    """Insert evaluations; of each (latest response, evaluator, version) the first stays."""
    versions = dict.fromkeys((each.evaluator, each.version) for each in evaluations)
    insert_new(
        connection,
        schema.evaluators,
        ("run_id", "evaluator", "version", "started_at"),
        [(run_id, evaluator, version, started_at) for evaluator, version in versions],
        key=("run_id", "evaluator", "version"),
    )
    ids = _evaluator_ids(connection, run_id)
    insert_new(
        connection,
        schema.evaluations,
        ("evaluator_id", "of_run", "of_request", "status", "reason", "value", "vector_lengths", "vectors"),
        (_row(ids[each.evaluator, each.version], run_id, each) for each in evaluations),
        key=("evaluator_id", "response_id"),
        computed={"response_id": _latest_response()},
    )


def stream(connection: Connection, run_id: RunId, versions: Mapping[str, str]) -> Iterator[Evaluation]:
    """Yield evaluations of these versions, evaluator by evaluator, in the order of the responses."""
    latest = latest_rows(connection, run_id)
    for evaluator, version in versions.items():
        for block in blocks(connection, run_id, evaluator, version, latest):
            for request_id, *columns in zip(*block, strict=True):
                judgement = _judgement(*columns)
                yield Evaluation(request_id=request_id, evaluator=evaluator, version=version, judgement=judgement)


def blocks(
    connection: Connection, run_id: RunId, evaluator: str, version: str, latest: Mapping[int, RequestId]
) -> Iterator[Block]:
    """Yield what one version said about the `latest` responses, some thousand rows at a time."""
    table = schema.evaluations.c
    # read as the plain texts that they are and decoded by the block: a third of the time of a call per value
    texts = [type_coerce(column, Text) for column in (table.reason, table.value, table.vector_lengths)]
    wanted = (
        select(table.response_id, *texts, table.vectors)
        .where(table.evaluator_id == _evaluator_ids(connection, run_id).get((evaluator, version)))
        .order_by(table.response_id)
    )
    for rows in connection.execute(wanted, execution_options={"yield_per": _ROWS_AT_ONCE}).partitions():
        columns = list(zip(*rows, strict=True))
        current = [response_id in latest for response_id in columns[0]]
        response_ids, reasons, values, lengths, packed = (list(compress(column, current)) for column in columns)
        request_ids = [latest[response_id] for response_id in response_ids]
        yield Block(request_ids, unescape_all(reasons), parse_all(values), lengths, packed)


def newest_versions(connection: Connection, run_id: RunId) -> dict[str, str]:
    """Return, of each evaluator, the version that was the last to begin."""
    newest = dict(_evaluator_ids(connection, run_id).keys())
    return {evaluator: newest[evaluator] for evaluator in sorted(newest)}


def seen(connection: Connection, run_id: RunId, evaluator: str, version: str) -> set[RequestId]:
    """Return the requests of which a version has been shown the latest response."""
    table = schema.evaluations.c
    latest = latest_rows(connection, run_id)
    evaluator_id = _evaluator_ids(connection, run_id).get((evaluator, version))
    rows = connection.scalars(select(table.response_id).where(table.evaluator_id == evaluator_id))
    return {latest[row] for row in rows if row in latest}


def count(connection: Connection, run_id: RunId) -> dict[str, EvaluationCounts]:
    """Count the judgements of each evaluator's newest version."""
    table = schema.evaluations.c
    ids = _evaluator_ids(connection, run_id)
    counts = {}
    for evaluator, version in newest_versions(connection, run_id).items():
        mine = select(table.status, func.count()).where(table.evaluator_id == ids[evaluator, version])
        by_status: dict[str, int] = dict(connection.execute(mine.group_by(table.status)).all())
        counts[evaluator] = EvaluationCounts(
            version=version, judged=by_status.get(_JUDGED, 0), could_not_judge=by_status.get(_COULD_NOT_JUDGE, 0)
        )
    return counts


def _evaluator_ids(connection: Connection, run_id: RunId) -> dict[tuple[str, str], int]:
    """Return (evaluator, version) to row number, in the order in which they first said something."""
    table = schema.evaluators.c
    wanted = select(table.evaluator, table.version, table.sequence).where(table.run_id == run_id)
    rows = connection.execute(wanted.order_by(table.sequence))
    return {(evaluator, version): sequence for evaluator, version, sequence in rows}


def _latest_response() -> ScalarSelect[int]:
    """Find the response that an evaluation is about: in the database, as each row is inserted."""
    table = schema.responses.c
    run, request = bindparam("of_run", type_=AnyText), bindparam("of_request", type_=AnyText)
    found = select(table.sequence).where(table.run_id == run, table.request_id == request)
    return found.order_by(table.round.desc()).limit(1).scalar_subquery()


def _row(evaluator_id: int, run_id: RunId, evaluation: Evaluation) -> tuple[Any, ...]:
    judgement = evaluation.judgement
    key = (evaluator_id, run_id, evaluation.request_id)
    if isinstance(judgement, CouldNotJudge):
        return (*key, _COULD_NOT_JUDGE, judgement.reason, None, None, None)
    if not judgement.vectors:
        return (*key, _JUDGED, None, judgement.values, None, None)
    what = f"Evaluator {evaluation.evaluator!r}, request {evaluation.request_id}"
    lengths, packed = pack_vectors(judgement.vectors, what)
    return (*key, _JUDGED, None, judgement.values, lengths, packed)


def _judgement(reason: str | None, value: Any, lengths: str | None, packed: bytes | None) -> Judgement:
    if reason is not None:
        return CouldNotJudge(reason=reason)
    if lengths is None:
        return Judged(values=value)
    return Judged(values=value, vectors=unpack_vectors(parse_json(lengths), packed or b""))
