"""Ask requests, a bounded number at once, and hand every answer on before the next request is asked."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from evenhand.core.types import GeneratedOutput, Request

Ask = Callable[[Request], Awaitable[GeneratedOutput]]
Keep = Callable[[Request, GeneratedOutput], Awaitable[None]]


async def execute(requests: Iterable[Request], *, ask: Ask, keep: Keep, concurrency: int) -> None:
    """Ask every request in order.

    Parameters
    ----------
    ask
        Puts one request to the model, with retries. Raises only what must stop everything; whatever concerns one
        request alone comes back as Failed.
    keep
        Returns when the answer is stored, so that a killed process loses at most `concurrency` answers.

    Raises
    ------
    Exception
        The first that `ask` or `keep` raised; the other requests under way are cancelled.
    """
    todo = iter(requests)

    async def work() -> None:
        for request in todo:
            await keep(request, await ask(request))

    try:
        async with asyncio.TaskGroup() as workers:
            for _ in range(concurrency):
                workers.create_task(work())
    except BaseExceptionGroup as group:
        raise _first(group) from group


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    first = group.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
