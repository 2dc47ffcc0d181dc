"""Evaluations: one row per response, evaluator and version; vectors as bytes beside the plain values."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from itertools import compress
from typing import Any, NamedTuple

from sqlalchemy import Connection, Text, func, select, type_coerce

from evenhand.core.protocols import CouldNotJudge, Judged, Judgement
from evenhand.core.types import RequestId, RunId
from evenhand.storage import schema
from evenhand.storage.codecs import parse_all, parse_json, unescape_all
from evenhand.storage.inserting import in_chunks, insert_new, stored
from evenhand.storage.latest import latest_numbers
from evenhand.storage.reading import in_pieces
from evenhand.storage.records import Evaluation, EvaluationCounts
from evenhand.storage.vectors import pack, unpack

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
    ids = _numbered(connection, run_id, evaluations, started_at)
    for chunk in in_chunks(evaluations):
        # in the order of the table's key: neighbours are written together, and of equals the first stays the first
        chunk = sorted(chunk, key=lambda each: ids[each.evaluator, each.version])
        of_request = latest_numbers(connection, run_id, dict.fromkeys(each.request_id for each in chunk))
        insert_new(
            connection, schema.evaluations, _columns(chunk, ids, of_request), key=("evaluator_id", "response_id")
        )


def stream(
    connection: Connection, run_id: RunId, versions: Mapping[str, str], latest: Mapping[int, RequestId]
) -> Iterator[Evaluation]:
    """Yield evaluations of these versions, evaluator by evaluator, in the order of the responses."""
    for evaluator, version in versions.items():
        for block in blocks(connection, run_id, evaluator, version, latest):
            for request_id, *columns in zip(*block, strict=True):
                judgement = _judgement(*columns)
                yield Evaluation(request_id=request_id, evaluator=evaluator, version=version, judgement=judgement)


def blocks(
    connection: Connection, run_id: RunId, evaluator: str, version: str, latest: Mapping[int, RequestId]
) -> Generator[Block, None, None]:
    """Yield what one version said about the `latest` responses, some hundred rows at a time."""
    table = schema.evaluations.c
    # read as the plain texts that they are and decoded by the block: a third of the time of a call per value
    texts = [type_coerce(column, Text) for column in (table.reason, table.value, table.vector_lengths)]
    wanted = (
        select(table.response_id, *texts, table.vectors)
        .where(table.evaluator_id == _evaluator_ids(connection, run_id).get((evaluator, version)))
        .order_by(table.response_id)
    )
    for rows in in_pieces(connection, wanted):
        columns: list[Sequence[Any]] = list(zip(*rows, strict=True))
        current = [response_id in latest for response_id in columns[0]]
        if not all(current):
            columns = [list(compress(column, current)) for column in columns]
        response_ids, reasons, values, lengths, packed = columns
        request_ids = [latest[response_id] for response_id in response_ids]
        yield Block(request_ids, unescape_all(reasons), parse_all(values), lengths, packed)


def count_by(connection: Connection, run_id: RunId, evaluator: str, version: str) -> int:
    """Count what one version said, about earlier rounds too."""
    evaluator_id = _evaluator_ids(connection, run_id).get((evaluator, version))
    wanted = select(func.count()).where(schema.evaluations.c.evaluator_id == evaluator_id)
    return connection.scalar(wanted) or 0


def newest_versions(connection: Connection, run_id: RunId) -> dict[str, str]:
    """Return, of each evaluator, the version that was the last to begin."""
    newest = dict(_evaluator_ids(connection, run_id).keys())
    return {evaluator: newest[evaluator] for evaluator in sorted(newest)}


def seen(
    connection: Connection, run_id: RunId, evaluator: str, version: str, latest: Mapping[int, RequestId]
) -> set[RequestId]:
    """Return the requests of which a version has been shown the `latest` response."""
    table = schema.evaluations.c
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


def _numbered(
    connection: Connection, run_id: RunId, evaluations: Sequence[Evaluation], started_at: str
) -> dict[tuple[str, str], int]:
    """Return the row numbers of the run's evaluators, new ones included."""
    known = _evaluator_ids(connection, run_id)
    new = [key for key in dict.fromkeys((each.evaluator, each.version) for each in evaluations) if key not in known]
    if not new:
        return known
    rows: dict[str, Sequence[Any]] = {
        "run_id": [run_id] * len(new),
        "evaluator": [evaluator for evaluator, _ in new],
        "version": [version for _, version in new],
        "started_at": [started_at] * len(new),
    }
    insert_new(connection, schema.evaluators, stored(schema.evaluators, rows), key=("run_id", "evaluator", "version"))
    return _evaluator_ids(connection, run_id)


def _columns(
    evaluations: Sequence[Evaluation], ids: Mapping[tuple[str, str], int], of_request: Mapping[RequestId, int]
) -> dict[str, Sequence[Any]]:
    judgements = [each.judgement for each in evaluations]
    judged = [None if isinstance(judgement, CouldNotJudge) else judgement for judgement in judgements]
    layouts, packed = pack(
        [{} if judgement is None else judgement.vectors for judgement in judged],
        lambda row: f"Evaluator {evaluations[row].evaluator!r}, request {evaluations[row].request_id}",
    )
    said: dict[str, Sequence[Any]] = {
        "status": [_COULD_NOT_JUDGE if judgement is None else _JUDGED for judgement in judged],
        "reason": [each.reason if isinstance(each, CouldNotJudge) else None for each in judgements],
        "value": [None if judgement is None else judgement.values for judgement in judged],
    }
    return {
        "evaluator_id": [ids[each.evaluator, each.version] for each in evaluations],
        "response_id": [of_request[each.request_id] for each in evaluations],
        **stored(schema.evaluations, said),
        "vector_lengths": layouts,
        "vectors": packed,
    }


def _judgement(reason: str | None, value: Any, lengths: str | None, packed: bytes | None) -> Judgement:
    if reason is not None:
        return CouldNotJudge(reason=reason)
    if lengths is None:
        return Judged(values=value)
    return Judged(values=value, vectors=unpack(parse_json(lengths), packed or b""))
