"""How long a provider asks us to wait: the Retry-After header, in seconds or as a date."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite


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
    RFC 9110, section 10.2.3. ``retry-after-ms`` is more exact where it is sent.

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> from evenhand.adapters.retry_after import retry_after_s
    >>> retry_after_s({"retry-after": "Fri, 01 Jan 2027 00:01:00 GMT"}, now=datetime(2027, 1, 1, tzinfo=UTC))
    60.0
    """
    milliseconds = _seconds(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    header = headers.get("retry-after")
    seconds = _seconds(header)
    if seconds is not None or header is None:
        return seconds
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def _seconds(text: str | None) -> float | None:
    try:
        number = float(text) if text is not None else float("nan")
    except ValueError:
        return None
    return max(0.0, number) if isfinite(number) else None
