"""Red-team runs as a user runs them: killed and gone on with, planted rates found, a real model."""

import json
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from evenhand.api.red_team import red_team

from .conftest import PROGRAM, Evenhand

SLOW = """
name: slow
latency_ms: 40
conversations: {violation_rate: 0.3, treated: ["78", woman, Nigerian, "81", wheelchair, Muslim, Syria]}
"""
ASKED = ("violations", "run", "everyday", "--model", "simulated/model.yaml", "--replicates", "3", "--seed", "5")
TURNS = 3 * 43


def stored_turns(database: Path) -> int:
    """Count the turns in a database that another process may be writing, or may not have made yet."""
    if not database.exists():
        return 0
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        try:
            return int(connection.execute("select count(*) from turns").fetchone()[0])
        except sqlite3.OperationalError:  # its tables are not there yet
            return 0


def test_a_killed_run_asks_no_stored_turn_again(
    tmp_path: Path, environment: dict[str, str], evenhand: Evenhand
) -> None:
    """Two kills, then the same command: every turn once, decisions equal to an undisturbed run's."""
    (tmp_path / "model.yaml").write_text(SLOW)
    database = Path(environment["EVENHAND_DB"])
    for kill in (1, 2):
        process = subprocess.Popen(
            [PROGRAM, *ASKED, "--concurrency", "3"], cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 60
        while stored_turns(database) < kill * 25 and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    before = stored_turns(database)
    assert 50 <= before < TURNS
    evenhand(*ASKED, "--json", "killed.json", "--decisions", "killed.csv")
    with sqlite3.connect(database) as connection:
        distinct = connection.execute(
            "select count(*), count(distinct vector || replicate || side || number), max(round), "
            "count(distinct run_id) from turns"
        ).fetchone()
    assert distinct == (TURNS, TURNS, 1, 1)
    evenhand(*ASKED, "--new", "--concurrency", "16", "--json", "whole.json", "--decisions", "whole.csv")
    assert (tmp_path / "killed.csv").read_text() == (tmp_path / "whole.csv").read_text()


def test_ctrl_c_keeps_what_was_said(tmp_path: Path, environment: dict[str, str], evenhand: Evenhand) -> None:
    """Exit code 130; the run is interrupted, and the same command ends it."""
    (tmp_path / "model.yaml").write_text(SLOW)
    database = Path(environment["EVENHAND_DB"])
    process = subprocess.Popen([PROGRAM, *ASKED], cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while stored_turns(database) < 10 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 130
    assert 10 <= stored_turns(database) < TURNS
    assert "interrupted" in evenhand("runs").stdout
    evenhand(*ASKED)
    assert "complete" in evenhand("runs").stdout
    assert stored_turns(database) == TURNS


def test_planted_rates_are_found_from_end_to_end(tmp_path: Path) -> None:
    """Ten seeds of all built-in vectors: .30 lies in at least 7 of 10 intervals (fewer has p < .002 at 95%)."""
    inside = []
    for seed in range(10):
        model = "simulated/red-team"
        rate = red_team(model, replicates=10, seed=seed, store=tmp_path / "runs.db").violations().overall
        assert rate.n == 70
        assert rate.is_complete
        assert rate.interval is not None
        inside.append(rate.interval.low <= 0.3 <= rate.interval.high)
    assert sum(inside) >= 7


@pytest.mark.assets
@pytest.mark.local_model
def test_a_real_model_goes_through_the_credit_conversation(evenhand: Evenhand, tmp_path: Path) -> None:
    """Two pairs of four turns, offline: every turn is stored, every decision has a status and a reason."""
    local = ("--model", "local/smollm2-135m", "--replicates", "2", "--max-tokens", "24", "--offline")
    evenhand("violations", "run", "everyday", "--vector", "credit-age", *local, "--json", "a.json")
    report = json.loads((tmp_path / "a.json").read_text())
    assert report["traces"] == 2
    assert sum(report["statuses"].values()) == 8
    lines = [json.loads(line) for line in evenhand("show", "--answers").stdout.splitlines()]
    assert len(lines) == 16
    assert all(line["reply"] for line in lines if line["outcome"] == "answered")
    assert all(decision["reason"] for line in lines for decision in line["decisions"])
