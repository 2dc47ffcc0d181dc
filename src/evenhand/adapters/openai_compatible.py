"""`OpenAICompatibleAdapter`: any server that speaks chat completions, through the official SDK."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from evenhand.adapters.addresses import Address, belongs_to
from evenhand.adapters.base import Message
from evenhand.adapters.chat_completions import conversation, parameters, read_reply
from evenhand.adapters.hosted import HostedAdapter, environment_headers
from evenhand.adapters.options import Reader, one_of, positive_number, read_options, text
from evenhand.adapters.sdk_errors import translate
from evenhand.core.outcomes import Blocked
from evenhand.core.protocols import Capabilities
from evenhand.core.types import GeneratedOutput, GenerationConfig, ModelInfo
from evenhand.errors import UsageError

if TYPE_CHECKING:
    from openai import AsyncOpenAI

OPENAI_DOMAIN = "api.openai.com"
EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")

_ANY_SERVER = "openai-compatible"
_LIMIT_FIELDS = ("max_tokens", "max_completion_tokens")
_SDK_HEADERS = "OPENAI_CUSTOM_HEADERS"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What a server calls things.

    Attributes
    ----------
    max_tokens_field, seed_field
        Its names for the limit of the answer and for the seed.
    reasoning_effort
        Sent as such, if set.
    """

    max_tokens_field: str = "max_tokens"
    seed_field: str = "seed"
    reasoning_effort: str | None = None

    def body(self, config: GenerationConfig) -> dict[str, Any]:
        """Return what is sent besides model and messages."""
        body = parameters(config, max_tokens_field=self.max_tokens_field, seed_field=self.seed_field)
        return body if self.reasoning_effort is None else {**body, "reasoning_effort": self.reasoning_effort}


