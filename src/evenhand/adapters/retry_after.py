"""How long a provider asks us to wait: Retry-After, or when the limit that is used up fills again."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite

# (what is left, when it fills again)
_LIMITS = (
    *((f"x-ratelimit-remaining-{what}", f"x-ratelimit-reset-{what}") for what in ("requests", "tokens")),
    *(
        (f"anthropic-ratelimit-{what}-remaining", f"anthropic-ratelimit-{what}-reset")
        for what in ("requests", "tokens", "input-tokens", "output-tokens")
    ),
)
_UNITS = {"d": 86_400.0, "h": 3_600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_DURATION = re.compile(r"(?:\d+(?:\.\d+)?(?:ms|[dhms]))+")
_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|[dhms])")


def retry_after_s(headers: Mapping[str, str], *, now: datetime) -> float | None:
    """Return the seconds to wait, at least 0; None if the provider does not say or says it illegibly.

    Parameters
    ----------
    headers
        Of the response; lookup must ignore case, as that of HTTP libraries does.
    now
        Aware time, which a date in the header is compared with.

    Notes
    -----
    RFC 9110, section 10.2.3. ``retry-after-ms`` is more exact where it is sent. Without either, the limits that have
    nothing left decide (``x-ratelimit-…``, ``anthropic-ratelimit-…``): the last of them to fill again.

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> from evenhand.adapters.retry_after import retry_after_s
    >>> now = datetime(2027, 1, 1, tzinfo=UTC)
    >>> retry_after_s({"retry-after": "Fri, 01 Jan 2027 00:01:00 GMT"}, now=now)
    60.0
    >>> retry_after_s({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1m6.5s"}, now=now)
    66.5
    """
    milliseconds = _seconds(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    header = headers.get("retry-after")
    if header is None:
        return _until_refilled(headers, now)
    seconds = _seconds(header)
    return seconds if seconds is not None else _until_date(header, now)


def _until_date(header: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def _until_refilled(headers: Mapping[str, str], now: datetime) -> float | None:
    waits = [_until_reset(headers.get(reset), now) for left, reset in _LIMITS if _seconds(headers.get(left)) == 0.0]
    known = [wait for wait in waits if wait is not None]
    return max(known) if known else None


def _until_reset(header: str | None, now: datetime) -> float | None:
    text = (header or "").strip()
    if _DURATION.fullmatch(text):
        return sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(text))
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return max(0.0, (moment - now).total_seconds()) if moment.tzinfo else None


def _seconds(text: str | None) -> float | None:
    try:
        number = float(text) if text is not None else float("nan")
    except ValueError:
        return None
    return max(0.0, number) if isfinite(number) else None
