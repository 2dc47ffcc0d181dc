"""Ctrl-C: the first ends a run politely, the second at once."""

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

from evenhand.engine.stopping import Stop
from evenhand.errors import RunStopped

T = TypeVar("T")


def run_interruptibly(work: Callable[[Stop], Coroutine[Any, Any, T]], *, say: Callable[[str], None]) -> T:
    """Run a coroutine that heeds a `Stop`.

    Notes
    -----
    The first Ctrl-C asks it to stop: nothing more is asked of the model, and answers under way, which are paid for,
    are waited for and stored. The second cancels them. A third leaves Python no time to tidy up; the store stands
    that too, because it writes whole transactions only.

    Raises
    ------
    KeyboardInterrupt
        If it was stopped either way.
    """
    stop = Stop()

    async def guarded() -> T:
        with _first_interrupt(stop, say):
            return await work(stop)

    try:
        return asyncio.run(guarded())
    except RunStopped:
        raise KeyboardInterrupt from None


@contextmanager
def _first_interrupt(stop: Stop, say: Callable[[str], None]) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    ordinary = signal.getsignal(signal.SIGINT)  # asyncio's own: cancels, and interrupts when it comes again

    def begin() -> None:
        stop.request()
        say(f"Stopping: answers under way are waited for, up to {stop.grace_s:g} s. Ctrl-C again leaves at once.")

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, ordinary)
        loop.call_soon_threadsafe(begin)  # not here: the signal may have come in the middle of a line of output

    signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, ordinary)
