"""Any Python text and strict JSON as columns, without loss, in SQLite and PostgreSQL alike."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import orjson
from sqlalchemy import Dialect, Text
from sqlalchemy.types import TypeDecorator

from evenhand.errors import StoreError

ESCAPE = "\x1a"
"""U+001A SUBSTITUTE, followed by four hex digits, stands for a character that a database text cannot hold."""

_UNSTORABLE = re.compile("[\x00\x1a\ud800-\udfff]")
_ESCAPED = re.compile("\x1a([0-9a-f]{4})")
_ESCAPED_JSON = "\x1aescaped"
_ESCAPED_JSON_START = orjson.dumps({_ESCAPED_JSON: 0}).decode()[:-2]


class AnyText(TypeDecorator[str]):
    """Text that may hold NUL (which PostgreSQL refuses) and lone surrogates (which UTF-8 cannot say)."""

    impl = Text
    cache_ok = True

    # the processors themselves, not process_bind_param: one call per value instead of three

    def bind_processor(self, dialect: Dialect) -> Callable[[str | None], str | None]:
        """Escape on the way in."""
        return lambda value: None if value is None else escape_text(value)

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[str | None], str | None]:
        """Unescape on the way out."""
        return lambda value: value if value is None or ESCAPE not in value else unescape_text(value)


class StrictJson(TypeDecorator[Any]):
    """Plain JSON as text: readable with any tool, equal in every database, and never NaN.

    Parameters
    ----------
    what
        What the column holds, for error messages.
    """

    impl = Text
    cache_ok = True

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], str | None]:
        """Serialise on the way in; None is NULL."""
        return lambda value: None if value is None else to_json(value, self.what)

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[str | None], Any]:
        """Parse on the way out."""
        return lambda value: None if value is None else parse_json(value)


def escape_text(text: str) -> str:
    """Replace what a database text cannot hold by `ESCAPE` and its four hex digits. Other texts stay as they are."""
    if _is_storable(text):
        return text
    return _UNSTORABLE.sub(lambda match: f"{ESCAPE}{ord(match[0]):04x}", text)


def escape_all(texts: Sequence[Any]) -> Sequence[Any]:
    """Escape a whole column: one look at all of it, since nearly every column needs nothing. Each is a text or None."""
    if _is_storable("".join(filter(None, texts))):
        return texts
    return [text and escape_text(text) for text in texts]


def unescape_all(texts: Sequence[Any]) -> Sequence[Any]:
    """Undo `escape_all`."""
    if not any(text is not None and ESCAPE in text for text in texts):
        return texts
    return [text and unescape_text(text) for text in texts]


def unescape_text(text: str) -> str:
    """Undo `escape_text`."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)


def to_json(value: Any, what: str) -> str:
    """Serialise `value`, or say what about it is not JSON.

    Raises
    ------
    StoreError
        If it holds NaN, infinity, an integer of more than 64 bits, or something that JSON does not know.
    """
    try:
        text = _dumps(value, what)
    except orjson.JSONEncodeError as error:
        if "surrogates" not in str(error):
            raise StoreError(f"{what} cannot be stored as JSON: {error}.") from error
        return _escaped_json(value, what)
    # a value that looks like our own escape is escaped too, or reading would undo what was never done
    return _escaped_json(value, what) if text.startswith(_ESCAPED_JSON_START) else text


def to_json_all(values: Sequence[Any], what: str) -> list[str | None]:
    """Serialise a whole column as `to_json` would, with one look at all of it; None stays None."""
    try:
        # orjson never writes a line break, so that one can part the texts of values
        joined = b"\n".join([orjson.dumps(value, default=_plain) for value in values if value is not None])
    except orjson.JSONEncodeError:
        return _to_json_each(values, what)
    if b"null" in joined or _ESCAPED_JSON_START.encode() in joined:
        return _to_json_each(values, what)
    texts = iter(joined.decode().split("\n"))
    return [None if value is None else next(texts) for value in values]


def parse_json(text: str) -> Any:
    """Undo `to_json`."""
    value = orjson.loads(text)
    if text.startswith(_ESCAPED_JSON_START):
        return _map_texts(value[_ESCAPED_JSON], unescape_text)
    return value


def parse_all(texts: Sequence[str | None]) -> list[Any]:
    """Undo `to_json` for a whole column in one call of the parser; None stays None."""
    joined = f"[{','.join('null' if text is None else text for text in texts)}]"
    if _ESCAPED_JSON_START in joined:
        return [None if text is None else parse_json(text) for text in texts]
    values: list[Any] = orjson.loads(joined)
    return values


def _is_storable(text: str) -> bool:
    if "\x00" in text or ESCAPE in text:
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _escaped_json(value: Any, what: str) -> str:
    return _dumps({_ESCAPED_JSON: _map_texts(value, escape_text)}, what)


def _to_json_each(values: Sequence[Any], what: str) -> list[str | None]:
    return [None if value is None else to_json(value, what) for value in values]


def _dumps(value: Any, what: str) -> str:
    encoded = orjson.dumps(value, default=_plain)
    # orjson writes NaN as null, so only a text with a null can hide one: the slow search is for those alone
    if b"null" in encoded and (place := _nonfinite(value)) is not None:
        raise StoreError(f"{what}{place} is NaN or infinite, which JSON cannot say.")
    return encoded.decode()


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not a JSON type")


def _nonfinite(value: object, place: str = "") -> str | None:
    match value:
        case float() | np.floating():
            return None if math.isfinite(value) else place
        case Mapping():
            found = (_nonfinite(item, f"{place}[{key!r}]") for key, item in value.items())
        case list() | tuple():
            found = (_nonfinite(item, f"{place}[{index}]") for index, item in enumerate(value))
        case _:
            return None
    return next((inner for inner in found if inner is not None), None)


def _map_texts(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {change(key): _map_texts(item, change) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_map_texts(item, change) for item in value]
    return value
