"""The one retry policy: which failures are tried again, how long is waited, what is recorded."""

import asyncio
import time
import traceback
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol

from evenhand._base.offline import refused_offline
from evenhand.adapters.redaction import hide, redact
from evenhand.core.outcomes import Answered, Attempt, Blocked, Failed
from evenhand.core.protocols import Adapter
from evenhand.core.types import GeneratedOutput, GenerationConfig
from evenhand.errors import (
    AuthenticationError,
    BadResponseError,
    ModelError,
    OverloadedError,
    RateLimitedError,
    UsageError,
)

__all__ = ["SYSTEM_CLOCK", "Clock", "Gate", "Jitter", "RetryPolicy", "ask", "redact"]

Gate = Callable[[], AbstractAsyncContextManager[None]]
"""Entered before each try and left after it: where the tries of many requests wait for each other."""


class Jitter(Protocol):
    """Where the spread of the waits comes from: `random.Random` or a numpy `Generator`."""

    def random(self) -> float:
        """Return a number in [0, 1)."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Time as an argument.

    Attributes
    ----------
    now
        The moment, in UTC.
    monotonic
        Seconds that never go backwards, for latencies.
    """

    now: Callable[[], datetime]
    monotonic: Callable[[], float]


SYSTEM_CLOCK = Clock(now=lambda: datetime.now(UTC), monotonic=time.monotonic)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How patient we are with one request.

    Attributes
    ----------
    attempts
        Tries in all, at least 1.
    base_s, cap_s
        The wait before try n + 1 is drawn from the upper half of min(cap_s, base_s · 2ⁿ⁻¹) seconds.
    timeout_s
        Seconds after which one try counts as overloaded; None for no limit. Generous, because a local model on a
        busy machine is slow and not broken.
    longest_wait_s
        A provider that asks for a longer wait than this gets none: the request fails with that reason.
    """

    attempts: int = 5
    base_s: float = 1.0
    cap_s: float = 30.0
    timeout_s: float | None = 180.0
    longest_wait_s: float = 120.0

    def __post_init__(self) -> None:
        """Refuse what would never ask or never wait."""
        if self.attempts < 1:
            raise UsageError(f"attempts must be at least 1, not {self.attempts}")

    def is_worth_another_try(self, error: BaseException) -> bool:
        """Say whether `error` may pass by itself, soon enough."""
        may_pass = isinstance(error, ModelError) and error.retryable and not self.asks_too_much(error)
        return may_pass and refused_offline(error) is None

    def asks_too_much(self, error: BaseException) -> bool:
        """Say whether the provider asks for a longer wait than we grant."""
        asked = error.retry_after_s if isinstance(error, RateLimitedError) else None
        return asked is not None and asked > self.longest_wait_s

    def wait_s(self, error: BaseException | None, tries: int, rng: Jitter) -> float:
        """Return the seconds to wait after try number `tries` failed with `error`.

        What the provider asks for is honoured exactly. Otherwise at least half of the exponential wait is kept, so
        that an unlucky draw does not hammer a server that is down.
        """
        if isinstance(error, RateLimitedError) and error.retry_after_s is not None:
            return max(0.0, error.retry_after_s)
        whole: float = min(self.cap_s, self.base_s * 2.0 ** (tries - 1))
        return whole * (0.5 + 0.5 * rng.random())


DEFAULT_POLICY = RetryPolicy()


async def ask(
    adapter: Adapter,
    prompt: str,
    config: GenerationConfig | None,
    *,
    rng: Jitter,
    policy: RetryPolicy = DEFAULT_POLICY,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    clock: Clock = SYSTEM_CLOCK,
    gate: Gate = nullcontext,
) -> GeneratedOutput:
    """Put one prompt to a model, patiently.

    Parameters
    ----------
    rng
        Spreads the waits; nothing that is measured depends on it.
    gate
        Held during each try, and seeing what the try raises; waiting for it is no part of a try's latency.

    Returns
    -------
    GeneratedOutput
        With every try in `attempts`. The outcome is `Failed` if retries did not help, if the error is not worth one,
        if the adapter returned something else than a `GeneratedOutput`, or if it raised anything unforeseen.

    Raises
    ------
    AuthenticationError
        The key is not accepted: nothing else in the run can succeed.
    UsageError
        Something in the call must be fixed first, such as a missing model file; the same for every request.
    """
    tries = _Tries(adapter, policy, clock, gate)
    try:
        output = await _patiently(tries, prompt, config, rng=rng, sleep=sleep)
    except (AuthenticationError, UsageError):
        raise
    except Exception as error:  # noqa: BLE001 - plugin boundary: one bad answer must not cost the others
        if (refused := refused_offline(error)) is not None:
            raise refused from None
        return GeneratedOutput(outcome=tries.failure(error), attempts=tuple(tries.log))
    return replace(output, attempts=tuple(tries.log))


async def _patiently(
    tries: "_Tries",
    prompt: str,
    config: GenerationConfig | None,
    *,
    rng: Jitter,
    sleep: Callable[[float], Awaitable[None]],
) -> GeneratedOutput:
    """Try until there is an output, or an error that nobody should wait for any longer."""
    policy, number = tries.policy, 1
    while True:
        try:
            return await tries.once(prompt, config)
        except Exception as error:
            if number >= policy.attempts or not policy.is_worth_another_try(error):
                raise
            wait_s = policy.wait_s(error, number, rng)
        await sleep(wait_s)
        number += 1


class _Tries:
    """The tries of one request, and what is written down about each."""

    def __init__(self, adapter: Adapter, policy: RetryPolicy, clock: Clock, gate: Gate) -> None:
        self.adapter, self.policy, self.clock, self.gate = adapter, policy, clock, gate
        self.log: list[Attempt] = []

    async def once(self, prompt: str, config: GenerationConfig | None) -> GeneratedOutput:
        async with self.gate():
            return await self._timed(prompt, config)

    async def _timed(self, prompt: str, config: GenerationConfig | None) -> GeneratedOutput:
        started_at, start = self.clock.now().astimezone(UTC).isoformat(), self.clock.monotonic()
        try:
            output = self._clean(await self._limited(prompt, config))
        except Exception as error:
            self.log.append(self._failed_attempt(error, started_at, self.clock.monotonic() - start))
            raise
        latency_s = self.clock.monotonic() - start
        self.log.append(_attempt(output, started_at, latency_s))
        return output if output.latency_s is not None else replace(output, latency_s=latency_s)

    async def _limited(self, prompt: str, config: GenerationConfig | None) -> object:
        try:
            async with asyncio.timeout(self.policy.timeout_s) as limit:
                return await self.adapter.generate(prompt, config)
        except TimeoutError:
            if not limit.expired():  # the adapter's own, which it should have mapped
                raise
            raise OverloadedError(f"no answer within {self.policy.timeout_s:g} s") from None

    def _clean(self, output: object) -> GeneratedOutput:
        if not isinstance(output, GeneratedOutput):
            given = "None" if output is None else type(output).__name__
            raise BadResponseError(
                f"the adapter {self.adapter.name!r} returned {given} instead of a GeneratedOutput; "
                "GeneratedOutput.answer(text) makes one"
            )
        output = replace(
            output, model=self._hide(output.model), provider_request_id=self._hide(output.provider_request_id)
        )
        match output.outcome:
            case Answered():
                return output
            case Blocked(reason=reason):
                return replace(output, outcome=Blocked(reason=self._redact(reason)))
            case Failed(error=error, kind=kind, traceback=trace):
                hidden = Failed(error=self._redact(error), kind=kind, traceback=self._redact(trace))
                return replace(output, outcome=hidden)
        raise BadResponseError(
            f"the adapter {self.adapter.name!r} returned an outcome of type {type(output.outcome).__name__}; "
            "it must be Answered, Blocked or Failed"
        )

    def failure(self, error: Exception) -> Failed:
        """Say why there is no answer."""
        text = self._redact(str(error)) or type(error).__name__
        if self.policy.asks_too_much(error):
            asked = getattr(error, "retry_after_s", None)
            text += f" (asked to wait {asked:g} s; one wait may take {self.policy.longest_wait_s:g} s)"
        elif len(self.log) > 1:
            text += f" (tried {len(self.log)} times)"
        trace = "".join(traceback.format_exception(error))
        return Failed(error=text, kind=type(error).__name__, traceback=self._redact(trace))

    def _failed_attempt(self, error: Exception, started_at: str, latency_s: float) -> Attempt:
        status, request_id = (error.status, error.request_id) if isinstance(error, ModelError) else (None, None)
        return Attempt(
            status=type(error).__name__,
            started_at=started_at,
            latency_s=latency_s,
            detail=self._redact(str(error)),
            http_status=status,
            provider_request_id=self._hide(request_id),
        )

    def _redact(self, text: str) -> str:
        return redact(text, self._secrets)

    def _hide(self, name: str | None) -> str | None:
        # a server may hand back what it was sent in any field; the answer itself is data, and stays as it is
        return None if name is None else hide(name, self._secrets)

    @property
    def _secrets(self) -> Sequence[str]:
        secrets: Sequence[str] = getattr(self.adapter, "secrets", ())  # an adapter need not derive from ours
        return secrets


def _attempt(output: GeneratedOutput, started_at: str, latency_s: float) -> Attempt:
    match output.outcome:
        case Answered():
            status, detail = "ok", ""
        case Blocked(reason=reason):
            status, detail = "blocked", reason
        case Failed(error=error, kind=kind):
            status, detail = kind, error
    return Attempt(
        status=status,
        started_at=started_at,
        latency_s=latency_s,
        detail=detail,
        provider_request_id=output.provider_request_id,
    )
