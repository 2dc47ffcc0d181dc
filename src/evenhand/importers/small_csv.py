"""Small strict CSV files beside the table of decisions: labels, rates that a detector reports about itself."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from evenhand.errors import DataError, UsageError

Cells = dict[str, str]


def small_csv(path: str | Path, needed: Sequence[Sequence[str]]) -> Iterator[tuple[int, Cells]]:
    """Yield line and cells, by column in lower case and without blanks around them.

    Parameters
    ----------
    needed
        For every column that must be there, its names; the cells have the first.

    Raises
    ------
    UsageError
        If there is no such file.
    DataError
        If it is not CSV in UTF-8, a column is missing or there twice, or a row has not as many cells as the header.
    """
    file = Path(path)
    if not file.is_file():
        raise UsageError(f"There is no file {str(path)!r}.")
    try:
        with file.open(encoding="utf-8-sig", newline="") as stream:
            yield from _rows(csv.reader(stream, strict=True), needed, file)
    except (UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"this is not a CSV file in UTF-8: {error}", file=file) from error


def _rows(reader: "Iterator[list[str]]", needed: Sequence[Sequence[str]], file: Path) -> Iterator[tuple[int, Cells]]:
    header = [name.strip().lower() for name in next(reader, [])]
    for names in needed:
        found = [place for place, name in enumerate(header) if name in names]
        if not found:
            raise DataError(f"the column {names[0]!r} is missing", file=file, line=1)
        header[found[0]] = names[0]
    twice = next((name for name in header if header.count(name) > 1), None)
    if twice is not None:
        raise DataError(f"the column {twice!r} is there twice", file=file, line=1)
    line = 1
    for values in reader:
        line = getattr(reader, "line_num", line + 1)
        if values and len(values) != len(header):
            raise DataError(f"the row has {len(values)} cells, and the header {len(header)}", file=file, line=line)
        if values:
            yield line, {name: value.strip() for name, value in zip(header, values, strict=True)}
