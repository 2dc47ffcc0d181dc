"""A table of decisions → a detection matrix, whatever its format."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from evenhand._base.digest import file_digest
from evenhand.core.detections import DetectionMatrix
from evenhand.errors import DataError, UsageError
from evenhand.importers.plain_table.cells import Cells, matrix_of
from evenhand.importers.plain_table.collect import TableRows, collect, counted
from evenhand.importers.plain_table.csv_rows import csv_rows
from evenhand.importers.plain_table.formats import Format, format_of
from evenhand.importers.plain_table.jsonl_rows import jsonl_rows
from evenhand.importers.plain_table.problems import OnError, Problem, Problems

if TYPE_CHECKING:
    import polars as pl

    from evenhand.importers.plain_table.layout import Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What became of the rows.

    Attributes
    ----------
    rows
        Rows of the table, without its header and blank lines.
    left_out
        Rows that could not be placed: no trace, no turn, not as many cells as the header.
    copies
        Rows that share their trace, turn and attribute with another; in the wide form, cells. Their place is missing,
        with status ``error``.
    traces_left_out
        Traces of two vectors or replicates.
    problems
        All of them; only the first 10,000 are listed.
    ignored
        Columns that were not read.
    """

    format: Format
    form: Literal["long", "wide"]
    rows: int
    left_out: int = 0
    copies: int = 0
    traces_left_out: int = 0
    problems: int = 0
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableReading:
    """A table that was read.

    Attributes
    ----------
    problems
        What was wrong, in the order in which it was found; empty unless problems were to be reported.
    """

    matrix: DetectionMatrix
    problems: Sequence[Problem]
    coverage: Coverage


def read_table(path: str | Path, *, on_error: OnError = "raise") -> TableReading:
    """Read decisions from CSV, JSON lines (either may be packed with gzip) or Parquet.

    Parameters
    ----------
    path
        Long form: columns trace, turn, attribute, decision; wide form: trace, turn and one column per attribute. Either
        may have vector, replicate and status. Other columns of the long form are not read.
    on_error
        ``"raise"`` at the first problem; ``"report"`` lists them and goes on: a row without a place is left out, a
        decision that cannot be read is missing, and so is one that is there twice.

    Returns
    -------
    TableReading
        Its matrix names traces, attributes and vectors in rising order, so that the order of rows plays no part.

    Raises
    ------
    UsageError
        If there is no such file, or `on_error` is neither.
    DataError
        If the table is not what it must be, with file, line or row, column and value.
    MissingExtraError
        If it is Parquet, and polars is not installed. Text is read without polars too, only slower.

    Notes
    -----
    An empty decision without a status is ``unscored``: missing, never a no. Ids are text: "007" and "1e5" stay as they
    are. Memory grows with traces × attributes; where a row has to be looked at, with the rows (about 35 bytes each).
    """
    file = Path(path)
    if on_error not in ("raise", "report"):
        raise UsageError(f"on_error is 'raise' or 'report', not {on_error!r}")
    try:
        return _read(file, on_error)
    except FileNotFoundError:
        raise UsageError(f"There is no file {str(path)!r}.") from None
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror or error}") from error


def _read(file: Path, on_error: OnError) -> TableReading:
    format_ = format_of(file)
    problems = Problems(file, on_error, has_lines=format_ != "parquet")
    match format_:
        case "parquet":
            return _parquet(file, problems)
        case "csv":
            return _quick_csv(file, problems) or _by_row(file, problems, format_, csv_rows(file, problems))
        case "jsonl":
            return _by_row(file, problems, format_, jsonl_rows(file, problems))


def _parquet(file: Path, problems: Problems) -> TableReading:
    from evenhand.importers.plain_table.fast import quick_cells
    from evenhand.importers.plain_table.parquet_rows import guarded, parquet_rows, scan

    frame, layout = scan(file)
    if problems.on_error == "raise":
        with guarded(file):
            cells = quick_cells(frame, layout)
        if cells is not None:
            return _quick(file, cells, layout, "parquet", digest=file_digest(file))
    rows = TableRows(layout=layout, rows=parquet_rows(file, frame, layout))
    return _by_row(file, problems, "parquet", rows)


def _quick_csv(file: Path, problems: Problems) -> TableReading | None:
    """Read a CSV file whose cells nobody could cut in another way; None if it must be read row by row."""
    from evenhand.importers.plain_table.survey import survey

    if problems.on_error != "raise" or find_spec("polars") is None:
        return None
    seen = survey(file)
    if not seen.is_plain or seen.lines < 2:
        return None
    import polars as pl

    from evenhand.importers.plain_table.fast import quick_cells

    layout = csv_rows(file, problems).layout
    try:
        frame = _scan_csv(file, layout)
        cells = quick_cells(frame, layout)
    except pl.exceptions.PolarsError:
        return None  # such as bytes that are not UTF-8: the other way names the line
    return None if cells is None else _quick(file, cells, layout, "csv", digest=seen.digest)


def _scan_csv(file: Path, layout: "Layout") -> "pl.LazyFrame":
    import polars as pl

    schema = dict.fromkeys(layout.names, pl.String)
    return pl.scan_csv(file, has_header=False, skip_lines=1, schema=schema, quote_char=None, glob=False)


def _quick(file: Path, cells: Cells, layout: "Layout", format_: Format, *, digest: str) -> TableReading:
    rows = sum(cells.statuses.values()) // (1 if layout.form == "long" else len(layout.attributes))
    coverage = Coverage(format=format_, form=layout.form, rows=rows, ignored=layout.ignored)
    return _reading(file, cells, coverage, (), digest)


def _by_row(file: Path, problems: Problems, format_: Format, found: TableRows) -> TableReading:
    collected = collect(found.rows, found.layout, problems)
    if not collected.rows and not problems.lost:
        raise DataError("the table has a header and no row", file=file)
    cells, copies = counted(collected, problems)
    coverage = Coverage(
        format=format_,
        form=found.layout.form,
        rows=collected.rows + problems.lost,
        left_out=problems.lost,
        copies=copies,
        traces_left_out=len(collected.spoilt),
        problems=problems.count,
        ignored=found.layout.ignored,
    )
    return _reading(file, cells, coverage, problems.listed, file_digest(file))


def _reading(file: Path, cells: Cells, coverage: Coverage, problems: Sequence[Problem], digest: str) -> TableReading:
    matrix = matrix_of(cells, digest=digest, source=_source(file, coverage))
    return TableReading(matrix=matrix, problems=tuple(problems), coverage=coverage)


def _source(file: Path, coverage: Coverage) -> Mapping[str, str]:
    found = {
        "file": file.name,
        "format": f"{coverage.format}, {coverage.form} form",
        "rows": f"{coverage.rows:,}",
    }
    if coverage.problems:
        found["problems"] = (
            f"{coverage.problems:,}: {coverage.left_out:,} rows and {coverage.traces_left_out:,} traces left out, "
            f"{coverage.copies:,} copies"
        )
    if coverage.ignored:
        found["columns_not_read"] = ", ".join(coverage.ignored)
    return found
