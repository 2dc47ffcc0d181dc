"""Many small writes, few transactions: whoever waits is written together with everyone else who waits."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class GroupCommit(Generic[T]):
    """Write items in a thread, all that are waiting in one call.

    Parameters
    ----------
    write
        Stores items in one transaction; called from a thread, never twice at once.
    """

    def __init__(self, write: Callable[[Sequence[T]], None]) -> None:
        self._write = write
        self._waiting: list[tuple[T, asyncio.Future[None]]] = []
        self._flushing: asyncio.Task[None] | None = None

    async def save(self, item: T) -> None:
        """Return when `item` is stored.

        A cancelled caller stops waiting, yet its item is still written: an answer that was paid for is kept.
        """
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, stored))
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.create_task(self._flush())
        await stored

    async def drain(self) -> None:
        """Wait until nothing is waiting."""
        while self._flushing is not None and not self._flushing.done():
            await asyncio.wait([self._flushing])

    async def _flush(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                await asyncio.to_thread(self._write, [item for item, _ in batch])
            except Exception as error:  # noqa: BLE001 - handed to everyone whose item was not stored
                for _, stored in batch:
                    if not stored.done():
                        stored.set_exception(error)
            else:
                for _, stored in batch:
                    if not stored.done():
                        stored.set_result(None)
