"""Files of questions in BBQ's schema, JSON lines, plain or gzipped → items; every fault with file and line."""

import gzip
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import orjson

from evenhand.core.questions import Condition, Item, Polarity
from evenhand.errors import DataError

_OPTIONS = ("ans0", "ans1", "ans2")
_POLARITIES, _CONDITIONS = get_args(Polarity), get_args(Condition)


def read_items(paths: Sequence[str | Path]) -> list[Item]:
    """Read all items of some files.

    Raises
    ------
    DataError
        If a file cannot be read, a line does not say what it must, or an item occurs twice.
    """
    items = [item for path in paths for item in _read(Path(path))]
    seen = set[tuple[str, int]]()
    for item in items:
        if item.key in seen:
            raise DataError(f"item {item.category} {item.example_id} occurs twice; the key is category and example_id")
        seen.add(item.key)
    return items


def _read(path: Path) -> Iterator[Item]:
    found = False
    for number, line in enumerate(_lines(path), start=1):
        if line.strip():
            found = True
            yield _item(line, str(path), number)
    if not found:
        raise DataError("the file holds no item", file=str(path))


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as raw:
            is_gzip = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            with gzip.GzipFile(fileobj=raw) if is_gzip else raw as stream:
                yield from stream
    except (OSError, EOFError, gzip.BadGzipFile) as error:
        raise DataError(f"the file cannot be read: {error}", file=str(path)) from error


def _item(line: bytes, file: str, number: int) -> Item:
    try:
        plain = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise DataError(f"not valid JSON: {error}", file=file, line=number) from error
    return _Line(plain, file, number).item()


class _Line:
    """One line's fields, each checked when it is asked for."""

    def __init__(self, plain: Any, file: str, number: int) -> None:
        self._file, self._number = file, number
        if not isinstance(plain, Mapping):
            raise self._wrong("an item is a JSON object", None, plain)
        self._plain: Mapping[str, Any] = plain

    def item(self) -> Item:
        info = self._mapping("answer_info")
        more = self._mapping("additional_metadata") if "additional_metadata" in self._plain else {}
        codes = tuple(self._answer(info, option)[1] for option in _OPTIONS)
        if codes.count("unknown") != 1:
            raise self._wrong("exactly one option has the code 'unknown'", "answer_info", list(codes))
        label = self._plain.get("label")
        if label not in (0, 1, 2) or isinstance(label, bool):
            raise self._wrong("the label is 0, 1 or 2", "label", label)
        example_id = self._plain.get("example_id")
        if not isinstance(example_id, int) or isinstance(example_id, bool):
            raise self._wrong("the example_id is a whole number", "example_id", example_id)
        return Item(
            category=self._text("category"),
            example_id=example_id,
            question_index=self._text("question_index"),
            polarity=self._one_of("question_polarity", _POLARITIES),
            condition=self._one_of("context_condition", _CONDITIONS),
            context=self._text("context"),
            question=self._text("question"),
            options=self._three([self._text(option) for option in _OPTIONS]),
            people=self._three([self._answer(info, option)[0] for option in _OPTIONS]),
            codes=self._three(list(codes)),
            label=label,
            subcategory=str(more.get("subcategory") or ""),
            stereotyped=tuple(str(group) for group in more.get("stereotyped_groups") or ()),
            stereotyped_second=str(more.get("stereotyped_second") or ""),
        )

    def _text(self, field: str) -> str:
        value = self._plain.get(field)
        if not isinstance(value, str) or not value.strip():
            raise self._wrong("this field is a text", field, value)
        return value

    def _one_of(self, field: str, allowed: tuple[Any, ...]) -> Any:  # Any: which literal, the caller knows
        value = self._plain.get(field)
        if value not in allowed:
            raise self._wrong(f"this field is {' or '.join(allowed)}", field, value)
        return value

    def _mapping(self, field: str) -> Mapping[str, Any]:
        value = self._plain.get(field)
        if not isinstance(value, Mapping):
            raise self._wrong("this field is an object", field, value)
        return value

    def _answer(self, info: Mapping[str, Any], option: str) -> tuple[str, str]:
        pair = info.get(option)
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(part, str) for part in pair):
            raise self._wrong("an answer is described by two texts", f"answer_info.{option}", pair)
        return pair[0], pair[1]

    @staticmethod
    def _three(values: Sequence[str]) -> tuple[str, str, str]:
        first, second, third = values
        return first, second, third

    def _wrong(self, problem: str, field: str | None, value: Any) -> DataError:
        return DataError(problem, file=self._file, line=self._number, field=field, value=repr(value)[:60])
