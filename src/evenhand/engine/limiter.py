"""How many calls a provider bears at once: fewer after each 429, slowly more while it answers (AIMD)."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from evenhand.core.protocols import Adapter
from evenhand.errors import RateLimitedError


class AdaptiveLimit:
    """The arithmetic: additive increase, multiplicative decrease. No clock, no waiting.

    Parameters
    ----------
    most
        Where it starts, and what it never exceeds.

    Notes
    -----
    As congestion control does it (Chiu and Jain 1989, Computer Networks and ISDN Systems 17:1-14). Calls that were
    under way together fail together: of those only the first halves the limit.
    """

    def __init__(self, most: int) -> None:
        self._most, self._limit, self.epoch = float(most), float(most), 0

    @property
    def at_once(self) -> int:
        """Calls allowed at once, at least 1."""
        return int(self._limit)

    def succeeded(self, epoch: int) -> None:
        """Raise the limit by one for each full round of answers to calls begun after the last decrease."""
        if epoch == self.epoch:
            self._limit = min(self._most, self._limit + 1 / self._limit)

    def rate_limited(self, epoch: int) -> bool:
        """Halve the limit; say whether it was. `epoch` is its value when the call began."""
        if epoch != self.epoch:
            return False
        self.epoch += 1
        self._limit = max(1.0, self._limit / 2)
        return True


class Limiter:
    """Lets the workers of one provider call it, as many at once as it bears, and all of them wait when it says so.

    Parameters
    ----------
    most
        Calls at once, never more.
    longest_pause_s
        A provider that asks for more patience than this is not waited for; the retry policy gives up such requests.
    on_slower
        Told, after each decrease and each new pause, how many calls go on at once and how long all wait.
    monotonic, sleep
        Time as an argument.
    """

    def __init__(
        self,
        most: int,
        *,
        longest_pause_s: float = 120.0,
        on_slower: Callable[[int, float], None] = lambda at_once, pause_s: None,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.limit = AdaptiveLimit(most)
        self._longest_pause_s, self._on_slower = longest_pause_s, on_slower
        self._monotonic, self._sleep = monotonic, sleep
        self._under_way, self._paused_until = 0, 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Hold one call's place; what the call raises is passed on, and a 429 is learned from."""
        await self._take()
        try:
            await self._sit_out_pause()
            epoch = self.limit.epoch
            try:
                yield
            except RateLimitedError as error:
                self._slow_down(epoch, error.retry_after_s)
                raise
            self.limit.succeeded(epoch)
        finally:
            self._give_back()

    async def _take(self) -> None:
        if not self._waiting and self._under_way < self.limit.at_once:
            self._under_way += 1
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)  # first come, first served: nobody is overtaken for ever
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._give_back()  # the place had just been handed over
            raise

    def _give_back(self) -> None:
        self._under_way -= 1
        while self._waiting and self._under_way < self.limit.at_once:
            place = self._waiting.popleft()
            if not place.done():  # else its caller was cancelled meanwhile
                self._under_way += 1
                place.set_result(None)

    async def _sit_out_pause(self) -> None:
        while (pause_s := self._paused_until - self._monotonic()) > 0:
            await self._sleep(pause_s)

    def _slow_down(self, epoch: int, retry_after_s: float | None) -> None:
        decreased = self.limit.rate_limited(epoch)
        asked_s = max(0.0, retry_after_s or 0.0)
        pause_s = 0.0 if asked_s > self._longest_pause_s else asked_s
        until = self._monotonic() + pause_s
        is_longer = pause_s > 0 and until > self._paused_until
        self._paused_until = max(self._paused_until, until)
        if decreased or is_longer:
            self._on_slower(self.limit.at_once, pause_s)


class Limiters:
    """One limiter per provider: a judge and a model under test of the same provider share it."""

    def __init__(self, make: Callable[[str], Limiter]) -> None:
        self._make = make
        self._by_provider: dict[str, Limiter] = {}

    def of(self, provider: str) -> Limiter:
        """Return the provider's limiter, made when it is first asked for."""
        if provider not in self._by_provider:
            self._by_provider[provider] = self._make(provider)
        return self._by_provider[provider]


def at_once(wanted: int, adapter: Adapter) -> int:
    """Return how many requests may be under way: as many as wanted, as far as the adapter goes along, at least one."""
    most = adapter.capabilities.max_concurrency
    return max(1, wanted if most is None else min(wanted, most))
