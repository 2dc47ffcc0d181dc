"""Tokens and costs of something that has not been asked yet, in words."""

from evenhand.adapters.prices import VARIABLE, Price
from evenhand.api.planning import usd_at_most
from evenhand.instruments.audit.plan import Estimate


def tokens(takes: Estimate) -> str:
    """Say how many tokens go in and may come out."""
    output = "no limit" if takes.output_tokens_at_most is None else f"at most {takes.output_tokens_at_most:,}"
    return f"about {takes.input_tokens:,} in, {output} out"


def cost(takes: Estimate, price: Price | None) -> str:
    """Say what it may cost at most, by which price; what is not known is never 0."""
    if price is None:
        return f"not known: there is no price for this model (a price file of your own: {VARIABLE})"
    if price.is_free:
        return f"none: {price.note or 'nothing is billed'}"
    source = f", {price.source}" if price.source else ""
    return f"{short_cost(takes, price)} (price of {price.as_of}{source})"


def short_cost(takes: Estimate, price: Price | None) -> str:
    """Say the same without the source of the price."""
    if price is None:
        return "not known"
    if price.is_free:
        return "none"
    most = usd_at_most(takes, price)
    if most is None:
        for_prompts = takes.input_tokens * price.input_usd / 1_000_000
        return f"about {for_prompts:,.4f} USD for the prompts; the answers have no limit"
    return f"up to about {most:,.4f} USD"
