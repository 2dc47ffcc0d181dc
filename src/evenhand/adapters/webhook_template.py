"""The body that a webhook is sent: JSON with placeholders, filled value by value, so that no prompt can break out."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from evenhand.errors import CapabilityError, UsageError

PLACEHOLDERS = ("prompt", "messages", "model", "max_tokens", "temperature", "top_p", "seed", "system")

_PLACEHOLDER = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")
_EXAMPLE = '{"input": "{{prompt}}", "limit": "{{max_tokens}}"}'
_NOTHING = object()


class Template:
    """A JSON body with placeholders.

    Parameters
    ----------
    source
        JSON text, or the value itself. A placeholder stands in double braces, inside a string: ``"{{prompt}}"``. A
        string that is nothing but one placeholder becomes the value with its type; elsewhere the value is put into
        the text. Keys are left alone.

    Raises
    ------
    UsageError
        If it is not JSON, holds a placeholder that does not exist, or has no place for the prompt.
    """

    def __init__(self, source: object) -> None:
        self._body = _parsed(source)
        self.names = frozenset(_names(self._body))
        for name in sorted(self.names):
            if name not in PLACEHOLDERS:
                near = get_close_matches(name, PLACEHOLDERS, n=1)
                hint = f" Did you mean {near[0]!r}?" if near else ""
                known = ", ".join(PLACEHOLDERS)
                raise UsageError(f"the body of the webhook has no placeholder {name!r}.{hint} Known: {known}.")
        if not self.names & {"prompt", "messages"}:
            raise UsageError(f"the body of the webhook needs a place for the prompt, as in {_EXAMPLE}")

    def fill(self, values: Mapping[str, Any]) -> Any:
        """Return the body with `values` in place.

        Parameters
        ----------
        values
            Placeholder to value; None where nothing is set. A field of an object whose whole value is such a
            placeholder is left out, so that the service uses its own default.

        Raises
        ------
        CapabilityError
            If a value that is not set is needed in the middle of a text or in a list.
        """
        filled = _filled(self._body, values)
        if filled is _NOTHING:
            raise _unset(self._body)
        return filled

    @property
    def source(self) -> Any:
        """The body as given, decoded."""
        return self._body


def _parsed(source: object) -> Any:
    if not isinstance(source, str):
        body = source
    else:
        try:
            body = json.loads(source)
        except (ValueError, RecursionError) as error:
            raise UsageError(
                f"the body of the webhook is not JSON ({error}); placeholders stand inside quotes, as in {_EXAMPLE}"
            ) from None
    try:
        json.dumps(body, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"the body of the webhook cannot be sent as JSON: {error}") from None
    return body


def _names(value: object) -> Iterator[str]:
    match value:
        case str():
            yield from _PLACEHOLDER.findall(value)
        case Mapping():
            for inner in value.values():
                yield from _names(inner)
        case Sequence():
            for inner in value:
                yield from _names(inner)


def _filled(value: Any, values: Mapping[str, Any]) -> Any:
    match value:
        case str():
            return _filled_text(value, values)
        case Mapping():
            filled = {key: _filled(inner, values) for key, inner in value.items()}
            return {key: inner for key, inner in filled.items() if inner is not _NOTHING}
        case Sequence():
            items = [_filled(inner, values) for inner in value]
            for item, source in zip(items, value, strict=True):
                if item is _NOTHING:
                    raise _unset(source)
            return items
        case _:
            return value


def _filled_text(text: str, values: Mapping[str, Any]) -> Any:
    whole = _PLACEHOLDER.fullmatch(text)
    if whole is not None:
        value = values[whole[1]]
        return _NOTHING if value is None else value

    def put(match: re.Match[str]) -> str:
        value = values[match[1]]
        if value is None:
            raise _unset(match[0])
        return value if isinstance(value, str) else json.dumps(value)

    # one pass: braces in a prompt are text, not placeholders
    return _PLACEHOLDER.sub(put, text)


def _unset(placeholder: object) -> CapabilityError:
    return CapabilityError(f"the body of the webhook needs {placeholder} here, and it is not set; set it")
