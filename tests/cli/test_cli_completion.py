"""Shell completion: the script, and what it offers."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evenhand.core.types import EvaluationRun

from .conftest import Evenhand


@pytest.fixture
def offered(evenhand: Evenhand, monkeypatch: pytest.MonkeyPatch) -> object:
    """What the program offers to bash behind the words of a line; the last word is the one being written."""

    def complete(line: str) -> list[str]:
        words = line.split(" ")
        monkeypatch.setenv("_EVENHAND_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
        done = evenhand()
        assert (done.code, done.err) == (0, "")
        return [item.partition(",")[2] for item in done.out.split("\n") if item.startswith("plain,")]

    return complete


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_its_script(evenhand: Evenhand, shell: str) -> None:
    """It names the program and the variable by which the program knows that it is asked."""
    done = evenhand("completion", shell)
    assert done.code == 0
    assert f"_EVENHAND_COMPLETE={shell}_complete" in done.out


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_a_command_with_the_script() -> None:
    """The script and the program together, in a real shell."""
    programs = str(Path(sys.executable).parent)
    typed = (
        'eval "$(evenhand completion bash)"; COMP_WORDS=(evenhand scorec); COMP_CWORD=1; '
        '_evenhand_completion evenhand; echo "${COMPREPLY[@]}"'
    )
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", typed], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "scorecard"


@pytest.mark.parametrize(
    ("line", "among"),
    [
        ("evenhand sco", {"scorecard", "score"}),
        ("evenhand --v", {"--version"}),
        ("evenhand models pu", {"pull"}),
        ("evenhand run --mod", {"--model"}),
        ("evenhand run gender", {"gender_occupation"}),
        ("evenhand run --model sim", {"simulated/skewed"}),
        ("evenhand run --model loc", {"local/smollm2-135m", "local/"}),
        ("evenhand run --metrics R", {"RSI"}),
        ("evenhand run --metrics RSI,D", {"RSI,DSI"}),
        ("evenhand run --skip-evaluator n", {"names"}),
        ("evenhand run --bands e", {"evenhand-1"}),
        ("evenhand scorecard --fail-on fl", {"flag"}),
        ("evenhand metrics D", {"DSI"}),
        ("evenhand baselines us_cps2023_reg", {"us_cps2023_registered_nurses"}),
        ("evenhand models pull smol", {"smollm2-135m"}),
        ("evenhand completion z", {"zsh"}),
    ],
)
def test_names_are_completed(offered, line: str, among: set[str]) -> None:  # type: ignore[no-untyped-def]
    """Commands, options, sets, models, metrics, evaluators, bands, baselines, model files."""
    assert among <= set(offered(line))


def test_a_metric_is_not_offered_twice(offered) -> None:  # type: ignore[no-untyped-def]
    """Behind a comma only the others are left."""
    assert "RSI,RSI" not in offered("evenhand run --metrics RSI,")


@pytest.mark.usefixtures("in_database")
def test_run_ids_are_completed_from_the_store(offered, stored: EvaluationRun) -> None:  # type: ignore[no-untyped-def]
    """Also of the store that --db names on the same line."""
    assert offered("evenhand scorecard 2") == [stored.id]
    assert offered("evenhand show la") == ["latest"]


def test_completing_makes_no_database_and_shows_no_error(
    offered,  # type: ignore[no-untyped-def]
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """A key press leaves nothing behind, whatever stands on the line."""
    monkeypatch.setenv("EVENHAND_DB", str(tmp_path / "runs.db"))
    assert offered("evenhand scorecard 2") == []
    assert offered("evenhand scor latest --ht") == []
    monkeypatch.setenv("EVENHAND_DB", "no-such-dialect://nowhere")
    assert offered("evenhand scorecard 2") == []
    assert list(tmp_path.iterdir()) == []
