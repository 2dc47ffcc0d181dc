"""Numbers and names as text. Written once here, printed the same in every form."""

from datetime import UTC, datetime
from math import floor, log10

from evenhand.core.results import Interval, JsonScalar

NOTHING = "—"
"""Printed where there is no number. The reason stands beside it."""

_MINUS = "−"  # U+2212: as wide as a plus in tabular figures, and not a bullet in Markdown


def number(value: float | None, *, signed: bool = False) -> str:
    """Write a value of a metric: three decimals, or two significant digits where those would hide it.

    Examples
    --------
    >>> from evenhand.reporting.text import number
    >>> number(0.14679), number(0.0), number(0.00012), number(-0.02), number(None)
    ('0.147', '0.000', '0.00012', '−0.020', '—')
    """
    if value is None:
        return NOTHING
    magnitude = abs(value)
    text = f"{magnitude:,.3f}" if magnitude == 0 or magnitude >= 0.0005 else _small(magnitude)
    return _sign(value, signed=signed) + text


def count(value: int | None) -> str:
    """Write a count, with commas from 10,000 on (below, so that a year stays a year, without)."""
    if value is None:
        return NOTHING
    return f"{value:,}" if abs(value) >= 10_000 else str(value)


def percent(share: float | None) -> str:
    """Write a share in [0, 1] as a whole percentage; with one decimal where rounding would say 0 or 100 wrongly."""
    if share is None:
        return NOTHING
    points = share * 100
    misleading = (points < 0.5 or points >= 99.5) and points not in {0, 100}
    return f"{points:.1f}%" if misleading else f"{points:.0f}%"


def probability(value: float | None) -> str:
    """Write a p-value; never as 0."""
    if value is None:
        return NOTHING
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def interval(limits: Interval | None) -> str:
    """Write a confidence interval with its level, method and target."""
    if limits is None:
        return ""
    doubt = ", approximate" if limits.approximate else ""
    level = f"{limits.level * 100:g}%"
    return f"{number(limits.low)} to {number(limits.high)} ({level}, {limits.method}, {limits.target}{doubt})"


def scalar(value: JsonScalar) -> str:
    """Write one cell of a descriptive table."""
    match value:
        case None:
            return NOTHING
        case bool():
            return "yes" if value else "no"
        case int():
            return count(value)
        case float():
            return number(value)
        case str():
            return value


def setting(value: JsonScalar) -> str:
    """Write a setting as it was given."""
    return f"{value:g}" if isinstance(value, float) else scalar(value)


def heading(key: str) -> str:
    """Turn a field name into words: ``"refusal_rate"`` → ``"refusal rate"``."""
    return key.replace("_", " ").strip()


def moment(iso: str) -> str:
    """Write an ISO 8601 time to the minute in UTC; what is not one is printed as it is."""
    try:
        parsed = datetime.fromisoformat(iso)
    except ValueError:
        return iso
    if parsed.tzinfo is None:
        return iso
    return f"{parsed.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def plural(number_of: int, noun: str) -> str:
    """Write a count with its noun: ``"1 scenario"``, ``"12 scenarios"``."""
    return f"{count(number_of)} {noun}" if number_of == 1 else f"{count(number_of)} {noun}s"


def sentence(phrase: str) -> str:
    """Turn a phrase into a sentence: a capital first, a full stop last."""
    trimmed = phrase.strip()
    if not trimmed:
        return ""
    stop = "" if trimmed[-1] in ".!?…" else "."
    return trimmed[0].upper() + trimmed[1:] + stop


def shorten(text: str, limit: int) -> str:
    """Cut `text` to `limit` characters at most, the last an ellipsis if anything was cut."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _small(magnitude: float) -> str:
    digits = 1 - floor(log10(magnitude))
    return f"{magnitude:.{digits}f}" if digits <= 7 else f"{magnitude:.1e}"


def _sign(value: float, *, signed: bool) -> str:
    if value < 0:
        return _MINUS
    return "+" if signed and value > 0 else ""
