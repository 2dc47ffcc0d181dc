"""Rows of a Parquet file, with what its column types already rule out."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from evenhand._base.optional import require
from evenhand.errors import DataError
from evenhand.importers.plain_table import words
from evenhand.importers.plain_table.collect import Row
from evenhand.importers.plain_table.layout import Layout, layout_of

if TYPE_CHECKING:
    import polars as pl

_BATCH = 50_000
_PURPOSE = "Reading a Parquet table"


def scan(path: Path) -> "tuple[pl.LazyFrame, Layout]":
    """Open the file, recognise its columns and check their types.

    Raises
    ------
    MissingExtraError
        If polars is not installed.
    DataError
        If it is no Parquet file, or a column holds what no cell of it may be.
    """
    polars = require("polars", extra="frames", purpose=_PURPOSE)
    with guarded(path):
        frame: pl.LazyFrame = polars.scan_parquet(path, glob=False, hive_partitioning=False)
        schema = frame.collect_schema()
    layout = layout_of(schema.names(), path, line=None)
    frame = frame.rename(dict(zip(schema.names(), layout.names, strict=True)))
    _check_types(path, layout, dict(zip(layout.names, schema.dtypes(), strict=True)))
    return frame, layout


def parquet_rows(path: Path, frame: "pl.LazyFrame", layout: Layout) -> Iterator[Row]:
    """Yield every row with its number, from 1."""
    import polars as pl

    wanted = [pl.col(name) for name in layout.names if name not in layout.ignored]
    empty = [pl.lit(None).alias(name) for name in layout.ignored]
    at = 0
    with guarded(path):
        batches = (
            frame.select(*wanted, *empty).select(layout.names).collect_batches(chunk_size=_BATCH, maintain_order=True)
        )
        for batch in batches:
            for values in batch.iter_rows():
                at += 1
                yield at, values


class guarded:  # noqa: N801 - used as a function
    """Turns what polars raises on a damaged file into our own error."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        """Nothing to do."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        """Translate."""
        from polars.exceptions import PanicException, PolarsError

        if isinstance(error, (PolarsError, PanicException, OSError, ValueError)):
            first = (str(error).splitlines() or [type(error).__name__])[0]
            raise DataError(f"this Parquet file cannot be read: {first}", file=self.path) from error


def _check_types(path: Path, layout: Layout, types: "dict[str, pl.DataType]") -> None:
    import polars as pl

    decisions = list(layout.attributes) or [layout.names[layout.place["decision"]]]
    for name, kind in types.items():
        if name in layout.ignored:
            continue
        is_text = isinstance(kind, (pl.String, pl.Categorical, pl.Enum, pl.Null))
        is_fine = is_text or kind.is_integer() or (isinstance(kind, pl.Boolean) and name in decisions)
        if not is_fine:
            raise DataError(f"the column holds {kind}; {_rule(name, layout, decisions, kind)}", file=path, field=name)


def _rule(name: str, layout: Layout, decisions: list[str], kind: "pl.DataType") -> str:
    if name in decisions:
        return words.DECISION_FLOAT if kind.is_float() else words.DECISION
    word = next(word for word, place in layout.place.items() if layout.names[place] == name)
    return {"turn": words.TURN, "replicate": words.REPLICATE, "status": words.STATUS}.get(word, words.TEXT)
