"""Files of answers to questions, CSV, JSON lines or Parquet → columns; every fault with file and row."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from evenhand._base.optional import require
from evenhand.errors import DataError, UsageError

COLUMNS = ("category", "example_id", "run", "answer")
_FORMS = (".csv", ".jsonl", ".parquet")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerColumns:
    """Answers as they were written, column by column; nothing is interpreted yet.

    Attributes
    ----------
    file
        Where they come from.
    rows
        Row of each answer in the file, from 1; of CSV the line, so the first answer is on line 2.
    categories, example_ids
        Which item.
    runs
        Name of the run; ``"1"`` everywhere if the file has no such column.
    answers
        Index, letter or text of the option; None or empty if the model gave nothing.
    """

    file: str
    rows: list[int] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    example_ids: list[int] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)
    answers: list[str | int | None] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.rows)


def read_answers(path: str | Path) -> AnswerColumns:
    """Read a file of answers: columns category, example_id, answer, and run if there is more than one.

    Raises
    ------
    DataError
        If the file cannot be read, lacks a column, or names an item in a way that cannot be one.
    UsageError
        If the ending of the file says no form that is known.
    MissingExtraError
        If it is Parquet and the package that reads it is not there.
    """
    source = Path(path)
    match source.suffix.lower():
        case ".csv":
            rows = _csv(source)
        case ".jsonl" | ".ndjson":
            rows = _jsonl(source)
        case ".parquet":
            rows = _parquet(source)
        case other:
            raise UsageError(f"answers are read from {', '.join(_FORMS)}; {source.name} ends in {other or 'nothing'!r}")
    return _columns(rows, str(source))


def _columns(rows: Iterable[tuple[int, Mapping[str, Any]]], file: str) -> AnswerColumns:
    found = AnswerColumns(file=file)
    for number, row in rows:
        missing = [name for name in COLUMNS if name not in row and name != "run"]
        if missing:
            raise DataError(f"the column {missing[0]!r} is missing; answers have {', '.join(COLUMNS)}", file=file)
        found.rows.append(number)
        found.categories.append(_category(row["category"], file, number))
        found.example_ids.append(_whole(row["example_id"], file, number))
        found.runs.append(_run(row.get("run", 1), file, number))
        found.answers.append(_answer(row["answer"], file, number))
    if not found.rows:
        raise DataError("the file holds no answer", file=file)
    return found


def _category(value: Any, file: str, number: int) -> str:
    if not isinstance(value, str) or not value.strip():
        raise DataError("a category is a text", file=file, line=number, field="category", value=value)
    return value.strip()


def _whole(value: Any, file: str, number: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        return int(value)
    raise DataError("an example_id is a whole number", file=file, line=number, field="example_id", value=value)


def _run(value: Any, file: str, number: int) -> str:
    if isinstance(value, (str, int)) and not isinstance(value, bool) and str(value).strip():
        return str(value).strip()
    raise DataError("a run has a number or a name", file=file, line=number, field="run", value=value)


def _answer(value: Any, file: str, number: int) -> str | int | None:
    if value is None or (isinstance(value, (str, int)) and not isinstance(value, bool)):
        return value
    raise DataError(
        "an answer is an index (0 to 2), a letter (A to C) or the text of an option",
        file=file,
        line=number,
        field="answer",
        value=value,
    )


def _csv(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream, strict=True)
            for row in reader:
                if None in row or None in row.values():
                    raise DataError("the row has more or fewer cells than the header", file=path, line=reader.line_num)
                yield reader.line_num, row
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"the file cannot be read as CSV in UTF-8: {error}", file=path) from error


def _jsonl(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                if line.strip():
                    yield number, _object(line, path, number)
    except OSError as error:
        raise DataError(f"the file cannot be read: {error}", file=path) from error


def _object(line: bytes, path: Path, number: int) -> Mapping[str, Any]:
    try:
        plain = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise DataError(f"not valid JSON: {error}", file=path, line=number) from error
    if not isinstance(plain, dict):
        raise DataError("an answer is a JSON object", file=path, line=number, value=plain)
    return plain


def _parquet(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    polars = require("polars", extra="frames", purpose="Reading Parquet")
    try:
        frame = polars.read_parquet(path)
    except (OSError, polars.exceptions.PolarsError) as error:
        raise DataError(f"the file cannot be read as Parquet: {error}", file=path) from error
    wanted = [name for name in COLUMNS if name in frame.columns]
    yield from enumerate(frame.select(wanted).iter_rows(named=True), start=1)
