"""The forms of an export: JSON lines, CSV, Parquet. Columns in, bytes out, row by row."""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
import orjson
from numpy.typing import NDArray

from evenhand._base.optional import require

Cells = Sequence[Any] | NDArray[np.float64]
"""None, or NaN in arrays, where there is nothing. Any: texts, numbers or flags."""

_ROWS_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Exported:
    """What is written.

    Attributes
    ----------
    columns
        Name to (rows,) cells.
    kinds
        Name to ``"text"``, ``"integer"``, ``"number"`` or ``"flag"``.
    vectors
        Name to (rows, d) float32 with NaN rows where there is nothing, or None if there is nothing at all.
    """

    rows: int
    columns: Mapping[str, Cells]
    kinds: Mapping[str, str]
    vectors: Mapping[str, NDArray[np.float32] | None]


def write_jsonl(exported: Exported, stream: BinaryIO) -> None:
    """Write one JSON object a line."""
    names = [*exported.columns, *exported.vectors]
    vectors = [_vectors(matrix, exported.rows) for matrix in exported.vectors.values()]
    for row, *own in zip(_rows(exported), *vectors, strict=True):
        stream.write(_json(dict(zip(names, (*row, *own), strict=True))) + b"\n")


def write_csv(exported: Exported, stream: BinaryIO) -> None:
    """Write a header and one line a row. Texts are quoted, which tells an empty one from none."""
    stream.write((",".join(map(_cell, exported.columns)) + "\r\n").encode())
    for row in _rows(exported):
        stream.write((",".join(map(_cell, row)) + "\r\n").encode())


def write_parquet(exported: Exported, stream: BinaryIO) -> None:
    """Write one table with types; vectors as arrays of float32."""
    polars = require("polars", extra="frames", purpose="Parquet")
    types = {"text": polars.String, "integer": polars.Int64, "number": polars.Float64, "flag": polars.Boolean}
    columns = [
        polars.Series(name, _unicode_all(cells), dtype=types[exported.kinds[name]], nan_to_null=True)
        for name, cells in exported.columns.items()
    ]
    for name, matrix in exported.vectors.items():
        columns.append(_vector_series(polars, name, matrix, exported.rows))
    polars.DataFrame(columns).write_parquet(stream)


FORMS: Mapping[str, Callable[[Exported, BinaryIO], None]] = {
    "jsonl": write_jsonl,
    "parquet": write_parquet,
    "csv": write_csv,
}


def _rows(exported: Exported) -> Iterator[tuple[Any, ...]]:
    for start in range(0, exported.rows, _ROWS_AT_ONCE):
        piece = slice(start, start + _ROWS_AT_ONCE)
        yield from zip(*(_plain(cells[piece]) for cells in exported.columns.values()), strict=True)


def _plain(cells: Cells) -> Sequence[Any]:
    if isinstance(cells, np.ndarray):
        return [None if math.isnan(cell) else cell for cell in cells.tolist()]
    return cells


def _json(row: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(row, option=orjson.OPT_SERIALIZE_NUMPY)
    except orjson.JSONEncodeError:  # half of a surrogate pair, which JSON can say as an escape and orjson does not
        plain = {name: cell.tolist() if isinstance(cell, np.ndarray) else cell for name, cell in row.items()}
        return json.dumps(plain, separators=(",", ":"), allow_nan=False).encode()


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case str():
            return '"' + _unicode(value).replace('"', '""') + '"'
        case bool():
            return "true" if value else "false"
        case _:
            return repr(value)


def _vectors(matrix: NDArray[np.float32] | None, rows: int) -> Iterator[NDArray[np.float32] | None]:
    for row in range(rows):
        yield None if matrix is None or np.isnan(matrix[row, 0]) else matrix[row]


def _vector_series(polars: Any, name: str, matrix: NDArray[np.float32] | None, rows: int) -> Any:
    # Any because polars is optional
    if matrix is None:
        return polars.Series(name, [None] * rows, dtype=polars.List(polars.Float32))
    whole = polars.Series(name, np.ascontiguousarray(matrix))
    missing = polars.Series(np.isnan(matrix[:, 0]))
    return whole.set(missing, None) if missing.any() else whole


def _unicode_all(cells: Cells) -> Cells:
    if isinstance(cells, np.ndarray):
        return cells
    return [_unicode(cell) if isinstance(cell, str) else cell for cell in cells]


def _unicode(text: str) -> str:
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
