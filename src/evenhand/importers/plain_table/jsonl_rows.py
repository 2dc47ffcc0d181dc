"""Rows of a file with one JSON object a line."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from evenhand.errors import DataError
from evenhand.importers.plain_table.collect import Row, TableRows
from evenhand.importers.plain_table.layout import Layout, layout_of
from evenhand.importers.plain_table.lines import text_lines
from evenhand.importers.plain_table.problems import Problems

_NEEDED = ("trace", "turn", "attribute", "decision")


class _Twice(ValueError):  # noqa: N818 - turned into an error where file and line are known
    pass


def jsonl_rows(path: Path, problems: Problems) -> TableRows:
    """Read which fields there are.

    Raises
    ------
    DataError
        If no line holds an object, or a field is not what it must be.
    """
    quiet = Problems(path, "report", has_lines=True)
    header = _fields(path, quiet, problems)
    layout = layout_of(header, path, line=None)
    return TableRows(layout=layout, rows=_rows(path, layout, problems))


def _fields(path: Path, quiet: Problems, problems: Problems) -> tuple[str, ...]:
    """Return all fields that occur, in the order in which they do; a field may be missing from a line."""
    names: dict[str, None] = {}
    for _, plain in _objects(path, quiet):
        names.update(dict.fromkeys(plain))
    if not names:
        for problem in quiet.listed[:1]:
            raise problem.error(problems.file)
        raise DataError("the file is empty; it needs a JSON object in every line", file=path)
    return tuple(names)


def _rows(path: Path, layout: Layout, problems: Problems) -> Iterator[Row]:
    names = layout.names
    needed = [layout.names[place] for word, place in layout.place.items() if word in _NEEDED]
    parsed = _objects(path, problems)
    for at, plain in parsed:
        missing = next((name for name in needed if name not in plain), None)
        if missing is None:
            yield at, [plain.get(name) for name in names]
        else:
            problems.lose(f"the field {missing!r} is missing", at)


def _objects(path: Path, problems: Problems) -> Iterator[tuple[int, dict[str, object]]]:
    for at, text in text_lines(path, problems):
        if not text.strip():
            continue
        complaint = ""
        try:
            plain = json.loads(text, object_pairs_hook=_pairs)
        except _Twice as error:
            complaint = str(error)
        except (ValueError, RecursionError):  # json's own error is a ValueError, and so is a number of 5,000 digits
            complaint = "the line is not a JSON object"
        else:
            if isinstance(plain, dict):
                yield at, plain
                continue
            complaint = "the line is JSON, but not an object"
        problems.lose(complaint, at)


def _pairs(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    plain = {}
    for name, value in pairs:
        key = name.strip()
        if key in plain:
            raise _Twice(f"the field {key!r} is there twice")
        plain[key] = value
    return plain
