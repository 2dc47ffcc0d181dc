"""Limits that adapt to 429s, with a clock that only moves when somebody sleeps."""

import asyncio
import random
from contextlib import nullcontext
from dataclasses import dataclass, field

import pytest

from evenhand.adapters.base import ModelAdapter
from evenhand.adapters.retry import Gate, RetryPolicy, ask
from evenhand.core.types import GeneratedOutput, GenerationConfig, ModelInfo
from evenhand.engine.limiter import AdaptiveLimit, Limiter, Limiters
from evenhand.errors import OverloadedError, RateLimitedError


@dataclass
class FakeTime:
    """Everybody who sleeps wakes at the moment asked for, in order."""

    now: float = 100.0
    slept: list[float] = field(default_factory=list)

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        until = self.now + seconds
        await asyncio.sleep(0)
        self.now = max(self.now, until)


def limiter(most: int, time: FakeTime, **more: object) -> Limiter:
    return Limiter(most, monotonic=time.monotonic, sleep=time.sleep, **more)  # type: ignore[arg-type]


async def call(one: Limiter, error: Exception | None = None) -> None:
    async with one.slot():
        if error is not None:
            raise error


def test_a_429_halves_the_limit_and_a_round_of_answers_adds_one() -> None:
    """8 → 4 → 2 → 1 → 1; then 1 answer makes 2, and 2 more make 3 (1 + 1 = 2, 2 + ½ + 1/2.5 = 2.9, + 1/2.9 = 3.2)."""
    limit = AdaptiveLimit(8)
    seen = []
    for _ in range(4):
        limit.rate_limited(limit.epoch)
        seen.append(limit.at_once)
    assert seen == [4, 2, 1, 1]
    grown = []
    for _ in range(4):
        limit.succeeded(limit.epoch)
        grown.append(limit.at_once)
    assert grown == [2, 2, 2, 3]


def test_calls_that_were_under_way_together_count_as_one_refusal() -> None:
    """Eight workers hit the wall at once: 8 → 4, not 8 → 1; their stragglers' successes do not count either."""
    limit = AdaptiveLimit(8)
    began = limit.epoch
    assert [limit.rate_limited(began) for _ in range(8)] == [True] + [False] * 7
    limit.succeeded(began)
    assert limit.at_once == 4


def test_the_limit_never_passes_what_was_asked_for() -> None:
    """However long all goes well."""
    limit = AdaptiveLimit(3)
    for _ in range(100):
        limit.succeeded(limit.epoch)
    assert limit.at_once == 3


async def test_never_more_calls_at_once_than_the_limit_allows() -> None:
    """Twenty workers, limit 4, halved by the first call: from then on at most 2 at once, in order of arrival."""
    time = FakeTime()
    one, under_way, most, order = limiter(4, time), 0, 0, []
    with pytest.raises(RateLimitedError):
        await call(one, RateLimitedError("slow down"))

    async def work(number: int) -> None:
        nonlocal under_way, most
        async with one.slot():
            order.append(number)
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0)
            under_way -= 1
            raise OverloadedError("no growth from this")

    await asyncio.gather(*(work(number) for number in range(20)), return_exceptions=True)
    assert most == 2
    assert order == list(range(20))


async def test_everybody_waits_when_the_provider_says_so() -> None:
    """One call is told to come back in 7 s: none of the others starts before."""
    time = FakeTime()
    one, started = limiter(4, time), []
    with pytest.raises(RateLimitedError):
        await call(one, RateLimitedError("slow down", retry_after_s=7))

    async def work() -> None:
        async with one.slot():
            started.append(time.now)

    await asyncio.gather(*(work() for _ in range(6)))
    assert len(started) == 6
    assert min(started) >= 107


async def test_a_wait_that_nobody_grants_is_not_waited_for() -> None:
    """An hour is more than the retry policy allows; that request fails, and the run does not stand still for it."""
    time = FakeTime()
    one = limiter(4, time, longest_pause_s=120)
    with pytest.raises(RateLimitedError):
        await call(one, RateLimitedError("come back later", retry_after_s=3600))
    await call(one)
    assert time.slept == []


async def test_slowing_down_is_told_once_per_decrease_and_per_longer_pause() -> None:
    """What people are told: how many at once, and the pause."""
    told: list[tuple[int, float]] = []
    one = limiter(8, FakeTime(), on_slower=lambda at_once, pause_s: told.append((at_once, pause_s)))

    async def refused(retry_after_s: float | None, gate: asyncio.Event) -> None:
        async with one.slot():
            await gate.wait()
            raise RateLimitedError("slow down", retry_after_s=retry_after_s)

    gate = asyncio.Event()
    calls = [asyncio.create_task(refused(seconds, gate)) for seconds in (5, 5, 9)]
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(*calls, return_exceptions=True)
    assert told == [(4, 5.0), (4, 9.0)]


async def test_a_cancelled_caller_gives_its_place_to_the_next() -> None:
    """Cancelled while waiting, and cancelled after the place was handed over: nobody waits for ever."""
    one = limiter(1, FakeTime())
    release = asyncio.Event()

    async def hold() -> None:
        async with one.slot():
            await release.wait()
        waiting[1].cancel()  # its place was handed over in this very moment

    holder = asyncio.create_task(hold())
    await asyncio.sleep(0)
    waiting = [asyncio.create_task(call(one)) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    release.set()
    await holder
    results = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), timeout=5)
    assert [type(result) for result in results] == [asyncio.CancelledError, asyncio.CancelledError, type(None)]
    await call(one)


def test_workers_of_one_provider_share_a_limiter() -> None:
    """The judge of the same provider must not double the pressure; another provider is none of its business."""
    limiters = Limiters(lambda provider: Limiter(4))
    assert limiters.of("a") is limiters.of("a")
    assert limiters.of("a") is not limiters.of("b")


class Busy(ModelAdapter):
    """Refuses whatever goes beyond `bears` calls at once, with a Retry-After, and counts its refusals."""

    def __init__(self, bears: int) -> None:
        self.bears, self.under_way, self.refusals = bears, 0, 0

    @property
    def name(self) -> str:
        return "busy/model"

    def get_model_info(self) -> ModelInfo:
        return ModelInfo(provider="busy", name="model")

    async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedOutput:
        self.under_way += 1
        try:
            if self.under_way > self.bears:
                self.refusals += 1
                raise RateLimitedError("too many", retry_after_s=1)
            await asyncio.sleep(0.001)
            return GeneratedOutput.answer("yes")
        finally:
            self.under_way -= 1


async def answers(provider: Busy, gate: Gate, time: FakeTime) -> list[str | None]:
    """100 requests, 16 workers, 3 tries each."""
    todo, texts = iter(range(100)), []

    async def work() -> None:
        for _ in todo:
            policy, chance = RetryPolicy(attempts=3), random.Random(1)
            output = await ask(provider, "Hi", None, rng=chance, policy=policy, sleep=time.sleep, gate=gate)
            texts.append(output.text)

    await asyncio.gather(*(work() for _ in range(16)))
    return texts


async def test_requests_that_retries_alone_would_lose_are_answered() -> None:
    """A provider bears 3 calls at once. With the limiter nearly all is answered; without, most of it is lost."""
    time, provider, alone = FakeTime(), Busy(3), Busy(3)
    with_limiter = await answers(provider, limiter(16, time).slot, time)
    without = await answers(alone, nullcontext, time)
    assert with_limiter.count(None) <= 5
    assert without.count(None) > 30
    assert provider.refusals < alone.refusals / 3
