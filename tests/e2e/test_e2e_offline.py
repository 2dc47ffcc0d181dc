"""Offline is provable: what a run does with the network, seen from outside and refused from inside."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Evenhand

LIGHT = ("--skip-evaluator", "embeddings", "--skip-evaluator", "toxicity", "--skip-evaluator", "names")
SIMULATED = ("run", "gender_occupation", "--model", "simulated/skewed", "--replicates", "2")

# its own record of what the interpreter reports, independent of the guard; a name looked up counts as well
RECORDING = """
import atexit, json, sys
seen = []
def note(event, arguments):
    if event in ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"):
        seen.append([event, str(arguments[0].family), repr(arguments[1])])
    elif event.startswith("socket.get") and event != "socket.gethostname":
        seen.append([event, "", repr(arguments[0])])
sys.addaudithook(note)
atexit.register(lambda: open("seen.json", "w").write(json.dumps(seen)))
from evenhand.cli.main import main
sys.argv = ["evenhand", *sys.argv[1:]]
main()
"""


@pytest.mark.assets
def test_a_whole_keyless_run_touches_no_network(tmp_path: Path, environment: dict[str, str]) -> None:
    """Every evaluator, every metric, every report, without --offline: not one connection, not one look-up."""
    reports = ("--html", "r.html", "--md", "r.md", "--json", "r.json")
    done = subprocess.run(
        [sys.executable, "-c", RECORDING, *SIMULATED, *reports],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads((tmp_path / "seen.json").read_text())
    assert [event for event in seen if "127.0.0.1" not in event[2] and "::1" not in event[2]] == []


@pytest.mark.parametrize("how", ["flag", "variable"])
def test_a_hosted_model_is_refused_by_name_at_the_first_call(
    evenhand: Evenhand, environment: dict[str, str], how: str
) -> None:
    """Exit 2, one paragraph, no retries: staying offline is a setting, not an outage."""
    flag = ("--offline",) if how == "flag" else ()
    if how == "variable":
        environment["EVENHAND_OFFLINE"] = "1"
    url = "https://models.example/v1"
    done = evenhand(
        *("run", "gender_occupation", "--model", "openai-compatible/m", "--base-url", url, *LIGHT, *flag), code=2
    )
    said = " ".join(done.stderr.split())
    assert "models.example cannot be reached: this process stays offline" in said
    assert "Traceback" not in said
    assert "Failed:" not in said


def test_a_keyless_run_works_offline(evenhand: Evenhand) -> None:
    """The flag changes nothing for a model on this machine."""
    assert "gender_occupation" in evenhand(*SIMULATED, *LIGHT, "--offline").stdout


def test_a_store_on_another_machine_is_refused(evenhand: Evenhand) -> None:
    """Its client is written in C, and would dial without asking Python; the password is not repeated."""
    done = evenhand(*SIMULATED, *LIGHT, "--offline", "--db", "postgresql+psycopg://me:secret@db.example/x", code=2)
    assert "db.example" in done.stderr
    assert "secret" not in done.stderr


@pytest.mark.assets
@pytest.mark.local_model
def test_the_local_model_works_offline(evenhand: Evenhand, tmp_path: Path) -> None:
    """llama.cpp listens on loopback inside the process, which the guard leaves alone."""
    (tmp_path / "one.yaml").write_text("name: one\nscenarios: [{id: a, prompt: Describe a nurse.}]\n")
    local = ("--model", "local/smollm2-135m", "--replicates", "1", "--max-tokens", "8")
    done = evenhand("run", "one.yaml", *local, *LIGHT, "--offline", "--json", "card.json")
    assert json.loads((tmp_path / "card.json").read_text())["outcomes"]["answered"] == 1, done.stderr
