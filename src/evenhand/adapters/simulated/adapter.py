"""`SimulatedAdapter`: draws answers from a declared profile. Every report says that no model answered."""

import asyncio
import itertools
import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any, Self

from evenhand._base.digest import digest
from evenhand.adapters.base import Message, ModelAdapter, check_config
from evenhand.adapters.simulated.draws import draws
from evenhand.adapters.simulated.profile import Profile, load_profile
from evenhand.adapters.simulated.reading import Reader, Reading
from evenhand.adapters.simulated.terms import reply, terms
from evenhand.adapters.simulated.writing import bank, draws_needed, write
from evenhand.core.outcomes import Answered, Blocked, Usage
from evenhand.core.protocols import Capabilities
from evenhand.core.types import GeneratedOutput, GenerationConfig, ModelInfo, Outcome
from evenhand.errors import ModelError

_STANDARD_NORMAL = NormalDist()
_CAPABILITIES = Capabilities(converse=True, parameters=frozenset({"max_tokens", "seed"}), seeds="deterministic")
_NO_CONFIG = GenerationConfig()
_OUTCOMES = ("fail_rate", "block_rate", "empty_rate", "refusal_rate")


class SimulatedAdapter(ModelAdapter):
    """A stochastic model with declared biases.

    Parameters
    ----------
    profile
        What is declared.
    name
        The model as requested; the profile's name if not given.

    Notes
    -----
    Everything about an answer is drawn from the stream of (the request's seed, the prompt): the same request gets
    the same answer whatever the order or the concurrency. Without a seed, the adapter counts its calls and uses the
    count, so that answers differ, and repeat only if the calls come in the same order.

    One word counts as one token; `max_tokens` cuts a text after that many words.
    """

    def __init__(self, profile: Profile, *, name: str | None = None) -> None:
        self.profile = profile
        self._name = name or f"simulated/{profile.name}"
        self._reader = Reader(profile)
        self._unseeded = itertools.count()
        self._most_draws = 5 + draws_needed(self._longest())

    @classmethod
    def from_spec(cls, model: str, options: Mapping[str, Any]) -> Self:
        """Make the adapter for ``simulated/NAME`` or ``simulated/PATH.yaml``; it takes no options."""
        if options:
            return super().from_spec(model, options)
        return cls(load_profile(model), name=f"simulated/{model}")

    @property
    def name(self) -> str:
        """As requested."""
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        """Prompts and conversations, a length limit, a seed; there is nothing that a temperature could do."""
        return _CAPABILITIES

    def get_model_info(self) -> ModelInfo:
        """Return the whole declaration with its digest, and the version of the texts."""
        declared = self.profile.model_dump(mode="json", exclude_none=True)
        details = {"declared": declared, "profile_digest": digest(declared), "texts": bank().version}
        if self.profile.conversations is not None:
            details["terms"] = terms().version
        return ModelInfo(provider="simulated", name=self.profile.name, is_simulated=True, details=details)

    async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedOutput:
        """Draw one answer.

        Raises
        ------
        CapabilityError
            If a parameter is set that means nothing here.
        ModelError
            As often as the profile's `fail_rate` says; not worth a retry.
        """
        config = config or _NO_CONFIG
        outcome = self._draw(prompt, await self._begin(config), config.max_tokens)
        return self._output(outcome, prompt)

    async def converse(self, messages: Sequence[Message], config: GenerationConfig | None = None) -> GeneratedOutput:
        """Draw the next reply of a conversation; as `generate`, with the profile's own rates.

        Notes
        -----
        What is declared of groups, roles and lengths is about single prompts; `Profile.conversations` says what
        happens here.
        """
        config = config or _NO_CONFIG
        seed = await self._begin(config)
        sent = "\n".join(str(message.get("content", "")) for message in messages)
        fate, phrase, decide, how = draws(4, seed[1], "simulated conversation", seed[0], sent)
        for rate in _OUTCOMES:
            fate -= self.profile.rate(None, rate)
            if fate < 0:
                return self._output(_other_outcome(rate, phrase), sent)
        declared = self.profile.conversations
        treated, rate_ = (declared.treated, declared.violation_rate) if declared else ((), 0.0)
        text = reply(messages, treated, violation_rate=rate_, decide=decide, how=how)
        return self._output(_cut(text, config.max_tokens), sent)

    async def _begin(self, config: GenerationConfig) -> tuple[str, int]:
        """Check the call, take the declared time, and return what the answer is drawn from."""
        check_config(self, config)
        if self.profile.latency_ms:
            await asyncio.sleep(self.profile.latency_ms / 1000)
        return ("seeded", config.seed) if config.seed is not None else ("unseeded", next(self._unseeded))

    def _output(self, outcome: Outcome, sent: str) -> GeneratedOutput:
        words = len(outcome.text.split()) if isinstance(outcome, Answered) else 0
        usage = Usage(input_tokens=len(sent.split()), output_tokens=words)
        return GeneratedOutput(outcome=outcome, model=self.profile.name, usage=usage)

    def _draw(self, prompt: str, seed: tuple[str, int], max_tokens: int | None) -> Outcome:
        reading, profile = self._reader.read(prompt), self.profile
        fate, pronoun, length, toxic, phrase, *rest = draws(self._most_draws, seed[1], "simulated", seed[0], prompt)
        # one draw decides between outcomes that exclude each other, so that each declared rate is exact
        for rate in _OUTCOMES:
            fate -= profile.rate(reading.group, rate)
            if fate < 0:
                return _other_outcome(rate, phrase)
        text = write(reading.role, _choose(reading.pronouns, pronoun), self._words(reading, length), rest)
        if toxic < profile.rate(reading.group, "toxic_rate"):
            text = f"{text} {_choose_evenly(profile.toxic_phrases, phrase)}"
        return _cut(text, max_tokens)

    def _longest(self) -> int:
        factors = (group.length_factor for group in self.profile.groups.values())
        length = self.profile.length
        return math.ceil(max((1.0, *factors)) * (length.mean_words + 3 * length.sd_words))

    def _words(self, reading: Reading, draw: float) -> int:
        length = self.profile.length
        deviation = _STANDARD_NORMAL.inv_cdf(min(max(draw, 0.00135), 0.99865))  # three standard deviations
        factor = reading.group.length_factor if reading.group else 1.0
        return max(1, round(factor * (length.mean_words + length.sd_words * deviation)))


def _other_outcome(rate: str, draw: float) -> Outcome:
    match rate:
        case "fail_rate":
            raise ModelError("simulated failure, as the profile declares")
        case "block_rate":
            return Blocked(reason="simulated filter, as the profile declares")
        case "empty_rate":
            return Answered(text="", finish_reason="stop")
        case _:
            return Answered(text=_choose_evenly(bank().refusals, draw), finish_reason="stop")


def _choose(shares: Sequence[tuple[str, float]], draw: float) -> str:
    for name, share in shares:
        draw -= share
        if draw < 0:
            return name
    return max(shares, key=lambda item: item[1])[0]  # shares that sum to a little less than 1


def _choose_evenly(items: Sequence[str], draw: float) -> str:
    return items[int(draw * len(items))]


def _cut(text: str, max_tokens: int | None) -> Answered:
    words = text.split()
    if max_tokens is None or len(words) <= max_tokens:
        return Answered(text=text, finish_reason="stop")
    return Answered(text=" ".join(words[:max_tokens]), finish_reason="length")
