"""Many small writes, few transactions: whoever waits is written together with everyone else who waits."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class GroupCommit(Generic[T]):
    """Write items in a thread, all that are waiting in one call.

    Parameters
    ----------
    write
        Stores items in one transaction; called from a thread, never twice at once.
    on_stored
        Told of them afterwards, in the event loop.
    """

    def __init__(
        self, write: Callable[[Sequence[T]], None], *, on_stored: Callable[[Sequence[T]], None] = lambda items: None
    ) -> None:
        self._write, self._on_stored = write, on_stored
        self._waiting: list[tuple[T, asyncio.Future[None]]] = []
        self._flushing: asyncio.Task[None] | None = None

    def save(self, item: T) -> Awaitable[None]:
        """Take `item` at once; what comes back is done when it is stored.

        Nobody has to wait: the item is written whatever becomes of the caller, since it was paid for.
        """
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, stored))
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.create_task(self._flush())
        return stored

    async def drain(self) -> None:
        """Wait until nothing is waiting."""
        while self._flushing is not None and not self._flushing.done():
            await asyncio.wait([self._flushing])

    async def _flush(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            items = [item for item, _ in batch]
            try:
                await asyncio.to_thread(self._write, items)
                self._on_stored(items)
            except Exception as error:  # noqa: BLE001 - handed to everyone whose item was not stored
                for _, stored in batch:
                    if not stored.done():
                        stored.set_exception(error)
                        stored.exception()  # seen: a worker that was ended elsewhere will not ask for it
            else:
                for _, stored in batch:
                    if not stored.done():
                        stored.set_result(None)
