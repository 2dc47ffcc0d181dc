"""``evenhand compare``: a planted change is found, and runs that do not compare are refused."""

import json
import re
from pathlib import Path

import pytest

from evenhand.api import audit, compare

from .conftest import LIGHT, SET, Evenhand

EVEN = "name: even\npronouns: {default: {she: 0.5, he: 0.5}}\n"
WOMEN = "name: women\npronouns: {default: {she: 1.0}}\n"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Four runs: an even model twice, one that writes only of women, and the even one with fewer replicates."""
    folder = tmp_path_factory.mktemp("compare")
    for name, text in {"set": SET, "even": EVEN, "women": WOMEN}.items():
        (folder / f"{name}.yaml").write_text(text)

    def run(model: str, *, seed: int, replicates: int = 16) -> str:
        result = audit(
            f"simulated/{folder / model}.yaml",
            folder / "set.yaml",
            metrics=["RSI", "DSI"],
            replicates=replicates,
            seed=seed,
            skip_evaluators=LIGHT,
            store=folder / "runs.db",
        )
        return result.run.id

    return {
        "db": str(folder / "runs.db"),
        "even": run("even", seed=0),
        "women": run("women", seed=0),
        "again": run("even", seed=7),
        "short": run("even", seed=3, replicates=12),
    }


@pytest.fixture
def stored(runs: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Commands of the test find those runs."""
    monkeypatch.setenv("EVENHAND_DB", runs["db"])
    return runs


def test_a_planted_change_is_found(evenhand: Evenhand, stored: dict[str, str], tmp_path: Path) -> None:
    """Half and half, then women alone: RSI goes up, and every form says so."""
    paths = [tmp_path / f"report.{form}" for form in ("html", "md", "json")]
    options = [part for path in paths for part in (f"--{path.suffix[1:]}", str(path))]
    done = evenhand("compare", stored["even"], stored["women"], *options, "--fail-on-regression")
    assert done.code == 1
    assert "Moved for the worse beyond noise: RSI." in done.err
    assert "RSI (bits) up, for the worse" in done.out
    for path in paths:
        assert "up, for the worse" in path.read_text()
    rsi = json.loads(paths[2].read_text())["pairs"][0]["metrics"][0]
    assert (rsi["name"], rsi["has_moved"], rsi["is_for_the_worse"]) == ("RSI", True, True)
    assert rsi["new"] == pytest.approx(0.3113, abs=1e-4)


def test_the_same_model_again_has_not_moved(evenhand: Evenhand, stored: dict[str, str]) -> None:
    """The word is that nothing was found at this size, with how large it would have had to be."""
    done = evenhand("compare", stored["even"], stored["again"], "--fail-on-regression")
    assert done.code == 0
    assert "No difference found at this size (3 prompts, 48 outputs of each run)." in done.out
    assert "Smallest visible" in done.out
    assert "No metric moved for the worse beyond noise." in done.err


def test_three_runs_are_a_trend_in_the_order_of_time(
    evenhand: Evenhand, stored: dict[str, str], tmp_path: Path
) -> None:
    """However they are given; each with its interval, and drawn in the page."""
    page = tmp_path / "trend.html"
    done = evenhand("compare", stored["again"], stored["even"], stored["women"], "--html", str(page))
    assert done.code == 0
    given = [stored[name] for name in ("again", "even", "women")]
    # an id begins with the second in which the run began; runs of one second stay in the order given
    places = [done.out.index(run_id) for run_id in sorted(given, key=lambda run_id: run_id[:15])]
    assert places == sorted(places)
    assert len(re.findall(r"^ *RSI( +0\.\d+ \(0\.\d+ to 0\.\d+\)){3}", done.out, re.MULTILINE)) == 1
    assert page.read_text().count("<svg") == 2
    assert "From run 1 to run 3" in page.read_text()


def test_runs_of_different_plans_need_common(evenhand: Evenhand, stored: dict[str, str]) -> None:
    """The differences are listed; with --common the report says what was compared."""
    done = evenhand("compare", stored["even"], stored["short"])
    assert done.code == 2
    assert "have different plans: replicates: 16 → 12." in " ".join(done.err.split())
    done = evenhand("compare", stored["even"], stored["short"], "--common")
    assert done.code == 0
    said = " ".join(done.out.split())
    assert "The plans differ: replicates: 16 → 12." in said
    assert f"Of run {stored['even']}, 36 of 48 outputs are compared, to 3 of 3 prompts." in said


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["even"], "A comparison needs two runs or more; `evenhand runs` lists them."),
        (["even", "even"], "Run {even} is named twice; a comparison needs different runs."),
        (["even", "short", "short"], "Run {short} is named twice; a comparison needs different runs."),
    ],
)
def test_what_cannot_be_compared_is_refused(
    evenhand: Evenhand, stored: dict[str, str], names: list[str], message: str
) -> None:
    """With exit code 2 and what to do."""
    done = evenhand("compare", *(stored[name] for name in names))
    assert done.code == 2
    assert message.format(**stored) in " ".join(done.err.split())


def test_an_unknown_run_is_refused(evenhand: Evenhand, stored: dict[str, str]) -> None:
    """By name."""
    done = evenhand("compare", stored["even"], "nope")
    assert done.code == 2
    assert "There is no run named 'nope'." in done.err


def test_from_python(runs: dict[str, str]) -> None:
    """The same, as values."""
    found = compare([runs["even"], runs["women"]], store=runs["db"], draws=199)
    assert [change.name for change in found.regressions] == ["RSI"]
    assert found.trend == {}
