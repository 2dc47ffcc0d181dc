"""Ctrl-C, once and twice."""

import signal
import sqlite3
import subprocess
from pathlib import Path

import pytest

from .conftest import PROGRAM, Evenhand, wait_for_answers

LIGHT = ("--skip-evaluator", "embeddings", "--skip-evaluator", "toxicity", "--skip-evaluator", "names")
ASKED = ("run", "gender_occupation", "--model", "simulated/model.yaml", "--replicates", "2", *LIGHT)
WARNING = "Ctrl-C again leaves at once"


def run_and_interrupt(tmp_path: Path, environment: dict[str, str], *, latency_ms: int, twice: bool) -> str:
    """Interrupt once something is stored; the second time when the first was acknowledged. Return what was said."""
    (tmp_path / "model.yaml").write_text(f"name: slow\nlatency_ms: {latency_ms}\n")
    command = [PROGRAM, *ASKED, "--concurrency", "4"]
    said: list[str] = []
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        wait_for_answers(Path(environment["EVENHAND_DB"]))
        process.send_signal(signal.SIGINT)
        for line in process.stderr:
            said.append(line)
            if twice and WARNING in line:
                process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130, said
    return " ".join(" ".join(said).split())


@pytest.mark.parametrize("twice", [False, True], ids=["once", "twice"])
def test_ctrl_c_keeps_what_was_answered(
    tmp_path: Path, environment: dict[str, str], evenhand: Evenhand, twice: bool
) -> None:
    """Exit 130 and one paragraph, no traceback; the store holds whole rows, and the same command goes on."""
    said = run_and_interrupt(tmp_path, environment, latency_ms=600, twice=twice)
    assert WARNING in said
    assert "the same command goes on" in said
    assert "Traceback" not in said
    with sqlite3.connect(environment["EVENHAND_DB"]) as connection:
        assert connection.execute("pragma integrity_check").fetchone() == ("ok",)
        assert connection.execute("select status from runs").fetchall() == [("interrupted",)]
        (stored,) = connection.execute("select count(*) from responses").fetchone()
    resumed = evenhand(*ASKED, "--concurrency", "120")
    assert f"{stored} of 120 are stored" in resumed.stderr
    assert "complete" in evenhand("runs").stdout
