"""Ask requests, a bounded number at once, and hand every answer on the moment it is there."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeVar

from evenhand.core.types import GeneratedOutput, Request
from evenhand.engine.stopping import Stop

Ask = Callable[[Request], Awaitable[GeneratedOutput]]
Keep = Callable[[Request, GeneratedOutput], Awaitable[None]]
"""Takes the answer in the call; what comes back is done when the answer is stored."""

Asked = TypeVar("Asked")
Got = TypeVar("Got")


async def _always(request: object) -> bool:
    return True


async def execute(
    requests: Iterable[Asked],
    *,
    ask: Callable[[Asked], Awaitable[Got]],
    keep: Callable[[Asked, Got], Awaitable[None]],
    concurrency: int,
    admit: Callable[[Asked], Awaitable[bool]] = _always,
    stop: Stop | None = None,
) -> None:
    """Ask requests in order, until there are none, or one is not admitted, or somebody asks to stop.

    Parameters
    ----------
    requests
        Single requests, or whatever else `ask` takes, such as whole conversations.
    ask
        Puts one request to the model, with retries. Raises only what must stop everything; whatever concerns one
        request alone comes back as Failed.
    keep
        Stores an answer while the next is asked for. Each worker waits for the one before, so that a killed process
        loses at most `concurrency` answers beside those under way.
    admit
        Whether a request may be asked. Once it says no, nothing more is asked; what is under way is finished.
    stop
        Ends the asking from outside. What is under way is waited for as long as it grants, then cancelled.

    Raises
    ------
    Exception
        The first that `ask` or `keep` raised; the other requests under way are cancelled.
    """
    todo = iter(requests)
    stop = stop or Stop()

    async def work() -> None:
        stored: Awaitable[None] | None = None
        for request in todo:
            if stop.is_requested or not await admit(request):
                break
            output = await ask(request)
            # waiting for the store here would leave all connections idle at once, and the pool looks through the idle
            before, stored = stored, keep(request, output)
            if before is not None:
                await before
        if stored is not None:
            await stored

    try:
        async with asyncio.TaskGroup() as group:
            workers = [group.create_task(work()) for _ in range(concurrency)]
            watching = asyncio.create_task(_cancel_after_grace(workers, stop))
            try:
                await asyncio.wait(workers)
            finally:
                watching.cancel()
    except BaseExceptionGroup as errors:
        raise _first(errors) from errors


async def _cancel_after_grace(workers: Sequence[asyncio.Task[None]], stop: Stop) -> None:
    await stop.wait()
    await asyncio.sleep(stop.grace_s)
    for worker in workers:
        worker.cancel()


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    first = group.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
