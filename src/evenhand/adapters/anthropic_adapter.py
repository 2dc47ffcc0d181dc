"""`AnthropicAdapter`: Anthropic's models, through the official SDK, with what each family of them accepts."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from evenhand.adapters.addresses import Address, belongs_to
from evenhand.adapters.anthropic_messages import read_message, request_body, sampling
from evenhand.adapters.base import Message
from evenhand.adapters.families import family_of
from evenhand.adapters.hosted import HostedAdapter, environment_headers
from evenhand.adapters.options import Reader, one_of, positive_number, read_options, text
from evenhand.adapters.sdk_errors import translate
from evenhand.core.outcomes import Blocked
from evenhand.core.protocols import Capabilities
from evenhand.core.types import GeneratedOutput, GenerationConfig, ModelInfo
from evenhand.errors import CapabilityError

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

_DOMAIN = "api.anthropic.com"
_BASE_URL = f"https://{_DOMAIN}"
_VARIABLE = "ANTHROPIC_API_KEY"
_SDK_HEADERS = "ANTHROPIC_CUSTOM_HEADERS"
_API_VERSIONS = ("2023-06-01", "2026-10-21")


class AnthropicAdapter(HostedAdapter):
    """A model of Anthropic.

    Parameters
    ----------
    model
        The model: ``"claude-haiku-5-5"``.
    api_key
        None if the environment has none; asking is then refused.
    base_url
        Another address, such as a proxy that you trust with the key.
    api_version
        Version of the API. ``"2023-06-01"`` takes temperature or top_p for the models that still know them.
    thinking
        ``"off"`` or ``"on"``; None leaves it to the model's default.
    effort
        How hard the model works; None leaves it to the model's default.
    timeout_s
        Seconds after which one call is given up.

    Raises
    ------
    CapabilityError
        If the model's thinking cannot be turned off, or on.

    Notes
    -----
    `max_tokens` limits thinking and answer together; an answer of which only thinking is left ends with
    ``"reasoning_only"``. There are no seeds: replicates differ by the model's own chance.
    """

    def __init__(
        self,
        model: str,
        *,
        api_key: str | None,
        base_url: str = _BASE_URL,
        api_version: str = _API_VERSIONS[-1],
        thinking: str | None = None,
        effort: str | None = None,
        timeout_s: float = 600.0,
    ) -> None:
        super().__init__(
            model,
            provider="anthropic",
            address=Address.of(base_url),
            api_key=api_key,
            key_variable=_VARIABLE,
            needs_key=True,
            timeout_s=timeout_s,
        )
        self._family = family_of("anthropic", model)
        self._api_version, self._thinking, self._effort = api_version, thinking, effort
        self._thinking_type = self._word_for(thinking)
        self._client: AsyncAnthropic | None = None

    @classmethod
    def from_spec(cls, model: str, options: Mapping[str, Any]) -> Self:
        """Make the adapter for ``anthropic/MODEL``.

        Parameters
        ----------
        options
            api_key, base_url, api_version, thinking, effort, timeout_s. Without `api_key` the key is taken from
            ANTHROPIC_API_KEY, which is sent to api.anthropic.com and to nobody else.
        """
        given = read_options("anthropic", options, _OPTIONS)
        base_url = given.pop("base_url", _BASE_URL)
        key = given.pop("api_key", None)
        if key is None and belongs_to(base_url, _DOMAIN):
            key = os.environ.get(_VARIABLE)
        return cls(model, api_key=key, base_url=base_url, **given)

    @property
    def capabilities(self) -> Capabilities:
        """Prompts and conversations, with the parameters of the model's family in this API version."""
        takes = frozenset([*self._family.takes, *self._family.takes_in_api.get(self._api_version, ())])
        return Capabilities(converse=True, parameters=takes, seeds="none")

    @property
    def secrets(self) -> Sequence[str]:
        """The key, the credentials of the address, and headers that the SDK takes from the environment."""
        ambient = [value for value in environment_headers(_SDK_HEADERS).values() if len(value) >= 6]
        return [*super().secrets, *ambient]

    def get_model_info(self) -> ModelInfo:
        """Return model, address without credentials, API version, and what was asked for besides."""
        details = {"base_url": self._address.url, "api_version": self._api_version}
        asked = {"thinking": self._thinking, "effort": self._effort}
        details |= {name: value for name, value in asked.items() if value is not None}
        return ModelInfo(provider="anthropic", name=self._model, details=details)

    async def aclose(self) -> None:
        """Close the connections; a later request opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _ask(self, messages: Sequence[Message], config: GenerationConfig) -> GeneratedOutput:
        import anthropic

        self._family.check(config, self.name)
        body = request_body(self._model, messages, config)
        try:
            raw = await self._opened().messages.with_raw_response.create(
                **body,
                # the SDK's method no longer knows these, and earlier API versions still take them
                extra_body={**sampling(config), **self._extras()},
                extra_headers=self._headers(),
            )
        except anthropic.AnthropicError as error:
            problem = translate(error, anthropic, self._asked)
            if isinstance(problem, Blocked):
                return GeneratedOutput(outcome=problem, provider_request_id=getattr(error, "request_id", None))
            raise problem from None  # the original holds the request with its headers
        request_id = raw.headers.get("request-id")
        return read_message(self._decode(await raw.read(), request_id), request_id=request_id)

    def _extras(self) -> Mapping[str, Any]:
        # Any: JSON of different shapes
        extras: dict[str, Any] = {}
        if self._thinking_type is not None:
            extras["thinking"] = {"type": self._thinking_type}
        if self._effort is not None:
            extras["output_config"] = {"effort": self._effort}
        return extras

    def _opened(self) -> "AsyncAnthropic":
        if self._client is None:
            from anthropic import AsyncAnthropic

            self._client = AsyncAnthropic(
                api_key=self._key or "none",
                base_url=self._address.url,
                default_query=self._address.parameters,
                max_retries=0,  # ours are recorded
                timeout=self._timeout_s,
                open_telemetry=False,  # nothing about a run leaves the machine but the requests themselves
            )
        return self._client

    def _headers(self) -> Mapping[str, Any]:
        # Any: the SDK's marker for a header that is not sent is no string
        from anthropic import Omit

        headers: dict[str, Any] = {} if self._key else {"Authorization": self._address.authorization or Omit()}
        if not self._address.belongs_to(_DOMAIN):
            # the SDK takes these from the environment; they are nobody else's business
            headers |= {name: Omit() for name in environment_headers(_SDK_HEADERS)}
        return {**headers, "anthropic-version": self._api_version}

    def _word_for(self, thinking: str | None) -> str | None:
        words = {"off": self._family.thinking_off, "on": self._family.thinking_on}
        if thinking is None:
            return None
        if words[thinking] is None:
            always = "; it always thinks" if self._family.thinking == "always" else ""
            raise CapabilityError(f"{self.name} cannot turn thinking {thinking}{always}. Leave the option unset.")
        return words[thinking]


_OPTIONS: Mapping[str, Reader] = {
    "api_key": text,
    "base_url": text,
    "api_version": one_of(*_API_VERSIONS),
    "thinking": one_of("off", "on"),
    "effort": one_of("low", "medium", "high", "xhigh", "max"),
    "timeout_s": positive_number,
}