class OpenAICompatibleAdapter(HostedAdapter):
    """A model behind an OpenAI-compatible address: a hosted service, or a server of your own.

    Parameters
    ----------
    model
        The model as the server calls it.
    base_url
        Address of the API, usually ending in ``/v1``.
    api_key
        Sent as a bearer token; no such header is sent if it is None.
    max_tokens_field
        What the server calls the limit of the answer; by default ``"max_completion_tokens"`` for OpenAI itself and
        ``"max_tokens"``, which is what others understand, elsewhere.
    reasoning_effort
        For models that reason, how much; nothing is sent if it is None.
    timeout_s
        Seconds after which one call is given up; the retry policy has its own, usually shorter limit.
    provider, key_variable, needs_key, seed_field
        What a named service sets; see `evenhand.adapters.presets`.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        api_key: str | None = None,
        max_tokens_field: str | None = None,
        reasoning_effort: str | None = None,
        timeout_s: float = 600.0,
        provider: str = _ANY_SERVER,
        key_variable: str = "EVENHAND_API_KEY",
        needs_key: bool = False,
        seed_field: str = "seed",
    ) -> None:
        super().__init__(
            model,
            provider=provider,
            address=Address.of(base_url),
            api_key=api_key,
            key_variable=key_variable,
            needs_key=needs_key,
            timeout_s=timeout_s,
        )
        self._dialect = Dialect(
            max_tokens_field=max_tokens_field or _LIMIT_FIELDS[belongs_to(base_url, OPENAI_DOMAIN)],
            seed_field=seed_field,
            reasoning_effort=reasoning_effort,
        )
        self._client: AsyncOpenAI | None = None

    @classmethod
    def from_spec(cls, model: str, options: Mapping[str, Any]) -> Self:
        """Make the adapter for ``openai-compatible/MODEL``.

        Parameters
        ----------
        options
            base_url (or the variable OPENAI_BASE_URL), api_key, max_tokens_field, reasoning_effort, timeout_s.
            Without `api_key` the key is taken from EVENHAND_API_KEY, and from OPENAI_API_KEY only where it belongs:
            for api.openai.com, or for the address in OPENAI_BASE_URL. It is not sent to anybody else.
        """
        given = read_options(_ANY_SERVER, options, OPTIONS)
        from_environment = os.environ.get("OPENAI_BASE_URL", "").strip()
        base_url = given.pop("base_url", "") or from_environment
        if not base_url:
            raise UsageError(
                "openai-compatible needs the address of the server: --base-url http://localhost:8080/v1, "
                "the option base_url, or the variable OPENAI_BASE_URL"
            )
        key = given.pop("api_key", None) or os.environ.get("EVENHAND_API_KEY")
        if key is None and (belongs_to(base_url, OPENAI_DOMAIN) or base_url == from_environment):
            key = os.environ.get("OPENAI_API_KEY")
        return cls(model, base_url=base_url, api_key=key, **given)

    @property
    def capabilities(self) -> Capabilities:
        """Prompts and conversations; whether a seed helps is up to the server."""
        return Capabilities(converse=True, seeds="best effort")

    @property
    def secrets(self) -> Sequence[str]:
        """The key, the credentials of the address, and headers that the SDK takes from the environment."""
        ambient = [value for value in environment_headers(_SDK_HEADERS).values() if len(value) >= 6]
        return [*super().secrets, *ambient]

    def get_model_info(self) -> ModelInfo:
        """Return service or host, model, and address without credentials and query."""
        details = {"base_url": self._address.url, "max_tokens_field": self._dialect.max_tokens_field}
        if self._dialect.reasoning_effort is not None:
            details["reasoning_effort"] = self._dialect.reasoning_effort
        provider = self._host if self._provider == _ANY_SERVER else self._provider
        return ModelInfo(provider=provider, name=self._model, details=details)

    async def aclose(self) -> None:
        """Close the connections; a later request opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _ask(self, messages: Sequence[Message], config: GenerationConfig) -> GeneratedOutput:
        import httpx2
        import openai

        body = {**self._dialect.body(config), "model": self._model, "messages": conversation(messages, config)}
        try:
            # not `chat.completions.create`: other servers have other names for its arguments, and looking through
            # them takes a fifth of a call
            raw = await self._opened().post(
                "/chat/completions",
                cast_to=httpx2.Response,
                body=body,
                options={"headers": self._headers(), "security": {"bearer_auth": True}},
            )
        except openai.OpenAIError as error:
            problem = translate(error, openai, self._asked)
            if isinstance(problem, Blocked):
                return GeneratedOutput(outcome=problem, provider_request_id=getattr(error, "request_id", None))
            raise problem from None  # the original holds the request with its headers
        request_id = raw.headers.get("x-request-id")
        # the raw reply, because the SDK builds objects from almost anything without looking at it
        return read_reply(self._decode(raw.content, request_id), request_id=request_id)

    def _opened(self) -> "AsyncOpenAI":
        if self._client is None:
            from openai import AsyncOpenAI

            self._client = AsyncOpenAI(
                api_key=self._key or "none",
                base_url=self._address.url,
                default_query=self._address.parameters,
                max_retries=0,  # ours are recorded
                timeout=self._timeout_s,
            )
        return self._client

    def _headers(self) -> Mapping[str, Any]:
        # Any: the SDK's marker for a header that is not sent is no string
        from openai import Omit

        headers: dict[str, Any] = {} if self._key else {"Authorization": self._address.authorization or Omit()}
        if not self._address.belongs_to(OPENAI_DOMAIN):
            # the SDK takes these from the environment; they are nobody else's business
            ambient = ("OpenAI-Organization", "OpenAI-Project", *environment_headers(_SDK_HEADERS))
            headers |= {name: Omit() for name in ambient}
        return headers


OPTIONS: Mapping[str, Reader] = {
    "base_url": text,
    "api_key": text,
    "max_tokens_field": one_of(*_LIMIT_FIELDS),
    "reasoning_effort": one_of(*EFFORTS),
    "timeout_s": positive_number,
}
