"""A run whose store fails: it stops with a clear sentence, keeps what it earned, and the same command goes on."""

import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from storage_postgres import PostgresServer

from evenhand.core.types import RunId
from evenhand.storage.base import Store
from evenhand.storage.locate import open_store

PROGRAM = str(Path(sys.executable).with_name("evenhand"))
REPLICATES = 50
REQUESTS = 3 * REPLICATES
SET = """
name: nurses
taxonomies: {gender: [female, male]}
scenarios:
  - id: nurse
    prompt: Describe a nurse.
    counterfactuals:
      - attribute: gender
        variants:
          - {value: female, prompt: Describe a female nurse.}
          - {value: male, prompt: Describe a male nurse.}
"""
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """Start the run of a slow simulated model."""
    (tmp_path / "set.yaml").write_text(SET)
    (tmp_path / "slow.yaml").write_text("name: slow\nlatency_ms: 20\n")
    light = [arg for name in ("embeddings", "toxicity", "names") for arg in ("--skip-evaluator", name)]
    command = [PROGRAM, "run", "set.yaml", "--model", "simulated/slow.yaml", "--replicates", str(REPLICATES), *light]

    def begin(location: str, **settings: Any) -> "subprocess.Popen[str]":
        environment = {**os.environ, "EVENHAND_DB": location, "COLUMNS": "120"}
        return subprocess.Popen(
            [*command, "--concurrency", "4"],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            **settings,
        )

    return begin


def ended(process: "subprocess.Popen[str]", code: int) -> str:
    """What it said, in one line."""
    said = process.communicate(timeout=120)[1]
    assert process.returncode == code, said
    assert "Traceback" not in said
    return " ".join(said.split())


def newest(store: Store) -> RunId:
    return store.get_run("latest").id


def stored(location: str) -> int:
    with open_store(location) as store:
        return len(store.latest_outcomes(newest(store)))


def wait_for_answers(location: str, at_least: int) -> None:
    deadline = time.monotonic() + 60
    with open_store(location) as store:
        while time.monotonic() < deadline:
            if store.list_runs() and len(store.latest_outcomes(newest(store))) >= at_least:
                return
            time.sleep(0.02)
    raise AssertionError("the run stored nothing")


def assert_goes_on(start: Start, location: str, before: int) -> None:
    """Nothing that was stored is asked again; at the end everything is there once."""
    said = ended(start(location), code=0)
    assert (found := re.search(r"going on with it: (\d+) of 150 are stored", said))
    assert int(found[1]) == before
    with open_store(location) as store:
        counts = store.counts(newest(store))
        assert (counts.answered, counts.superseded) == (REQUESTS, 0)
        assert len(store.list_runs()) == 1
        assert store.get_run("latest").status == "complete"


def test_a_server_that_crashes_under_a_run(start: Start, postgres: PostgresServer, url: str) -> None:
    """Also the interruption cannot be noted any more: the run is found by its lease, whose owner is dead."""
    process = start(url)
    wait_for_answers(url, at_least=10)
    postgres.crash()
    try:
        said = ended(process, code=2)
    finally:
        postgres.start()
    assert "Error: The store postgresql://" in said
    assert "cannot be reached" in said or "is gone" in said
    before = stored(url)
    assert before >= 10
    assert_goes_on(start, url, before)


def test_a_disk_that_is_full_under_a_run(start: Start, path: Path) -> None:
    """A file may grow to 400 kB, as on a disk with no more room than that."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))  # noqa: E731 - runs in the child
    said = ended(start(str(path), preexec_fn=limit), code=2)
    assert "the disk is full, or it is failing" in said or "its disk is full" in said
    assert "What was saved so far is safe" in said
    before = stored(str(path))
    assert 0 < before < REQUESTS
    assert_goes_on(start, str(path), before)
