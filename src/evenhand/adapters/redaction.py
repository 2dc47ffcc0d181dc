"""Key material out of any text that is shown or stored."""

import re
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

MARK = "[redacted]"

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
        Known key material, replaced also in its URL-quoted and ``repr`` forms; empty ones are ignored.

    Examples
    --------
    >>> from evenhand.adapters.redaction import redact
    >>> redact("GET https://me:pass@host/v1 with key k-123", ["k-123"])
    'GET https://[redacted]@host/v1 with key [redacted]'
    """
    forms = {form for secret in secrets if secret for form in _forms(secret)}
    for form in sorted(forms, key=len, reverse=True):  # the longest first: one secret may hold another
        text = text.replace(form, MARK)
    for pattern in _PATTERNS:
        text = pattern.sub(MARK, text)
    return text


def _forms(secret: str) -> tuple[str, ...]:
    return secret, quote(secret, safe=""), quote_plus(secret), repr(secret)[1:-1]
