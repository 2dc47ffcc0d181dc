"""What requests cost and may cost at most, by the dated price table. An unknown price stays unknown, never 0."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from evenhand.adapters.base import model_info
from evenhand.adapters.prices import VARIABLE, Price, cost_usd, price_of
from evenhand.core.outcomes import Answered, Usage
from evenhand.core.protocols import Adapter
from evenhand.core.types import GeneratedOutput, GenerationConfig
from evenhand.errors import UsageError
from evenhand.storage.records import Response

_FRAME_TOKENS = 64
"""Roles and separators that a provider puts around a prompt; generous."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pricing:
    """The price of one model under one way of sampling.

    Attributes
    ----------
    price
        None if it is not known.
    generation
        Its token limit and its system prompt bound what a request can cost.
    """

    price: Price | None
    generation: GenerationConfig = GenerationConfig()

    def worst_usd(self, prompt: str) -> float | None:
        """Return the most that one request can cost; None without a price or a limit of the answer.

        Notes
        -----
        No tokeniser makes more tokens than the text has bytes, so the bytes are the bound of the input.
        """
        limit = self.generation.max_tokens
        if limit is None and not (self.price and self.price.is_free):
            return None
        sent = len(prompt.encode()) + len((self.generation.system or "").encode()) + _FRAME_TOKENS
        return cost_usd(Usage(input_tokens=sent, output_tokens=limit or 0), self.price)

    def charge(self, prompt: str, output: GeneratedOutput) -> "Charge":
        """Say what one request cost.

        An answer whose tokens the provider did not count is charged at its worst case. Calls that gave no answer
        and no count are charged nothing: providers do not bill what they refuse or fail to deliver.
        """
        known = cost_usd(output.usage, self.price)
        if known is not None:
            return Charge(usd=known)
        if not isinstance(output.outcome, Answered):
            return Charge(usd=None if self.price is None else 0.0)
        return Charge(usd=self.worst_usd(prompt), is_assumed=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """What one request cost in US dollars; None if nothing can be said. Assumed: the worst case, not a count."""

    usd: float | None
    is_assumed: bool = False


def pricing(adapter: Adapter, generation: GenerationConfig) -> Pricing:
    """Look up the price of what `adapter` reaches."""
    info = model_info(adapter)
    return Pricing(price=price_of(info.provider, info.name), generation=generation)


def check_affordable(budget_usd: float | None, priced: Pricing, prompts: Iterable[str], *, model: str) -> None:
    """Refuse a budget that cannot be kept to, before anything is asked.

    Raises
    ------
    UsageError
        If there is no price, no limit of the answers, or not enough for a single request.
    """
    if budget_usd is None:
        return
    if priced.price is None:
        raise UsageError(
            f"a budget needs a price, and none is known for {model}. Leave the budget out, or put the price into a "
            f"file of your own and name it in the variable {VARIABLE}: prices: [{{provider: …, model: …, input: USD "
            "per million tokens, output: USD per million tokens, as_of: YYYY-MM-DD}]"
        )
    worst = [priced.worst_usd(prompt) for prompt in prompts]
    known = [usd for usd in worst if usd is not None]
    if len(known) < len(worst):
        raise UsageError(
            f"a budget needs a worst case, and a request to {model} has none: set max_tokens, and keep prompts within "
            "the length for which the price holds"
        )
    if known and budget_usd < known[0]:
        raise UsageError(
            f"a budget of {budget_usd:g} USD does not cover the first request, which may cost up to {known[0]:.2g} USD "
            f"(price of {priced.price.as_of}); give more, or lower max_tokens"
        )


def cost_of(responses: Iterable[Response], priced: Pricing) -> dict[str, Any]:
    """Add up what requests cost, every round of them: the manifest's entry.

    Returns
    -------
    dict
        ``usd`` (None if the price is not known), ``input_tokens`` and ``output_tokens`` as counted by the provider,
        ``answers_not_counted`` (without a token count; charged at their worst case, ``assumed_usd`` in all) and
        the ``price`` with its date.
    """
    usd = assumed = 0.0
    sent = received = uncounted = 0
    for response in responses:
        output = response.output
        charge = priced.charge(response.request.prompt, output)
        usd += charge.usd or 0.0
        sent += output.usage.input_tokens or 0
        received += output.usage.output_tokens or 0
        if charge.is_assumed:
            uncounted += 1
            assumed += charge.usd or 0.0
    return {
        "usd": None if priced.price is None else usd,
        "input_tokens": sent,
        "output_tokens": received,
        "answers_not_counted": uncounted,
        "assumed_usd": assumed,
        "price": None if priced.price is None else asdict(priced.price),
    }
