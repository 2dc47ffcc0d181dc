"""kill -9 loses nothing that was earned."""

import json
import random
import signal
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from .conftest import PROGRAM, stored_answers, wait_for_answers

PROFILE = """
name: slow
latency_ms: 40
pronouns: {default: {she: 0.4, he: 0.6}}
groups:
  female: {match: [female], refusal_rate: 0.2}
"""
REQUESTS = 60 * 25


def command(concurrency: int, *more: str) -> list[str]:
    return [
        *(PROGRAM, "run", "gender_occupation", "--model", "simulated/model.yaml", "--replicates", "25"),
        *("--skip-evaluator", "embeddings", "--seed", "11", "--concurrency", str(concurrency), *more),
    ]


def comparable(path: Path) -> dict[str, Any]:
    """A scorecard without what must differ: the run's name and the time."""
    text = path.read_text()
    card: dict[str, Any] = json.loads(text.replace(json.loads(text)["run"]["id"], "RUN"))
    for key in ("created_at", "finished_at"):
        card["run"].pop(key)
    card.pop("generated_at")
    return card


@pytest.mark.assets
def test_a_run_killed_ten_times_ends_like_one_that_was_left_alone(tmp_path: Path, environment: dict[str, str]) -> None:
    """Ten kills at random moments, each resumed: every request answered once, scorecard equal to an undisturbed one."""
    (tmp_path / "model.yaml").write_text(PROFILE)
    database, moments = Path(environment["EVENHAND_DB"]), random.Random(3)
    killed_with: list[int] = []
    while len(killed_with) < 10:
        before = stored_answers(database)
        process = subprocess.Popen(command(4), cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL)
        # some kills fall into start-up, most while answers arrive
        if moments.random() < 0.8:
            wait_for_answers(database, more_than=before)
        time.sleep(moments.uniform(0.02, 0.5))
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL, "the run ended before it could be killed"
        killed_with.append(stored_answers(database))
    assert killed_with == sorted(killed_with)
    assert 0 < killed_with[-1] < REQUESTS

    subprocess.run(command(64, "--json", "killed.json"), cwd=tmp_path, env=environment, check=True, capture_output=True)
    with sqlite3.connect(database) as connection:
        runs = connection.execute("select count(*) from runs").fetchone()[0]
        rows, ids = connection.execute("select count(*), count(distinct request_id) from responses").fetchone()
    assert (runs, rows, ids) == (1, REQUESTS, REQUESTS)

    undisturbed = {**environment, "EVENHAND_DB": str(tmp_path / "undisturbed.db")}
    subprocess.run(command(64, "--json", "calm.json"), cwd=tmp_path, env=undisturbed, check=True, capture_output=True)
    assert comparable(tmp_path / "killed.json") == comparable(tmp_path / "calm.json")
