"""Paths into a JSON reply: ``choices.0.message.content``, ``choices[0].text``, or a JSON pointer."""

import re
from collections.abc import Sequence
from typing import Any

from evenhand.errors import BadResponseError

Path = Sequence[str]

_DOTTED = re.compile(r"[^.\[\]]+|\[\d+\]")
_WHOLE = re.compile(r"(?:[^.\[\]]+|\[\d+\])(?:\.[^.\[\]]+|\[\d+\])*")


def read_path(text: str) -> Path:
    """Read a path.

    Parameters
    ----------
    text
        Steps with dots and brackets, or a JSON pointer (RFC 6901), which starts with a slash and can name keys that
        hold dots. An empty text is the whole reply.

    Raises
    ------
    ValueError
        Saying what it must be.

    Examples
    --------
    >>> from evenhand.adapters.webhook_paths import read_path
    >>> read_path("choices[0].message.content") == read_path("/choices/0/message/content")
    True
    """
    text = text.strip()
    if not text:
        return ()
    if text.startswith("/"):
        return tuple(step.replace("~1", "/").replace("~0", "~") for step in text[1:].split("/"))
    if not _WHOLE.fullmatch(text):
        raise ValueError("must be a path like choices[0].message.content or /choices/0/message/content")
    return tuple(step.strip("[]") for step in _DOTTED.findall(text))


def follow(reply: Any, path: Path) -> Any:
    """Return what stands at `path`.

    Raises
    ------
    BadResponseError
        If there is nothing; it names the step and what is there instead.
    """
    here = reply
    for index, step in enumerate(path):
        match here:
            case dict() if step in here:
                here = here[step]
            case list() if step.isascii() and step.isdigit() and int(step) < len(here):
                here = here[int(step)]
            case _:
                place = "/" + "/".join(path[:index])
                raise BadResponseError(f"the reply has no {step!r} at {place}: there is {_what(here)}")
    return here


def found(reply: Any, path: Path | None) -> Any:
    """Return what stands at `path`; None if there is nothing, or no path."""
    if path is None:
        return None
    try:
        return follow(reply, path)
    except BadResponseError:
        return None


def _what(value: object) -> str:
    match value:
        case dict():
            keys = ", ".join(repr(str(key)) for key in list(value)[:8])
            return f"an object with {keys}" if keys else "an empty object"
        case list():
            return f"a list of {len(value)}"
        case None:
            return "null"
        case _:
            return f"a value of type {type(value).__name__}"
