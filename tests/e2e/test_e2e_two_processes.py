"""Two processes on one database: different runs side by side, and never one run twice."""

import signal
import sqlite3
import subprocess
from pathlib import Path

from .conftest import PROGRAM, Evenhand, stored_answers, wait_for_answers

LIGHT = ("--skip-evaluator", "embeddings", "--skip-evaluator", "toxicity", "--skip-evaluator", "names")
ASKED = ("run", "gender_occupation", "--model", "simulated/slow.yaml", "--replicates", "2", *LIGHT)
REQUESTS = 60 * 2


def start(tmp_path: Path, environment: dict[str, str], *args: str, latency_ms: int = 50) -> "subprocess.Popen[str]":
    (tmp_path / "slow.yaml").write_text(f"name: slow\nlatency_ms: {latency_ms}\n")
    command = [PROGRAM, *ASKED, *args]
    silent = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, stdout=silent, text=True)


def test_two_runs_at_once_on_one_database_both_succeed(tmp_path: Path, environment: dict[str, str]) -> None:
    """Started together on a database that neither has made yet: two complete runs, every request stored once."""
    both = [start(tmp_path, environment, "--seed", seed, "--concurrency", "16") for seed in ("1", "2")]
    for process in both:
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
    with sqlite3.connect(environment["EVENHAND_DB"]) as connection:
        statuses = connection.execute("select status from runs").fetchall()
        counts = connection.execute("select count(distinct request_id) from responses group by run_id").fetchall()
    assert statuses == [("complete",)] * 2
    assert counts == [(REQUESTS,)] * 2


def test_the_second_process_of_one_run_is_told_who_has_it(
    tmp_path: Path, environment: dict[str, str], evenhand: Evenhand
) -> None:
    """The same command while the first is at it would go on with its run: exit 2, and the first is not disturbed."""
    # two minutes of work, so that the others surely meet it
    first = start(tmp_path, environment, "--concurrency", "1", latency_ms=1000)
    wait_for_answers(Path(environment["EVENHAND_DB"]))
    for resume in ((), ("--resume", "latest")):
        told = " ".join(evenhand(*ASKED, *resume, code=2).stderr.split())
        assert f"is being executed by process {first.pid}" in told
        assert "Wait for it or end it" in told
    before = stored_answers(Path(environment["EVENHAND_DB"]))
    wait_for_answers(Path(environment["EVENHAND_DB"]), more_than=before)
    first.send_signal(signal.SIGINT)
    _, said = first.communicate(timeout=60)
    assert first.returncode == 130, said
    with sqlite3.connect(environment["EVENHAND_DB"]) as connection:
        assert connection.execute("select status from runs").fetchall() == [("interrupted",)]
