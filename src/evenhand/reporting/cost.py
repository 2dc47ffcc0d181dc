"""What a run cost, in one line. An unknown cost is said to be unknown, never shown as 0."""

from collections.abc import Mapping
from math import floor, log10
from typing import Any

from evenhand.core.types import EvaluationRun
from evenhand.reporting import text
from evenhand.reporting.view import Cost


def cost(run: EvaluationRun) -> Cost:
    """Read the cost out of the manifest of `run`."""
    stored: Mapping[str, Any] | None = run.manifest.get("cost")
    if stored is None:
        return Cost(text="not known: it is added up when a run closes", facts={})
    return Cost(text=_line(stored), facts=stored)


def dollars(usd: float) -> str:
    """Write US dollars to the cent, or with two significant digits where cents would hide them.

    Examples
    --------
    >>> from evenhand.reporting.cost import dollars
    >>> dollars(12.345), dollars(0.00123), dollars(0.0), dollars(1234.5)
    ('$12.35', '$0.0012', '$0.00', '$1,234.50')
    """
    if usd == 0 or usd >= 0.0995:
        return f"${usd:,.2f}"
    return f"${usd:.{1 - floor(log10(usd))}f}"


def _line(stored: Mapping[str, Any]) -> str:
    price = stored["price"]
    if price is None or stored["usd"] is None:
        return f"not known: there is no price for this model ({_tokens(stored)})"
    if price["input_usd"] == price["output_usd"] == 0:
        return f"none: {price['note'] or 'nothing is billed'}"
    spent = f"{dollars(stored['usd'])}{_budget(stored)} at prices of {price['as_of']}"
    return f"{spent} ({_tokens(stored)}){_assumed(stored)}"


def _tokens(stored: Mapping[str, Any]) -> str:
    return f"{text.count(stored['input_tokens'])} tokens in, {text.count(stored['output_tokens'])} out"


def _assumed(stored: Mapping[str, Any]) -> str:
    answers = stored["answers_not_counted"]
    if not answers:
        return ""
    return (
        f"; {dollars(stored['assumed_usd'])} of it is the worst case of {text.plural(answers, 'answer')} whose tokens "
        "the provider did not count"
    )


def _budget(stored: Mapping[str, Any]) -> str:
    return "" if stored["budget_usd"] is None else f" of a budget of {dollars(stored['budget_usd'])}"
