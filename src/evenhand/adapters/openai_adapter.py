"""`OpenAIAdapter`: OpenAI's own models, by chat completions, with what each family of them accepts."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Self

from evenhand.adapters.addresses import belongs_to
from evenhand.adapters.base import Message
from evenhand.adapters.families import family_of
from evenhand.adapters.openai_compatible import OPENAI_DOMAIN, OPTIONS, OpenAICompatibleAdapter
from evenhand.adapters.options import read_options
from evenhand.core.protocols import Capabilities
from evenhand.core.types import GeneratedOutput, GenerationConfig
from evenhand.errors import CapabilityError

_BASE_URL = "https://api.openai.com/v1"
_VARIABLE = "OPENAI_API_KEY"


class OpenAIAdapter(OpenAICompatibleAdapter):
    """A model of OpenAI.

    Parameters
    ----------
    model
        The model: ``"gpt-6-luna"``.
    api_key
        None if the environment has none; asking is then refused.
    base_url
        A regional address, or a proxy that you trust with the key.
    reasoning_effort
        How much the model reasons. ``"none"``, where a model offers it, makes temperature and top_p available.
    timeout_s
        Seconds after which one call is given up.

    Raises
    ------
    CapabilityError
        If the model is not offered by chat completions, or cannot do without reasoning.

    Notes
    -----
    Chat completions rather than responses: they hold every chat model of the SDK's list, and only they take a seed.
    `max_tokens` limits reasoning and answer together; an answer of which only reasoning is left ends with
    ``"reasoning_only"``.
    """

    def __init__(
        self,
        model: str,
        *,
        api_key: str | None,
        base_url: str = _BASE_URL,
        reasoning_effort: str | None = None,
        timeout_s: float = 600.0,
    ) -> None:
        super().__init__(
            model,
            base_url=base_url,
            api_key=api_key,
            max_tokens_field="max_completion_tokens",
            reasoning_effort=reasoning_effort,
            timeout_s=timeout_s,
            provider="openai",
            key_variable=_VARIABLE,
            needs_key=True,
        )
        self._family = family_of("openai", model)
        if self._family.refused:
            raise CapabilityError(f"openai/{model} {self._family.refused}")
        if reasoning_effort == "none" and self._family.thinking_off is None:
            raise CapabilityError(f"openai/{model} always reasons: reasoning_effort cannot be none")

    @classmethod
    def from_spec(cls, model: str, options: Mapping[str, Any]) -> Self:
        """Make the adapter for ``openai/MODEL``.

        Parameters
        ----------
        options
            api_key, base_url, reasoning_effort, timeout_s. Without `api_key` the key is taken from OPENAI_API_KEY,
            which is sent to api.openai.com and to nobody else.
        """
        readers = {name: reader for name, reader in OPTIONS.items() if name != "max_tokens_field"}
        given = read_options("openai", options, readers)
        base_url = given.pop("base_url", _BASE_URL)
        key = given.pop("api_key", None)
        if key is None and belongs_to(base_url, OPENAI_DOMAIN):
            key = os.environ.get(_VARIABLE)
        return cls(model, api_key=key, base_url=base_url, **given)

    @property
    def capabilities(self) -> Capabilities:
        """Prompts and conversations, with the parameters of the model's family."""
        without = self._family.takes_without_reasoning if self._dialect.reasoning_effort == "none" else ()
        takes = frozenset([*self._family.takes, *without])
        return Capabilities(converse=True, parameters=takes, seeds="best effort" if "seed" in takes else "none")

    async def _ask(self, messages: Sequence[Message], config: GenerationConfig) -> GeneratedOutput:
        self._family.check(config, self.name)
        return await super()._ask(messages, config)
