"""What the program says and returns when something is wrong."""

import signal
import socket
import subprocess
from pathlib import Path

import pytest

from .conftest import PROGRAM, Evenhand, wait_for_answers

LIGHT = ("--skip-evaluator", "embeddings", "--skip-evaluator", "toxicity", "--skip-evaluator", "names")
SMALL = ("--replicates", "2", *LIGHT)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("run", "gender_ocupation", "--model", "simulated/fair"), "Did you mean 'gender_occupation'"),
        (("run", "nowhere.yaml", "--model", "simulated/fair"), "nowhere.yaml"),
        (("run", "gender_occupation", "--model", "fair"), "provider/name"),
        (("run", "gender_occupation", "--model", "simulatd/fair"), "Did you mean 'simulated'"),
        (("run", "gender_occupation", "--model", "simulated/fair", "--metrics", "RSY"), "Did you mean"),
        (("run", "gender_occupation", "--model", "simulated/fair", "--skip-evaluator", "toxic"), "toxicity"),
        (("run", "gender_occupation", "--model", "simulated/fair", "--bands", "loose"), "evenhand-1"),
        (("run", "gender_occupation", "--model", "simulated/fair", "--replicates", "0"), "replicates"),
        (("run", "gender_occupation", "--model", "simulated/fair", "--new", "--resume", "x"), "one of them"),
        (("run", "gender_occupation", "--model", "simulated/fair", "--strict"), "--fail-on"),
        (("run", "gender_occupation", "--model", "simulated/fair", "--option", "slots"), "KEY=VALUE"),
        (("run", "gender_occupation", "--model", "simulated/fair", "--modle", "x"), "No such option"),
        (("show", "20200101"), "20200101"),
        (("scor", "latest"), "Did you mean 'score'"),
        (("metrics", "rsj"), "RSI"),
        (("baselines", "us_cps2023_registered_nurse_"), "us_cps2023_registered_nurses"),
        (("models", "pull", "smollm"), "smollm2-135m"),
    ],
)
def test_bad_input_is_one_clear_paragraph_and_exit_code_2(evenhand: Evenhand, args: tuple[str, ...], said: str) -> None:
    """No traceback; the message says what to do."""
    done = evenhand(*args, code=2)
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_verbose_shows_the_traceback(evenhand: Evenhand) -> None:
    """Whoever wants to see where it happened can."""
    done = evenhand("show", "20200101", "--verbose", code=1)
    assert "Traceback" in done.stderr


def test_a_model_that_never_answers_is_exit_code_3_with_undefined_metrics(evenhand: Evenhand, tmp_path: Path) -> None:
    """Nobody listens on the port: every request fails, nothing is called 0."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    (tmp_path / "one.yaml").write_text("name: one\nscenarios: [{id: a, prompt: Describe a nurse.}]\n")
    done = evenhand(
        *("run", "one.yaml", "--model", "openai-compatible/m", "--base-url", f"http://127.0.0.1:{port}/v1"),
        *("--replicates", "1", "--attempts", "1", *LIGHT),
        code=3,
    )
    assert "failed for every request" in done.stderr
    assert "undefined" in done.stdout


def test_a_gate_that_fails_is_exit_code_1(evenhand: Evenhand, tmp_path: Path) -> None:
    """All-male answers reach the fail band of RSI; the sentence names metric and band."""
    (tmp_path / "men.yaml").write_text("name: men\npronouns: {default: {he: 1.0}}\n")
    common = ("run", "gender_occupation", "--model", "simulated/men.yaml", "--replicates", "12", *LIGHT)
    done = evenhand(*common, "--metrics", "ODE", "--fail-on", "fail", code=1)
    assert "ODE is supported to lie in the band" in " ".join(done.stderr.split())


def test_ctrl_c_is_exit_code_130_and_the_same_command_goes_on(
    evenhand: Evenhand, environment: dict[str, str], tmp_path: Path
) -> None:
    """Interrupting keeps what was answered, says so, and the next call resumes."""
    (tmp_path / "slow.yaml").write_text("name: slow\nlatency_ms: 100\n")
    arguments = ["run", "gender_occupation", "--model", "simulated/slow.yaml", *SMALL]
    process = subprocess.Popen(
        [PROGRAM, *arguments, "--concurrency", "2"], cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True
    )
    wait_for_answers(Path(environment["EVENHAND_DB"]))
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130, said
    assert "the same command goes on" in said
    assert "interrupted" in evenhand("runs").stdout
    resumed = evenhand(*arguments, "--concurrency", "60")
    assert "going on with it" in resumed.stderr
    assert "complete" in evenhand("runs").stdout


def test_resuming_with_other_settings_is_refused_with_the_differences(evenhand: Evenhand) -> None:
    """Two settings must not be mixed in one run."""
    evenhand("run", "gender_occupation", "--model", "simulated/fair", *SMALL)
    other = ("run", "gender_occupation", "--model", "simulated/fair", *SMALL, "--seed", "9", "--resume", "latest")
    assert "seed: 0 → 9" in " ".join(evenhand(*other, code=2).stderr.split())


def test_a_dry_run_asks_nothing_and_leaves_nothing_behind(evenhand: Evenhand, environment: dict[str, str]) -> None:
    """Calls, tokens, cost; no database."""
    done = evenhand("run", "gender_occupation", "--model", "simulated/fair", *SMALL, "--dry-run")
    assert "120" in done.stdout
    assert "Nothing was asked." in done.stdout
    assert not Path(environment["EVENHAND_DB"]).exists()


def test_help_imports_no_heavy_package(environment: dict[str, str]) -> None:
    """`evenhand --help` is what a new user types first; it must not load numpy or a database driver."""
    import sys

    code = (
        "import sys; sys.argv = ['evenhand', '--help']\n"
        "from evenhand.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'scipy', 'sqlalchemy', 'pydantic', 'rich', 'jinja2', 'openai'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "gender_occupation" in done.stdout


def test_scoring_again_gives_the_same_numbers_without_a_model(evenhand: Evenhand, tmp_path: Path) -> None:
    """Every number can be recomputed from what is stored."""
    evenhand("run", "gender_occupation", "--model", "simulated/skewed", *SMALL, "--json", "first.json")
    evenhand("score", "latest", "--json", "again.json")
    import json

    first, again = (json.loads((tmp_path / name).read_text()) for name in ("first.json", "again.json"))
    assert first["summary"] == again["summary"]
    assert first["details"] == again["details"]


def test_show_prints_every_answer_on_request(evenhand: Evenhand) -> None:
    """60 prompts × 2 replicates = 120 JSON lines; 8 for one scenario."""
    import json

    evenhand("run", "gender_occupation", "--model", "simulated/fair", *SMALL)
    lines = evenhand("show", "latest", "--answers").stdout.splitlines()
    assert len(lines) == 120
    row = json.loads(lines[0])
    assert (row["replicate"], row["attribute"], row["outcome"]) == (1, None, "answered")
    some = evenhand("show", "latest", "--answers", "--scenario", row["scenario"]).stdout.splitlines()
    assert len(some) == 8
