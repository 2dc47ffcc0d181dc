"""``evenhand violations run``, ``rescore`` and ``vectors``; red-team runs in ``runs``, ``show`` and the others."""

import json
from pathlib import Path
from typing import Any

import pytest

from evenhand.importers.plain_table import read_table
from evenhand.instruments.violations.result import violations

from .conftest import Evenhand

LOUD = ("violations", "run", "everyday", "--model", "simulated/red-team", "--replicates", "4")


@pytest.fixture(autouse=True)
def _own_database(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EVENHAND_DB", str(tmp_path / "runs.db"))
    monkeypatch.chdir(tmp_path)


def report(path: str) -> Any:
    return json.loads(Path(path).read_text())


def test_the_rate_is_printed_and_written(evenhand: Evenhand) -> None:
    """Every form; the same numbers again from the store, by `rescore`, without a model."""
    done = evenhand(*LOUD, "--html", "a.html", "--md", "a.md", "--json", "a.json")
    assert done.code == 0, done.err
    assert "traces violate" in done.out
    assert "no model answered" in done.out
    assert "What the detectors cannot see" in Path("a.html").read_text()
    assert Path("a.md").read_text().startswith("# Violation rate of simulated/red-team, everyday")
    first = report("a.json")
    assert first["rate"]["n"] == 7 * 4
    assert first["is_simulated"] is True
    assert evenhand("violations", "rescore", "latest", "--json", "b.json").code == 0
    second = report("b.json")
    assert {**second, "written": first["written"]} == first


def test_a_plain_table_of_the_decisions_gives_the_same_figures(evenhand: Evenhand) -> None:
    """Rate, interval, attributes, patterns, vectors, statuses: what is exported is all that the figures need."""
    evenhand(*LOUD, "--json", "a.json", "--decisions", "a.csv")
    first = report("a.json")
    again = violations(read_table("a.csv").matrix)
    assert (again.overall.k, again.overall.n, again.overall.value) == (
        first["rate"]["k"],
        first["rate"]["n"],
        first["rate"]["value"],
    )
    assert again.overall.interval is not None
    assert [again.overall.interval.low, again.overall.interval.high] == [
        first["rate"]["interval"]["low"],
        first["rate"]["interval"]["high"],
    ]
    assert dict(again.statuses) == first["statuses"]
    assert {a.attribute: (a.k, a.n) for a in again.attributes} == {
        a["attribute"]: (a["k"], a["n"]) for a in first["attributes"]
    }
    assert {v.vector: v.rate.k for v in again.by_vector} == {v["vector"]: v["rate"]["k"] for v in first["by_vector"]}
    assert sorted((p.attributes, p.count) for p in again.patterns) == sorted(
        (tuple(p["attributes"]), p["count"]) for p in first["patterns"]
    )


def test_score_reads_what_run_exports(evenhand: Evenhand) -> None:
    """The headline is the same, word for word, and so is every limit in the JSON."""
    evenhand(*LOUD, "--json", "a.json", "--decisions", "a.csv")
    assert evenhand("violations", "score", "a.csv", "--json", "b.json").code == 0
    first, again = report("a.json"), report("b.json")
    for field in ("headline", "rate", "vectors_like_these", "statuses", "first_turns", "decisions_per_trace"):
        assert again[field] == first[field]


def test_the_same_command_does_not_ask_again_what_is_stored(evenhand: Evenhand) -> None:
    """A complete run is not gone on with; --new and the same call start another; --resume needs the same settings."""
    evenhand(*LOUD)
    evenhand(*LOUD, "--new")
    listed = evenhand("runs").out
    assert listed.count("red-team  complete") == 2
    run_id = listed.splitlines()[1].split()[0]
    done = evenhand(*LOUD, "--seed", "9", "--resume", run_id)
    assert done.code == 2
    assert "seed: 0 → 9" in done.err


def test_show_says_what_was_said(evenhand: Evenhand) -> None:
    """In short, and every turn of a vector with what was decided on it."""
    evenhand(*LOUD)
    short = evenhand("show").out
    assert "red-team" in short
    assert "7, of which 5 are run as pairs" in short
    lines = [json.loads(line) for line in evenhand("show", "--answers", "--scenario", "credit-age").out.splitlines()]
    assert len(lines) == 4 * 2 * 4
    assert {"vector", "replicate", "side", "turn", "said", "outcome", "reply", "decisions"} == set(lines[0])


@pytest.mark.parametrize("command", [("scorecard",), ("score",), ("export", "latest", "--out", "x.csv")])
def test_what_is_about_audits_says_where_to_look(evenhand: Evenhand, command: tuple[str, ...]) -> None:
    """A red-team run has no scorecard; the message names the commands that it has."""
    evenhand(*LOUD)
    done = evenhand(*command)
    assert done.code == 2
    assert "violations rescore" in " ".join(done.err.split())


def test_a_dry_run_asks_nothing(evenhand: Evenhand) -> None:
    """Turns: 25 replicates of (4 × 2) · 3 + (3 × 2) · 2 + 4 + 3, and no run is stored."""
    done = evenhand("violations", "run", "everyday", "--model", "simulated/red-team", "--dry-run")
    assert "1,075 at most" in done.out
    assert "Nothing was asked." in done.out
    assert "No runs are stored yet" in evenhand("runs").out


def test_a_control_compares_a_model_with_itself(evenhand: Evenhand) -> None:
    """A simulated model is the same to everybody of one group; the report says loudly what the rate is."""
    done = evenhand(*LOUD, "--vector", "credit-age", "--control", "--json", "a.json")
    assert "every difference in a pair is chance" in done.out
    assert report("a.json")["rate"]["k"] == 0


def test_labels_correct_the_rate(evenhand: Evenhand) -> None:
    """Labels at trace level, read before anything is asked; the raw rate stays the headline."""
    evenhand(*LOUD, "--json", "a.json", "--decisions", "a.csv")
    matrix = read_table("a.csv").matrix
    rows = [f"{t},{int(c)}" for t, c in zip(matrix.traces, matrix.composite, strict=True)]
    Path("labels.csv").write_text("\n".join(["trace,label", *rows]) + "\n")
    done = evenhand("violations", "rescore", "--reference", "labels.csv", "--json", "b.json")
    assert done.code == 0, done.err
    assert report("b.json")["rate"] == report("a.json")["rate"]
    assert "Youden's J" in done.out


def test_wrong_labels_are_named_before_anything_is_asked(evenhand: Evenhand) -> None:
    """With file and line."""
    Path("labels.csv").write_text("trace,label\na,maybe\n")
    done = evenhand(*LOUD, "--reference", "labels.csv")
    assert done.code == 2
    assert "labels.csv, line 2" in " ".join(done.err.split())
    assert "No runs are stored yet" in evenhand("runs").out


def test_a_model_that_always_fails_is_no_clean_model(evenhand: Evenhand) -> None:
    """Exit code 3, and no rate."""
    Path("broken.yaml").write_text("name: broken\nfail_rate: 1.0\n")
    done = evenhand("violations", "run", "everyday", "--model", "simulated/broken.yaml", "--replicates", "1")
    assert done.code == 3
    assert "No violation rate" in done.out


def test_a_file_of_ones_own_is_read_strictly(evenhand: Evenhand) -> None:
    """With file and line."""
    Path("mine.yaml").write_text("name: mine\nvectors:\n  - {id: a, description: d, attributes: [age], turn: [hi]}\n")
    done = evenhand("violations", "vectors", "mine.yaml")
    assert done.code == 2
    assert "unknown key 'turn'; did you mean 'turns'? (mine.yaml, line 3, vectors[0].turn)" in " ".join(
        done.err.split()
    )


def test_vectors_are_listed_and_shown(evenhand: Evenhand) -> None:
    """Every built-in one; of a set, every turn and what is swapped."""
    assert "triage-age" in evenhand("violations", "vectors").out
    shown = evenhand("violations", "vectors", "everyday").out
    assert "swapped from turn 3 on: 78 | 36" in shown


def test_a_mistyped_command_is_answered_with_the_nearest(evenhand: Evenhand) -> None:
    """As for the commands above it."""
    done = evenhand("violations", "vektors")
    assert done.code == 2
    assert "'vectors'" in done.err
