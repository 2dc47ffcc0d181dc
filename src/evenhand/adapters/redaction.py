"""Key material out of any text that is shown or stored."""

import json
import re
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

MARK = "[redacted]"

_BEGINNING = 8
"""So many characters of a secret, and more, are hidden where a text was cut within it."""

_PATTERNS = (
    re.compile(r"(?<=://)[^/\s@]+(?=@)"),  # credentials in a URL
    re.compile(r"(?i)(?<=\bbearer )[^\s'\",;]+"),
    # keys as providers write them, also half masked: "Incorrect API key provided: sk-abc****wxyz"
    re.compile(r"\b(?:sk|pk|rk|gsk|hf|xai)[-_][\w*-]{8,}"),
    re.compile(r"[\w-]*\*{4,}[\w-]*"),
)


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """Replace each of `secrets`, and whatever looks like a key, by ``[redacted]``.

    Parameters
    ----------
    text
        An error message, a traceback.
    secrets
        Known key material, replaced also in its URL-quoted, JSON and ``repr`` forms; empty ones are ignored.

    Examples
    --------
    >>> from evenhand.adapters.redaction import redact
    >>> redact("GET https://me:pass@host/v1 with key k-123", ["k-123"])
    'GET https://[redacted]@host/v1 with key [redacted]'
    """
    text = hide(text, secrets)
    for pattern in _PATTERNS:
        text = pattern.sub(MARK, text)
    return text


def hide(text: str, secrets: Iterable[str]) -> str:
    """Replace each of `secrets` alone, where a name may look like a key: in model names and request ids.

    A secret of which only the beginning is there, because the text was cut, is replaced too.
    """
    forms = {form for secret in secrets if secret for form in _forms(secret)}
    longest_first = sorted(forms, key=len, reverse=True)  # one secret may hold another
    for form in longest_first:
        text = text.replace(form, MARK)
    for form in longest_first:
        text = _hide_beginning(text, form)
    return text


def _hide_beginning(text: str, secret: str) -> str:
    if len(secret) <= _BEGINNING:
        return text
    while (at := text.find(secret[:_BEGINNING])) >= 0:
        length = next((n for n, (a, b) in enumerate(zip(text[at:], secret, strict=False)) if a != b), len(text) - at)
        text = text[:at] + MARK + text[at + min(length, len(secret)) :]
    return text


def _forms(secret: str) -> tuple[str, ...]:
    return (
        secret,
        quote(secret),
        quote(secret, safe=""),
        quote_plus(secret),
        repr(secret)[1:-1],
        json.dumps(secret)[1:-1],
    )
