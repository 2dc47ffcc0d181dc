"""A run as columns: what metrics compute with, read without building an object for each row."""

from collections.abc import Mapping
from contextlib import closing
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Text, type_coerce

from evenhand.core.outcomes import Outcome
from evenhand.core.types import RequestId, RunId
from evenhand.errors import StoreError
from evenhand.storage import schema
from evenhand.storage.codecs import parse_json, unescape_all
from evenhand.storage.evaluations import Block, blocks, count_by
from evenhand.storage.reading import in_pieces
from evenhand.storage.records import EvaluationColumns, ResponseColumns
from evenhand.storage.responses import latest_rounds, outcome_of
from evenhand.storage.vectors import unpack_all

_TEXTS = ("request_id", "scenario_id", "attribute", "value", "prompt")
_OUTCOME = ("outcome", "text", "finish_reason", "reason", "kind", "traceback")


def response_columns(connection: Connection, run_id: RunId) -> ResponseColumns:
    """Return the latest round of each request, by replicate, then in the order stored."""
    table = schema.responses.c
    # read as the plain texts that they are and decoded by the block: much cheaper than a call per value
    plain = [type_coerce(table[name], Text) for name in (*_TEXTS, *_OUTCOME)]
    texts: list[list[Any]] = [[] for _ in _TEXTS]
    replicates: list[int] = []
    outcomes: list[Outcome] = []
    shared: dict[Any, Any] = {}
    wanted = latest_rounds(run_id, table.replicate, *plain)
    for rows in in_pieces(connection, wanted):
        numbers, *stored = zip(*rows, strict=True)
        columns = [unescape_all(column) for column in stored]
        replicates.extend(numbers)
        for kept, column in zip(texts, columns, strict=False):
            # replicates repeat prompt and scenario: one string in memory serves all
            kept.extend(map(shared.setdefault, column, column))
        outcomes.extend(map(outcome_of, *columns[len(_TEXTS) :]))
    request_ids, scenario_ids, attributes, values, prompts = texts
    return ResponseColumns(
        request_ids=request_ids,
        scenario_ids=scenario_ids,
        attributes=attributes,
        values=values,
        replicates=replicates,
        prompts=prompts,
        outcomes=outcomes,
    )


def evaluation_columns(
    connection: Connection, run_id: RunId, evaluator: str, version: str | None, latest: Mapping[int, RequestId]
) -> EvaluationColumns:
    """Return what one version of one evaluator said about the `latest` responses; nothing if `version` is None."""
    request_ids: list[RequestId] = []
    reasons: list[str | None] = []
    values: list[Any] = []
    matrices: dict[str, NDArray[np.float32]] = {}
    if version is not None:
        most = count_by(connection, run_id, evaluator, version)
        with closing(blocks(connection, run_id, evaluator, version, latest)) as read:
            for block in read:
                _copy_vectors(block, matrices, first=len(request_ids), most=most, evaluator=evaluator)
                request_ids.extend(block.request_ids)
                reasons.extend(block.reasons)
                values.extend([value or {} for value in block.values])
    return EvaluationColumns(
        evaluator=evaluator,
        version=version,
        request_ids=request_ids,
        reasons=reasons,
        values=values,
        vectors={name: matrix[: len(request_ids)] for name, matrix in matrices.items()},
    )


def _copy_vectors(
    block: Block, matrices: dict[str, NDArray[np.float32]], *, first: int, most: int, evaluator: str
) -> None:
    """Copy a block's vectors into (most, d) matrices from row `first` on; rows without a vector stay NaN."""
    for layout in filter(None, dict.fromkeys(block.lengths)):
        rows = [index for index, own in enumerate(block.lengths) if own == layout]
        parts = unpack_all(parse_json(layout), [block.packed[index] or b"" for index in rows])
        for name, part in parts.items():
            _matrix(matrices, name, most, part.shape[1], evaluator)[np.array(rows) + first] = part


def _matrix(
    matrices: dict[str, NDArray[np.float32]], name: str, most: int, length: int, evaluator: str
) -> NDArray[np.float32]:
    if name not in matrices:
        matrices[name] = np.full((most, length), np.nan, dtype=np.float32)
    width = matrices[name].shape[1]
    if width != length:
        raise StoreError(
            f"The vectors {name!r} of evaluator {evaluator!r} have different lengths ({width} and {length}), "
            "so they are not columns; read them with evaluations()."
        )
    return matrices[name]
