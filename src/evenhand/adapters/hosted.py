"""`HostedAdapter`: what adapters of HTTP services share. Address, key, secrets, one time limit for a whole call."""

import asyncio
import json
import os
from abc import abstractmethod
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from evenhand.adapters.addresses import Address
from evenhand.adapters.base import Message, ModelAdapter, check_config, default_config
from evenhand.adapters.http_errors import Asked
from evenhand.adapters.redaction import redact
from evenhand.core.types import GeneratedOutput, GenerationConfig
from evenhand.errors import BadResponseError, OverloadedError, UsageError


class HostedAdapter(ModelAdapter):
    """A model behind an HTTP address. An adapter of a protocol writes `_ask`.

    Parameters
    ----------
    model
        The model as the service calls it.
    provider
        What stands before the slash.
    address
        Where the service is. Credentials in it are sent as HTTP Basic authentication.
    api_key
        None if none is sent.
    key_variable
        Variable that the user should set if the key is missing or not accepted.
    needs_key
        Refuse to ask without a key, instead of letting the service answer 401.
    timeout_s
        Seconds for one call, from sending to the last byte.

    Raises
    ------
    UsageError
        If both a key and credentials in the address are given: one header cannot hold both.
    """

    def __init__(
        self,
        model: str,
        *,
        provider: str,
        address: Address,
        api_key: str | None,
        key_variable: str,
        needs_key: bool,
        timeout_s: float,
    ) -> None:
        self._model, self._provider = model, provider
        self._address, self._host = address, address.host
        self._key, self._key_variable, self._needs_key = (api_key or "").strip() or None, key_variable, needs_key
        self._timeout_s = timeout_s
        if self._key and address.credentials:
            raise UsageError(
                f"{provider} got a key and an address with credentials, and both would be the one authorization of a "
                "request; leave one of them out"
            )

    @property
    def name(self) -> str:
        """As requested."""
        return f"{self._provider}/{self._model}"

    @property
    def secrets(self) -> Sequence[str]:
        """The key, and the credentials of the address."""
        return [*([self._key] if self._key else []), *self._address.secrets]

    async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedOutput:
        """Answer one prompt.

        Raises
        ------
        CapabilityError
            If a parameter is set that the model does not take.
        AuthenticationError, CreditError
            401 and 403; 402, or a budget that is used up.
        UsageError
            If there is no key, or no such model.
        RateLimitedError, OverloadedError
            Another try may succeed: 429; 408, 409, 5xx, time-outs, lost connections.
        BadResponseError
            If the reply is not what the protocol promises.
        ModelError
            For every other refusal of the request.
        """
        return await self.converse([{"role": "user", "content": prompt}], config)

    async def converse(self, messages: Sequence[Message], config: GenerationConfig | None = None) -> GeneratedOutput:
        """Answer the last of several turns; as `generate`."""
        config = config or default_config(self)
        check_config(self, config)
        if self._needs_key and self._key is None and not self._address.credentials:
            raise UsageError(f"{self._provider} needs a key: set {self._key_variable}, or give the option api_key")
        async with self._time_limit():
            return await self._ask(messages, config)

    @abstractmethod
    async def _ask(self, messages: Sequence[Message], config: GenerationConfig) -> GeneratedOutput:
        """Send one request that has been checked, and read the reply."""

    @asynccontextmanager
    async def _time_limit(self) -> AsyncIterator[None]:
        # HTTP clients limit each read: a server that drips single bytes would never run into that
        try:
            async with asyncio.timeout(self._timeout_s) as limit:
                yield
        except TimeoutError:
            if not limit.expired():
                raise
            raise OverloadedError(f"{self._host} did not answer in time ({self._timeout_s:g} s)") from None

    @property
    def _asked(self) -> Asked:
        return Asked(
            host=self._host,
            model=self._model,
            key_hint=self._key_hint(),
            model_hint=self._model_hint(),
            redact=self._redact,
        )

    def _key_hint(self) -> str:
        if self._key is None and not self._address.credentials:
            return f"No key was sent; set {self._key_variable}"
        return f"Check the key in {self._key_variable}, and that it may use this model"

    def _model_hint(self) -> str:
        return f"Check that {self._host} still offers the model {self._model!r}, and the address {self._address.url}"

    def _redact(self, message: str) -> str:
        return redact(message, self.secrets)

    def _decode(self, content: bytes, request_id: str | None) -> Any:
        # Any: foreign JSON
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            start = self._redact(content[:60].decode(errors="replace"))
            kind = "an empty reply" if not content.strip() else f"something that is not JSON, starting with {start!r}"
            raise BadResponseError(f"{self._host} sent {kind}", request_id=request_id) from None


def environment_headers(variable: str) -> Mapping[str, str]:
    """Return the headers that an SDK takes from the environment by itself, one ``Name: value`` a line."""
    pairs = (line.partition(":") for line in os.environ.get(variable, "").splitlines())
    return {name.strip(): value.strip() for name, colon, value in pairs if colon and name.strip()}
