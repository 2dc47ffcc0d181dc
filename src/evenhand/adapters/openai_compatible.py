"""`OpenAICompatibleAdapter`: any server that speaks chat completions, through the official SDK."""

import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit, urlunsplit

from evenhand.adapters.base import Message, ModelAdapter
from evenhand.adapters.chat_completions import conversation, parameters, read_reply
from evenhand.adapters.openai_errors import translate
from evenhand.adapters.options import positive_number, read_options, text
from evenhand.adapters.redaction import redact
from evenhand.core.outcomes import Blocked
from evenhand.core.protocols import Capabilities
from evenhand.core.types import GeneratedOutput, GenerationConfig, ModelInfo
from evenhand.errors import BadResponseError, UsageError

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_OPENAI_HOST = "api.openai.com"
_LIMIT_FIELDS = ("max_tokens", "max_completion_tokens")


class OpenAICompatibleAdapter(ModelAdapter):
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
    timeout_s
        Seconds after which one call is given up; the retry policy has its own, usually shorter limit.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        api_key: str | None = None,
        max_tokens_field: str | None = None,
        timeout_s: float = 600.0,
    ) -> None:
        self._model, self._base_url, self._timeout_s = model, _checked(base_url), timeout_s
        self._key = api_key or None
        self._limit_field = max_tokens_field or _LIMIT_FIELDS[_is_openai(base_url)]
        self._client: AsyncOpenAI | None = None

    @classmethod
    def from_spec(cls, model: str, options: Mapping[str, Any]) -> Self:
        """Make the adapter for ``openai-compatible/MODEL``.

        Parameters
        ----------
        options
            base_url (or the variable OPENAI_BASE_URL), api_key, max_tokens_field, timeout_s. Without `api_key` the
            key is taken from EVENHAND_API_KEY, and from OPENAI_API_KEY only where it belongs: for api.openai.com, or
            for the address in OPENAI_BASE_URL. It is not sent to anybody else.
        """
        readers = {"base_url": text, "api_key": text, "max_tokens_field": _limit_field, "timeout_s": positive_number}
        given = read_options("openai-compatible", options, readers)
        from_environment = os.environ.get("OPENAI_BASE_URL", "").strip()
        base_url = given.pop("base_url", "") or from_environment
        if not base_url:
            raise UsageError(
                "openai-compatible needs the address of the server: --base-url http://localhost:8080/v1, "
                "the option base_url, or the variable OPENAI_BASE_URL"
            )
        key = given.pop("api_key", None) or os.environ.get("EVENHAND_API_KEY")
        if key is None and (_is_openai(base_url) or base_url == from_environment):
            key = os.environ.get("OPENAI_API_KEY")
        return cls(model, base_url=base_url, api_key=key, **given)

    @property
    def name(self) -> str:
        """As requested."""
        return f"openai-compatible/{self._model}"

    @property
    def capabilities(self) -> Capabilities:
        """Prompts and conversations; whether a seed helps is up to the server."""
        return Capabilities(converse=True, seeds="best effort")

    @property
    def secrets(self) -> Sequence[str]:
        """The key, and the credentials of the address."""
        parts = urlsplit(self._base_url)
        return [s for s in (self._key, parts.password, parts.netloc.rpartition("@")[0], parts.query) if s]

    def get_model_info(self) -> ModelInfo:
        """Return host, model and address, the last without credentials and query."""
        details = {"base_url": _shown(self._base_url), "max_tokens_field": self._limit_field}
        return ModelInfo(provider=self._host, name=self._model, details=details)

    async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedOutput:
        """Answer one prompt.

        Raises
        ------
        AuthenticationError
            For 401 and 403.
        RateLimitedError, OverloadedError
            Another try may succeed: 429; 408, 5xx, time-outs, lost connections.
        BadResponseError
            If the reply is not JSON or not a chat completion.
        ModelError
            For every other refusal of the request.
        """
        return await self.converse([{"role": "user", "content": prompt}], config)

    async def converse(self, messages: Sequence[Message], config: GenerationConfig | None = None) -> GeneratedOutput:
        """Answer the last of several turns; as `generate`."""
        import openai

        config = config or GenerationConfig()
        body: dict[str, Any] = {
            "model": self._model,
            "messages": conversation(messages, config),
            **parameters(config, max_tokens_field=self._limit_field),
        }
        try:
            raw = await self._opened().chat.completions.with_raw_response.create(**body, extra_headers=self._headers())
        except openai.OpenAIError as error:
            problem = translate(error, host=self._host, key_hint=self._key_hint(), redact=self._redact)
            if isinstance(problem, Blocked):
                return GeneratedOutput(outcome=problem, provider_request_id=getattr(error, "request_id", None))
            raise problem from None  # the original holds the request with its headers
        return self._read(raw.content, raw.headers.get("x-request-id"))

    async def aclose(self) -> None:
        """Close the connections; a later request opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def _read(self, content: bytes, request_id: str | None) -> GeneratedOutput:
        # the raw reply, because the SDK builds objects from almost anything without looking at it
        try:
            reply = json.loads(content)
        except (ValueError, RecursionError):
            start = self._redact(content[:60].decode(errors="replace"))
            raise BadResponseError(
                f"{self._host} sent something that is not JSON, starting with {start!r}", request_id=request_id
            ) from None
        return read_reply(reply, request_id=request_id)

    def _opened(self) -> "AsyncOpenAI":
        if self._client is None:
            from openai import AsyncOpenAI

            self._client = AsyncOpenAI(
                api_key=self._key or "none",
                base_url=self._base_url,
                max_retries=0,  # ours are recorded
                timeout=self._timeout_s,
            )
        return self._client

    def _headers(self) -> Mapping[str, Any]:
        # Any: the SDK's marker for a header that is not sent is no string
        from openai import Omit

        headers: dict[str, Any] = {} if self._key else {"Authorization": Omit()}
        if not _is_openai(self._base_url):
            # the SDK takes these from the environment; they are nobody else's business
            headers |= {"OpenAI-Organization": Omit(), "OpenAI-Project": Omit()}
        return headers

    @property
    def _host(self) -> str:
        return urlsplit(self._base_url).hostname or ""

    def _key_hint(self) -> str:
        if self._key is None:
            return "No key was sent; set EVENHAND_API_KEY"
        return "Check the key in EVENHAND_API_KEY, and that it may use this model"

    def _redact(self, message: str) -> str:
        return redact(message, self.secrets)


def _checked(base_url: str) -> str:
    try:
        parts = urlsplit(base_url)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        valid = False
    if not valid:
        raise UsageError(
            f"base_url must be an address like http://localhost:8080/v1, not {redact(base_url)!r}"
        ) from None
    return base_url


def _shown(base_url: str) -> str:
    parts = urlsplit(base_url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def _is_openai(base_url: str) -> bool:
    return urlsplit(base_url).hostname == _OPENAI_HOST


def _limit_field(given: Any) -> str:
    if given not in _LIMIT_FIELDS:
        raise ValueError(f"must be {' or '.join(_LIMIT_FIELDS)}")
    return str(given)
