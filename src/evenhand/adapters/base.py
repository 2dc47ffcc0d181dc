"""The class that every text adapter derives from: three members to write, everything else has a default."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Self

from evenhand.adapters.closing import Closing
from evenhand.core.protocols import Adapter, Capabilities
from evenhand.core.question_spec import OptionScore
from evenhand.core.types import GeneratedOutput, GenerationConfig, ModelInfo
from evenhand.errors import CapabilityError, UsageError

_PARAMETERS = tuple(field.name for field in fields(GenerationConfig))

Message = Mapping[str, Any]
"""One turn: ``{"role": "system" | "user" | "assistant", "content": text}``."""


class ModelAdapter(Closing, ABC):
    """How one model is reached.

    Write `generate`, `get_model_info` and `name`. `generate` returns what came back, or raises a
    `evenhand.errors.ModelError`; it never retries, because `evenhand.adapters.retry` does that for all adapters.

    Examples
    --------
    >>> from evenhand.adapters.base import ModelAdapter
    >>> from evenhand.core.types import GeneratedOutput, ModelInfo
    >>> class Parrot(ModelAdapter):
    ...     async def generate(self, prompt, config=None) -> GeneratedOutput:
    ...         return GeneratedOutput.answer(prompt)
    ...     def get_model_info(self) -> ModelInfo:
    ...         return ModelInfo(provider="me", name="parrot")
    ...     @property
    ...     def name(self) -> str: return "parrot"
    >>> import asyncio
    >>> asyncio.run(Parrot().generate("Hello")).text
    'Hello'
    """

    @classmethod
    def from_spec(cls, model: str, options: Mapping[str, Any]) -> Self:
        """Make the adapter for ``provider/model``.

        Parameters
        ----------
        model
            What follows the first slash. An adapter for more than one model must override this method.
        options
            The provider's settings; from the command line their values are text.

        Raises
        ------
        UsageError
            If a setting is not known or a file is not there.
        """
        if options:
            raise UsageError(f"{cls.__name__} takes no options, but got: {', '.join(sorted(options))}")
        return cls()

    @property
    @abstractmethod
    def name(self) -> str:
        """Provider/model, as on the command line."""

    @abstractmethod
    def get_model_info(self) -> ModelInfo:
        """What is measured. `details` must be plain JSON and the same each time: a resumed run compares it."""

    @abstractmethod
    async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedOutput:
        """Answer one prompt.

        Raises
        ------
        ModelError
            If the provider or the network failed; `retryable` says whether another try makes sense.
        """

    @property
    def capabilities(self) -> Capabilities:
        """What it can do; by default single prompts with every sampling parameter."""
        return Capabilities()

    @property
    def secrets(self) -> Sequence[str]:
        """Texts that must never reach an error, a log or the store."""
        return ()

    async def converse(self, messages: Sequence[Message], config: GenerationConfig | None = None) -> GeneratedOutput:
        """Answer the last of several turns.

        Raises
        ------
        CapabilityError
            If the adapter cannot hold conversations.
        ModelError
            As `generate`.
        """
        raise CapabilityError(f"{self.name} cannot hold conversations (capability 'converse')")

    async def score_options(self, messages: Sequence[Message], options: Sequence[str]) -> Sequence[OptionScore]:
        """Return how likely the text of each option is as the beginning of the next turn, in nats.

        Raises
        ------
        CapabilityError
            If the adapter does not see likelihoods.
        """
        raise CapabilityError(f"{self.name} cannot score options (capability 'score_options')")


def default_config(adapter: Adapter) -> GenerationConfig:
    """Return how to sample if nobody says: our limit of the answer, where the adapter takes one."""
    config = GenerationConfig()
    return config if "max_tokens" in adapter.capabilities.parameters else replace(config, max_tokens=None)


def check_config(adapter: Adapter, config: GenerationConfig) -> None:
    """Refuse parameters that the adapter would not honour; nothing is dropped silently.

    Raises
    ------
    CapabilityError
        Naming every field that is set and that the adapter does not take.
    """
    takes = adapter.capabilities.parameters
    refused = [name for name in _PARAMETERS if name not in takes and getattr(config, name) is not None]
    if refused:
        raise CapabilityError(
            f"{adapter.name} does not take {', '.join(refused)}; leave it unset. "
            f"It takes: {', '.join(sorted(takes)) or 'nothing'}."
        )


def model_info(adapter: Adapter) -> ModelInfo:
    """Return what the adapter says about its model; what it leaves unsaid is taken from its name."""
    said: object = adapter.get_model_info()
    if isinstance(said, ModelInfo):
        return said
    provider, _, name = adapter.name.rpartition("/")
    return ModelInfo(provider=provider or "custom", name=name)
