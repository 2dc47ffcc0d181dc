"""`HttpWebhookAdapter`: any service that takes JSON and gives JSON, described by a template and a path."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self

from evenhand._base.digest import digest
from evenhand.adapters.addresses import Address
from evenhand.adapters.base import Message
from evenhand.adapters.chat_completions import conversation
from evenhand.adapters.hosted import HostedAdapter
from evenhand.adapters.http_errors import HttpFailure, meaning
from evenhand.adapters.options import Reader, one_of, positive_number, read_options, text
from evenhand.adapters.replies import (
    error_codes,
    error_message,
    field,
    outcome_of,
    parameter_of,
    text_or_none,
    usage_of,
)
from evenhand.adapters.webhook_headers import expanded, header_map
from evenhand.adapters.webhook_paths import Path, follow, found, read_path
from evenhand.adapters.webhook_template import Template
from evenhand.core.outcomes import Blocked
from evenhand.core.protocols import Capabilities
from evenhand.core.types import GeneratedOutput, GenerationConfig, ModelInfo
from evenhand.errors import BadResponseError, CapabilityError, ModelError, OverloadedError, UsageError

if TYPE_CHECKING:
    import httpx2

_PARAMETERS = ("max_tokens", "temperature", "top_p", "seed")
_REQUEST_IDS = ("x-request-id", "request-id", "x-correlation-id")
_MOST_BYTES = 64 * 1024 * 1024


class HttpWebhookAdapter(HostedAdapter):
    """A service of your own.

    Parameters
    ----------
    name
        What it is called in reports.
    url
        Where requests are sent.
    body
        JSON template; see `evenhand.adapters.webhook_template`.
    response_path
        Where the answer's text stands in the reply.
    headers
        Header to value. A value may take ``${VARIABLE}`` from the environment: where keys belong.
    method
        ``"POST"``, ``"PUT"`` or ``"PATCH"``.
    finish_path, model_path, input_tokens_path, output_tokens_path
        Where the reply says why the answer ended, which model snapshot gave it, and the token counts, if it does.
    timeout_s
        Seconds for one call, from sending to the last byte.

    Raises
    ------
    UsageError
        If the template, an address, a header or a variable does not fit.

    Notes
    -----
    What a template has no placeholder for is a parameter that the service does not take. Redirects are not followed:
    they would carry the key elsewhere.
    """

    def __init__(
        self,
        name: str,
        *,
        url: str,
        body: object,
        response_path: Path,
        headers: Mapping[str, str] | None = None,
        method: str = "POST",
        finish_path: Path | None = None,
        model_path: Path | None = None,
        input_tokens_path: Path | None = None,
        output_tokens_path: Path | None = None,
        timeout_s: float = 120.0,
    ) -> None:
        super().__init__(
            name,
            provider="http-webhook",
            address=Address.of(url, option="url", example="https://models.example.org/generate"),
            api_key=None,
            key_variable="",
            needs_key=False,
            timeout_s=timeout_s,
        )
        self._template, self._method = Template(body), method
        self._headers, self._header_secrets = expanded(headers or {}, self._address.authorization)
        self._response_path, self._finish_path, self._model_path = response_path, finish_path, model_path
        self._token_paths = (input_tokens_path, output_tokens_path)
        self._client: httpx2.AsyncClient | None = None

    @classmethod
    def from_spec(cls, model: str, options: Mapping[str, Any]) -> Self:
        """Make the adapter for ``http-webhook/NAME``.

        Parameters
        ----------
        options
            url, body and response_path; headers, method, finish_path, model_path, input_tokens_path,
            output_tokens_path, timeout_s. From the command line, body and headers are JSON text.
        """
        given = read_options("http-webhook", options, _OPTIONS)
        missing = [name for name in ("url", "body", "response_path") if name not in given]
        if missing:
            raise UsageError(f"http-webhook needs the option {' and the option '.join(missing)}")
        return cls(model, **given)

    @property
    def capabilities(self) -> Capabilities:
        """What the template has placeholders for."""
        names = self._template.names
        takes = {parameter for parameter in _PARAMETERS if parameter in names}
        if names & {"system", "messages"}:
            takes.add("system")
        return Capabilities(
            converse="messages" in names,
            parameters=frozenset(takes),
            seeds="best effort" if "seed" in takes else "none",
        )

    @property
    def secrets(self) -> Sequence[str]:
        """What headers and address hold that is nobody's business."""
        return [*super().secrets, *self._header_secrets]

    def get_model_info(self) -> ModelInfo:
        """Return name and address without credentials, what decides the request, and no header's value."""
        return ModelInfo(
            provider="http-webhook",
            name=self._model,
            details={
                "url": self._address.url,
                "method": self._method,
                "headers": sorted(name.lower() for name in self._headers),
                "body_sha256": digest(self._template.source),  # not the body: it may hold a key
                "response_path": "/".join(self._response_path),
            },
        )

    async def converse(self, messages: Sequence[Message], config: GenerationConfig | None = None) -> GeneratedOutput:
        """Answer the last of several turns, if the template has a place for them; as `generate`."""
        if len(messages) > 1 and not self.capabilities.converse:
            raise CapabilityError(
                f"{self.name} cannot hold conversations: its body has no place for the turns, {{{{messages}}}}"
            )
        return await super().converse(messages, config)

    async def aclose(self) -> None:
        """Close the connections; a later request opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _ask(self, messages: Sequence[Message], config: GenerationConfig) -> GeneratedOutput:
        body = self._template.fill(self._values(messages, config))
        status, headers, content = await self._send(json.dumps(body, ensure_ascii=True).encode())
        request_id = next((headers[name] for name in _REQUEST_IDS if name in headers), None)
        if status >= 300:
            problem = self._problem(status, headers, content, request_id)
            if isinstance(problem, Blocked):
                return GeneratedOutput(outcome=problem, provider_request_id=request_id)
            raise problem
        return self._read(content, request_id)

    def _values(self, messages: Sequence[Message], config: GenerationConfig) -> dict[str, Any]:
        # a template with a place of its own for the system prompt gets it there only
        turns = list(messages) if "system" in self._template.names else conversation(messages, config)
        values = {name: getattr(config, name) for name in (*_PARAMETERS, "system")}
        return {**values, "prompt": messages[-1].get("content"), "messages": turns, "model": self._model}

    async def _send(self, content: bytes) -> "tuple[int, httpx2.Headers, bytes]":
        import httpx2

        try:
            async with self._opened().stream(
                self._method, self._address.whole, content=content, headers=self._headers
            ) as response:
                return response.status_code, response.headers, await _whole(response)
        except httpx2.TimeoutException:
            raise OverloadedError(f"{self._host} did not answer in time") from None
        except httpx2.TransportError as error:
            cause = self._redact(str(error)) or "connection lost"
            raise OverloadedError(f"no answer from {self._host}: {cause}") from None
        except httpx2.HTTPError as error:
            raise BadResponseError(f"{self._host} sent what cannot be read: {self._redact(str(error))}") from None

    def _problem(
        self, status: int, headers: "httpx2.Headers", content: bytes, request_id: str | None
    ) -> Exception | Blocked:
        if status < 400:
            target = self._redact(headers.get("location", "nowhere"))
            return ModelError(
                f"{self._host} answered {status}, a redirect to {target}; give that address as url",
                status=status,
                request_id=request_id,
            )
        error = _json_or_text(content, headers.get("content-type", ""))
        failure = HttpFailure(
            status=status,
            said=self._redact(error_message(error)),
            codes=error_codes(error),
            parameter=parameter_of(error),
            headers=headers,
            request_id=request_id,
        )
        return meaning(failure, self._asked, now=datetime.now(UTC))

    def _read(self, content: bytes, request_id: str | None) -> GeneratedOutput:
        reply = self._decode(content, request_id)
        sent, received = (found(reply, path) for path in self._token_paths)
        finish = found(reply, self._finish_path)
        return GeneratedOutput(
            outcome=outcome_of(
                self._text(reply, finish, request_id),
                finish=finish,
                has_tool_calls=finish in ("tool_calls", "tool_use", "function_call"),
            ),
            model=text_or_none(found(reply, self._model_path)),
            usage=usage_of(sent, received),
            provider_request_id=request_id,
        )

    def _text(self, reply: object, finish: object, request_id: str | None) -> str:
        try:
            value = follow(reply, self._response_path)
        except BadResponseError as error:
            if isinstance(finish, str):  # a filter or a tool call may leave no text behind
                return ""
            said = f"; it says: {self._redact(error_message(reply))}" if field(reply, "error") else ""
            raise BadResponseError(self._redact(f"{error}{said}"), request_id=request_id) from None
        if value is None:
            return ""
        if isinstance(value, str):
            return value
        raise BadResponseError(
            f"response_path leads to a value of type {type(value).__name__}, not to a text", request_id=request_id
        )

    def _opened(self) -> "httpx2.AsyncClient":
        if self._client is None:
            import httpx2

            limits = httpx2.Limits(max_connections=None, max_keepalive_connections=100)
            self._client = httpx2.AsyncClient(timeout=self._timeout_s, limits=limits, follow_redirects=False)
        return self._client

    def _key_hint(self) -> str:
        return "Check the headers option of http-webhook and the variables that it takes keys from"

    def _model_hint(self) -> str:
        return f"Check the url {self._address.url}"


async def _whole(response: "httpx2.Response") -> bytes:
    parts, size = [], 0
    async for part in response.aiter_bytes():
        size += len(part)
        if size > _MOST_BYTES:
            raise BadResponseError(f"the reply is longer than {_MOST_BYTES // 1024**2} MB")
        parts.append(part)
    return b"".join(parts)


def _json_or_text(content: bytes, content_type: str) -> object:
    if "html" in content_type:  # a proxy's page says nothing that helps
        return "an HTML page, not an error of the service"
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return content[:1000].decode(errors="replace").strip() or None


def _path(given: Any) -> Path:
    if not isinstance(given, str):
        raise TypeError("must be a path like choices[0].message.content")
    return read_path(given)


_OPTIONS: Mapping[str, Reader] = {
    "url": text,
    "body": lambda given: given,
    "response_path": _path,
    "headers": header_map,
    "method": one_of("POST", "PUT", "PATCH"),
    "finish_path": _path,
    "model_path": _path,
    "input_tokens_path": _path,
    "output_tokens_path": _path,
    "timeout_s": positive_number,
}
