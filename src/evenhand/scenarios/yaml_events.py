"""YAML text to parser events: the encoding, size and characters are checked before the parser sees anything."""

import re
from collections.abc import Iterator
from typing import Any

import yaml
from yaml.events import Event

from evenhand.errors import SpecError

MAX_BYTES = 5_000_000

# libyaml where PyYAML was built with it: about ten times faster, the same events
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FORBIDDEN = re.compile("[^\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def events(content: str | bytes, *, source: str) -> Iterator[Event]:
    """Yield the events of a YAML text, or raise SpecError with the line on which it stops being one."""
    text = _checked(content if isinstance(content, str) else _decoded(content, source), source)
    try:
        yield from yaml.parse(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        context = f"{error.context}, " if error.context else ""
        problem = f"this is not YAML: {context}{error.problem}"
        raise SpecError(problem, file=source, line=mark.line + 1 if mark else None) from error
    except yaml.YAMLError as error:
        raise SpecError(f"this is not YAML: {error}", file=source) from error


def _decoded(content: bytes, source: str) -> str:
    _check_size(len(content), source)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SpecError("the file is not in UTF-8; save it in that encoding", file=source, line=line) from error


def _checked(text: str, source: str) -> str:
    _check_size(len(text), source)
    text = text.removeprefix("\ufeff")
    bad = _FORBIDDEN.search(text)
    if bad is None:
        return text
    line = text.count("\n", 0, bad.start()) + 1
    if bad[0] == "\t":
        raise SpecError(
            "the file holds a tab; use spaces (inside double quotes a tab is written \\t)", file=source, line=line
        )
    raise SpecError(f"the file holds the character U+{ord(bad[0]):04X}, which YAML forbids", file=source, line=line)


def _check_size(size: int, source: str) -> None:
    if size > MAX_BYTES:
        raise SpecError(f"the file is larger than {MAX_BYTES // 1_000_000} MB", file=source)
