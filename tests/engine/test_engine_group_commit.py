import asyncio
import time

import pytest

from evenhand.engine.execute import execute
from evenhand.engine.group_commit import GroupCommit


async def test_every_item_is_written_once_in_order_of_arrival() -> None:
    """100 concurrent savers: nothing lost, nothing twice, few transactions."""
    batches: list[list[int]] = []

    def write(items: list[int]) -> None:
        time.sleep(0.005)
        batches.append(list(items))

    commit = GroupCommit[int](write)
    await asyncio.gather(*(commit.save(i) for i in range(100)))
    assert [item for batch in batches for item in batch] == list(range(100))
    assert len(batches) < 20


async def test_save_returns_only_when_the_item_is_written() -> None:
    """What `save` promised survives a kill the moment it returns."""
    written: list[int] = []
    commit = GroupCommit[int](written.extend)
    await commit.save(7)
    assert written == [7]


async def test_a_failing_write_reaches_everyone_whose_item_it_held() -> None:
    """A full disk is heard by every waiting request, and the next write is tried anew."""
    calls = 0

    def write(items: list[int]) -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise OSError("no space left")

    commit = GroupCommit[int](write)
    first = await asyncio.gather(commit.save(1), commit.save(2), return_exceptions=True)
    assert [type(error) for error in first] == [OSError, OSError]
    await commit.save(3)
    assert calls == 2


async def test_a_cancelled_saver_still_has_its_item_written() -> None:
    """An answer that was paid for is kept when the run is interrupted."""
    written: list[int] = []

    def write(items: list[int]) -> None:
        time.sleep(0.02)
        written.extend(items)

    commit = GroupCommit[int](write)
    saver = asyncio.ensure_future(commit.save(1))
    await asyncio.sleep(0.005)
    saver.cancel()
    with pytest.raises(asyncio.CancelledError):
        await saver
    await commit.drain()
    assert written == [1]


async def test_no_more_requests_are_under_way_than_allowed() -> None:
    """However slow the store is."""
    under_way, most = 0, 0

    async def ask(request: int) -> int:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.001)
        under_way -= 1
        return request

    async def keep(request: int, answer: int) -> None:
        await asyncio.sleep(0.003)

    await execute(range(50), ask=ask, keep=keep, concurrency=7)  # type: ignore[arg-type]
    assert most == 7


async def test_no_more_answers_wait_for_the_store_than_allowed() -> None:
    """What a kill can cost is bounded: a worker waits for its last answer before it hands over the next."""
    waiting, most, stored = 0, 0, 0

    async def ask(request: int) -> int:
        await asyncio.sleep(0)
        return request

    def keep(request: int, answer: int) -> asyncio.Task[None]:
        nonlocal waiting, most
        waiting += 1
        most = max(most, waiting)
        return asyncio.create_task(store())

    async def store() -> None:
        nonlocal waiting, stored
        await asyncio.sleep(0.003)
        waiting -= 1
        stored += 1

    await execute(range(50), ask=ask, keep=keep, concurrency=7)  # type: ignore[arg-type]
    assert most <= 14
    assert stored == 50


async def test_the_first_error_stops_everything_and_is_raised_bare() -> None:
    """Callers catch AuthenticationError, not a group that holds one."""
    asked: list[int] = []

    async def ask(request: int) -> int:
        asked.append(request)
        if request == 3:
            raise PermissionError("key refused")
        await asyncio.sleep(0.01)
        return request

    async def keep(request: int, answer: int) -> None:
        return None

    with pytest.raises(PermissionError, match="key refused"):
        await execute(range(1000), ask=ask, keep=keep, concurrency=4)  # type: ignore[arg-type]
    assert len(asked) < 10
