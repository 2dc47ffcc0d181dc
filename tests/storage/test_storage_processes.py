"""Several processes on one file: all succeed, and kill -9 loses nothing that was saved."""

import subprocess
import sys
from pathlib import Path

from storage_builders import RUN, a_run, opened

from evenhand.core.types import RunId
from evenhand.storage.base import Store
from evenhand.storage.locate import open_store
from evenhand.storage.sqlite import SQLiteBackend

# sys.argv: database, folder of storage_builders, run, number of saves
WRITE = """
import sys
sys.path.append(sys.argv[2])
from storage_builders import a_response, a_run, an_evaluation
from evenhand.storage.locate import open_store

with open_store(sys.argv[1]) as store:
    run = a_run(sys.argv[3])
    store.create_run(run)
    store.claim(run.id)
    for number in range(int(sys.argv[4])):
        store.save_responses(run.id, [a_response(f"r{number}")])
        store.save_evaluations(run.id, [an_evaluation(f"r{number}")])
        print(number, flush=True)
"""


def start(location: str, run_id: str, saves: int) -> subprocess.Popen[str]:
    here = str(Path(__file__).parent)
    command = [sys.executable, "-c", WRITE, location, here, run_id, str(saves)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_processes_that_open_a_new_store_at_once_all_succeed(untouched: str) -> None:
    """One migrates, the others wait; then each writes its own run into the same store."""
    processes = [start(untouched, f"run-{number}", saves=20) for number in range(3)]
    errors = [process.communicate()[1] for process in processes]
    assert errors == ["", "", ""]
    with open_store(untouched) as store:
        assert {run.id for run in store.list_runs()} == {"run-0", "run-1", "run-2"}
        for number in range(3):
            counts = store.counts(RunId(f"run-{number}"))
            assert (counts.answered, counts.evaluations["toxicity"].judged) == (20, 20)


def test_kill_9_loses_nothing_that_was_saved(location: str) -> None:
    """Every save that had returned is there, whole; the file is sound, and the run is free to go on."""
    process = start(location, RUN, saves=100_000)
    assert process.stdout is not None
    for _ in range(40):
        reported = int(process.stdout.readline())
    process.kill()
    rest = process.stdout.read().split()  # not communicate(), which would overlook lines that are buffered already
    process.communicate()
    acknowledged = max([reported, *map(int, rest)]) + 1
    with opened(location) as store:
        store.claim(RUN)
        answered = store.counts(RUN).answered
        assert acknowledged <= answered <= acknowledged + 1
        assert len(store.evaluated(RUN, "toxicity", "1")) >= acknowledged
        if isinstance(store, SQLiteBackend):
            with store._reading() as connection:
                assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        store.create_run(a_run("next"))


def test_threads_share_a_store(running: Store) -> None:
    """The engine saves from worker threads."""
    from concurrent.futures import ThreadPoolExecutor

    from storage_builders import a_response

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda i: running.save_responses(RUN, [a_response(f"r{i}")]), range(80)))
    assert len(running.latest_outcomes(RUN)) == 80
