"""The command line as a user runs it: a real process, a database of its own."""

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PROGRAM = str(Path(sys.executable).with_name("evenhand"))
Evenhand = Callable[..., "subprocess.CompletedProcess[str]"]


def stored_answers(database: Path) -> int:
    """Count the answers in a database that another process may be writing, or may not have made yet."""
    if not database.exists():
        return 0
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        try:
            return int(connection.execute("select count(*) from responses").fetchone()[0])
        except sqlite3.OperationalError:  # its tables are not there yet
            return 0


def wait_for_answers(database: Path, *, more_than: int = 0) -> None:
    """Return once a run under way has stored something."""
    deadline = time.monotonic() + 60
    while stored_answers(database) <= more_than and time.monotonic() < deadline:
        time.sleep(0.02)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The caller's environment, with the database in the test's own folder."""
    return {**os.environ, "EVENHAND_DB": str(tmp_path / "runs.db"), "COLUMNS": "120", "NO_COLOR": "1"}


@pytest.fixture
def evenhand(tmp_path: Path, environment: dict[str, str]) -> Evenhand:
    """Run ``evenhand ARGS`` and return what it printed; expects `code` as its exit code."""

    def call(*args: str, code: int = 0) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [PROGRAM, *args], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240, check=False
        )
        assert done.returncode == code, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    return call


@pytest.fixture
def audit(evenhand: Evenhand, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Write a set and a simulated model's declared biases, run the audit, return its scorecard."""

    def run(scenarios: str, profile: str, *args: str, code: int = 0) -> dict[str, Any]:
        (tmp_path / "set.yaml").write_text(scenarios)
        (tmp_path / "model.yaml").write_text(profile)
        evenhand("run", "set.yaml", "--model", "simulated/model.yaml", "--json", "card.json", *args, code=code)
        card: dict[str, Any] = json.loads((tmp_path / "card.json").read_text())
        return card

    return run
