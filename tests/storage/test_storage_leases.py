"""Leases: one owner at a time, and a dead one never blocks the next."""

import os
import platform
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from storage_builders import RUN, a_response, a_run, opened

from evenhand.core.types import RunId
from evenhand.errors import StoreError
from evenhand.storage.base import Store
from evenhand.storage.owner import Owner, is_known_dead, this_process


class Clock:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 30, 20, 44, 55, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def forward(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pair(location: str, clock: Clock) -> Iterator[tuple[Store, Store]]:
    """Two stores on one file, as two threads of a server would have."""
    with opened(location, clock=clock) as first, opened(location, clock=clock) as second:
        first.create_run(a_run())
        yield first, second


def test_a_claimed_run_is_refused_to_others(pair: tuple[Store, Store]) -> None:
    """The message says who holds it, since when, and what to do."""
    first, second = pair
    first.claim(RUN)
    with pytest.raises(StoreError, match=rf"process {os.getpid()} on .*20:44:55.*free after .*20:54:55"):
        second.claim(RUN)


def test_release_and_close_give_the_run_back(pair: tuple[Store, Store]) -> None:
    """Releasing what one does not hold changes nothing."""
    first, second = pair
    first.claim(RUN)
    second.release(RUN)
    with pytest.raises(StoreError):
        second.claim(RUN)
    first.release(RUN)
    second.claim(RUN)
    second.close()
    first.claim(RUN)


def test_other_runs_are_free(pair: tuple[Store, Store]) -> None:
    """Two runs at once on one database are welcome."""
    first, second = pair
    first.create_run(a_run("other"))
    first.claim(RUN)
    second.claim(RunId("other"))


def test_saving_renews_the_lease(pair: tuple[Store, Store], clock: Clock) -> None:
    """A run that works keeps its lease however long it takes."""
    first, second = pair
    first.claim(RUN, lease_s=60)
    for number in range(3):
        clock.forward(50)
        first.save_responses(RUN, [a_response(f"r{number}")])
    with pytest.raises(StoreError, match="being executed"):
        second.claim(RUN)


def test_a_silent_owner_loses_the_run_and_learns_it(pair: tuple[Store, Store], clock: Clock) -> None:
    """After a laptop's sleep, two processes do not both write: the first one's next save is refused."""
    first, second = pair
    first.claim(RUN, lease_s=60)
    clock.forward(61)
    second.claim(RUN)
    with pytest.raises(StoreError, match="taken over"):
        first.save_responses(RUN, [a_response("r1")])
    assert second.latest_outcomes(RUN) == {}
    first.release(RUN)
    with pytest.raises(StoreError, match="being executed"):
        first.claim(RUN)


def test_claiming_an_unknown_run_is_refused(pair: tuple[Store, Store]) -> None:
    """A lease on nothing would protect nothing."""
    with pytest.raises(StoreError, match="lacks the run"):
        pair[0].claim(RunId("nowhere"))


CLAIM = """
import sys, time
from evenhand.storage.locate import open_store
store = open_store(sys.argv[1])
store.claim(sys.argv[2])
print("claimed", flush=True)
time.sleep(60)
"""


@contextmanager
def claimed_elsewhere(location: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", CLAIM, location, RUN]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "claimed\n"
        try:
            yield process
        finally:
            process.kill()


def test_the_lease_of_a_killed_process_is_taken_over_at_once(running: Store, location: str) -> None:
    """While it lives it is respected; after kill -9 nobody waits, even before its parent has noticed the death."""
    with claimed_elsewhere(location) as process:
        with pytest.raises(StoreError, match=f"process {process.pid}"):
            running.claim(RUN)
        process.send_signal(signal.SIGKILL)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # dead, and still a zombie
        running.claim(RUN)


def test_of_two_that_claim_at_the_same_moment_one_gets_the_run(location: str) -> None:
    """Each connection asks what is held, and then takes it; between the two, nobody else may."""
    stores = [opened(location) for _ in range(4)]
    stores[0].create_run(a_run())

    def refusal(store: Store) -> str:
        try:
            store.claim(RUN)
        except StoreError as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(len(stores)) as pool:
        taken, *refused = sorted(pool.map(refusal, stores))
    assert taken == ""
    assert all("being executed" in sentence for sentence in refused)
    for store in stores:
        store.close()


def test_only_the_certainly_dead_are_dead() -> None:
    """Another machine, or a system that does not tell, is given the benefit of the doubt."""
    me = this_process()
    assert not is_known_dead(me)
    assert not is_known_dead(Owner(host=platform.node() + "x", pid=me.pid, process="elsewhere"))
    assert is_known_dead(Owner(host=me.host, pid=me.pid, process="an earlier process with the same id"))
