"""Text from models and files, made safe to write: no control characters, no half surrogates."""

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")

# C0 and C1 controls but tab and newline (a terminal would obey them), halves of surrogate pairs (UTF-8 cannot
# say them), and the bidirectional controls, which reorder the text *around* an answer
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_NEWLINES = re.compile("\r\n?|[\u2028\u2029]")


def cleaned(value: T) -> T:
    """Replace unsafe characters by U+FFFD in every text inside `value`, whatever its nesting."""
    result: Any = _cleaned(value)
    checked: T = result
    return checked


def _cleaned(value: Any) -> Any:
    match value:
        case None | bool() | int() | float():  # most of a scorecard, and cheap to tell
            return value
        case str() if value.isprintable():  # no control, no separator but the blank, no half of a pair
            return value
        case str():
            return _UNSAFE.sub("�", _NEWLINES.sub("\n", value))
        case Mapping():
            return {_cleaned(key): _cleaned(inner) for key, inner in value.items()}
        case list() | tuple():
            return tuple(_cleaned(inner) for inner in value)
        case _ if is_dataclass(value) and not isinstance(value, type):
            before = {name: getattr(value, name) for name in _names(type(value))}
            after = {name: _cleaned(inner) for name, inner in before.items()}
            # nearly every text is clean: what does not change is not made again
            return value if after == before else replace(value, **after)
        case _:
            return value


@cache
def _names(kind: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))
