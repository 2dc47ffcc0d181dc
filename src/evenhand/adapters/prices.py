"""What answers cost: a dated price table as data. A model without an entry has no known price, which is never zero."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from evenhand.core.outcomes import Usage
from evenhand.errors import DataError

VARIABLE = "EVENHAND_PRICES"

_DATED = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$")
_NUMBERS = ("input", "output", "up_to_input_tokens")
_TEXTS = ("provider", "model", "source", "note")
_NEEDED = ("provider", "model", "input", "output", "as_of")
_MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What one model costs.

    Attributes
    ----------
    provider, model
        As in ``provider/model``; the model without a date, or ``"*"`` for all of a provider.
    input_usd, output_usd
        US dollars per million tokens of prompt and of answer. Thinking is billed as answer.
    as_of
        Day on which the price was known to hold, in ISO 8601.
    source
        Name of the page that states it.
    up_to_input_tokens
        Longer prompts cost more, at a rate that is not known here; None if there is no such step.
    note
        What a reader should know.
    """

    provider: str
    model: str
    input_usd: float
    output_usd: float
    as_of: str
    source: str = ""
    up_to_input_tokens: int | None = None
    note: str = ""

    @property
    def is_free(self) -> bool:
        """True if nothing is billed, whatever the number of tokens."""
        return self.input_usd == self.output_usd == 0


def price_of(provider: str, model: str, *, file: str | Path | None = None) -> Price | None:
    """Look up a price. Ask once per model: a file of the user's own is read each time.

    Parameters
    ----------
    provider, model
        The two parts of an adapter's name, or its provider and the snapshot that answered: a date at the end of
        the name makes no difference.
    file
        A price table of one's own, which wins over the shipped one; by default that in the variable EVENHAND_PRICES.

    Returns
    -------
    Price or None
        None if the price is not known.

    Raises
    ------
    DataError
        If the user's own table cannot be read or an entry of it does not fit.

    Examples
    --------
    >>> from evenhand.adapters.prices import price_of
    >>> price_of("anthropic", "claude-haiku-4-5-20251001").output_usd
    5.0
    >>> price_of("openai", "gpt-unheard-of") is None
    True
    """
    own = file or os.environ.get(VARIABLE, "").strip()
    tables = [price_table(own)] if own else []
    for table in (*tables, _shipped()):
        found = _find(table, provider, model)
        if found is not None:
            return found
    return None


def cost_usd(usage: Usage, price: Price | None) -> float | None:
    """Return what one answer cost, in US dollars.

    Returns
    -------
    float or None
        None, never 0, if the price is not known, the provider did not count the tokens, or the prompt is longer
        than the price holds for. 0 only where the price says that nothing is billed.

    Examples
    --------
    >>> from evenhand.adapters.prices import Price, cost_usd
    >>> from evenhand.core.outcomes import Usage
    >>> price = Price(provider="p", model="m", input_usd=2, output_usd=10, as_of="2026-11-30")
    >>> cost_usd(Usage(input_tokens=1_000, output_tokens=500), price)
    0.007
    """
    if price is None:
        return None
    if price.is_free:
        return 0.0
    sent, received = usage.input_tokens, usage.output_tokens
    if sent is None or received is None:
        return None
    if price.up_to_input_tokens is not None and sent > price.up_to_input_tokens:
        return None
    return (sent * price.input_usd + received * price.output_usd) / 1_000_000


def price_table(file: str | Path) -> Sequence[Price]:
    """Read a price table of the user's own; the shipped one shows the form.

    Raises
    ------
    DataError
        Naming the file and the field that does not fit.
    """
    path = Path(file).expanduser()
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        raise DataError(f"the price table cannot be read: {error}", file=path) from error
    return _read(content, str(path))


@cache
def _shipped() -> Sequence[Price]:
    file = resources.files("evenhand.adapters") / "data" / "prices.yaml"
    # ten times as quick in C, which is not for a user's file: it does not stop at hostile nesting
    return _read(file.read_bytes(), "prices.yaml", loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _find(table: Sequence[Price], provider: str, model: str) -> Price | None:
    names = (model, _DATED.sub("", model), "*")  # an entry for the very snapshot wins
    entries = {entry.model: entry for entry in table if entry.provider == provider}
    return next((entries[name] for name in names if name in entries), None)


def _read(content: bytes, source: str, *, loader: type[yaml.SafeLoader] = yaml.SafeLoader) -> Sequence[Price]:
    if len(content) > _MAX_BYTES:
        raise DataError(f"the price table is larger than {_MAX_BYTES // 1000} kB", file=source)
    try:
        document = yaml.load(content, Loader=loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise DataError(f"not YAML: {error.problem or error.context}", file=source, line=line) from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise DataError(f"not YAML: {str(error) or 'nested too deeply'}".splitlines()[0], file=source) from None
    if not isinstance(document, dict) or not isinstance(document.get("prices"), list):
        raise DataError("a price table is a mapping with a list called prices", file=source)
    return tuple(_price(entry, f"prices[{index}]", source) for index, entry in enumerate(document["prices"]))


def _price(entry: object, place: str, source: str) -> Price:
    if not isinstance(entry, dict):
        raise DataError("a price is a mapping", file=source, field=place, value=_shown(entry))
    for key in entry:
        if key not in (*_NUMBERS, *_TEXTS, "as_of"):
            raise DataError("not a field of a price", file=source, field=f"{place}.{key}")
    for key in _NEEDED:
        if key not in entry:
            raise DataError(f"{key} is missing", file=source, field=place)
    limit = entry.get("up_to_input_tokens")
    return Price(
        provider=_text(entry, "provider", place, source),
        model=_text(entry, "model", place, source),
        input_usd=_dollars(entry, "input", place, source),
        output_usd=_dollars(entry, "output", place, source),
        as_of=_day(entry, place, source),
        source=str(entry.get("source", "")),
        up_to_input_tokens=None if limit is None else int(_dollars(entry, "up_to_input_tokens", place, source)),
        note=str(entry.get("note", "")),
    )


def _text(entry: Mapping[Any, Any], key: str, place: str, source: str) -> str:
    value = entry[key]
    if not isinstance(value, str) or not value.strip():
        raise DataError("must be a text", file=source, field=f"{place}.{key}", value=_shown(value))
    return value.strip()


def _dollars(entry: Mapping[Any, Any], key: str, place: str, source: str) -> float:
    value = entry[key]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise DataError("must be a number of at least 0", file=source, field=f"{place}.{key}", value=_shown(value))
    return float(value)


def _day(entry: Mapping[Any, Any], place: str, source: str) -> str:
    value = entry["as_of"]
    try:
        return (value if type(value) is date else date.fromisoformat(value)).isoformat()
    except (TypeError, ValueError):
        raise DataError(
            "must be a day, as in 2026-11-30", file=source, field=f"{place}.as_of", value=_shown(value)
        ) from None


def _shown(value: object) -> object:
    # aliases make a small file of lists that nobody could print
    return value if isinstance(value, str | int | float | date | None) else type(value).__name__
