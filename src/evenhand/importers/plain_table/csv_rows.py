"""Rows of a CSV file, by the standard library's reader in its strict mode."""

import csv
from collections.abc import Iterator
from pathlib import Path

from evenhand.errors import DataError
from evenhand.importers.plain_table.collect import Row, TableRows
from evenhand.importers.plain_table.layout import Layout, layout_of
from evenhand.importers.plain_table.lines import text_lines
from evenhand.importers.plain_table.problems import Problems


def csv_rows(path: Path, problems: Problems) -> TableRows:
    """Read the header.

    Raises
    ------
    DataError
        If there is no header, or a column is not what it must be.
    """
    strict = Problems(path, "raise", has_lines=True)  # without a header nothing can be reported row by row
    _, header = next(_parsed(path, strict), (0, []))
    if not header:
        raise DataError("the file is empty; it needs a header and rows", file=path)
    layout = layout_of(header, path)
    return TableRows(layout=layout, rows=_rows(path, layout, problems))


def _rows(path: Path, layout: Layout, problems: Problems) -> Iterator[Row]:
    width = len(layout.names)
    parsed = _parsed(path, problems)
    next(parsed)  # the header
    for at, values in parsed:
        if len(values) == width:
            yield at, values
        else:
            problems.lose(f"the row has {len(values)} cells, and the header {width}", at)


def _parsed(path: Path, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """Yield the line at which each row begins, and its cells; blank lines are none."""
    at = [0, 0]  # the line read last, and that at which the row begins

    def lines() -> Iterator[str]:
        for number, text in text_lines(path, problems):
            at[0] = number
            at[1] = at[1] or number
            yield text

    reader = csv.reader(lines(), strict=True)
    while True:
        at[1] = 0
        try:
            values = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            problems.lose(_words(error), at[1] or at[0])
            continue
        if values:
            yield at[1], values


def _words(error: csv.Error) -> str:
    text = str(error)
    if "new-line character" in text:
        return "a carriage return stands within the row; end lines with LF or CRLF"
    if "field larger" in text:
        return "a cell is longer than 131,072 characters"
    if "unexpected end of data" in text:
        return "a quotation mark that opens here is never closed"
    if "expected after" in text:
        return "a quoted cell goes on after its closing quotation mark"
    return f"the row is not CSV: {text}"
