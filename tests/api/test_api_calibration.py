"""A run stores what its own scorers say about plain sentences, and its report needs no scorer to print it."""

from pathlib import Path

import pytest

from evenhand.api import audit, load_run
from evenhand.engine import scoring
from evenhand.reporting.json_form import as_json

LIGHT = ("embeddings", "toxicity", "names")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "runs.db"
    audit("simulated/fair", "gender_occupation", replicates=1, metrics=["DSI"], skip_evaluators=LIGHT, store=path)
    return path


def test_a_closed_run_holds_the_calibration_of_the_scorers_that_judged_it(database: Path) -> None:
    """Same versions as in the spec; a scorer that was skipped has no rows, and the report says so."""
    stored = load_run(store=database)
    rows = stored.run.manifest["calibration"]
    assert {(row["evaluator"], row["version"]) for row in rows} == {
        ("sentiment", stored.run.spec["evaluators"]["sentiment"])
    }
    assert stored.scorecard.calibration.findings[-1] == "Toxicity was skipped on request and is not calibrated."


def test_a_report_is_written_again_without_any_scorer(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is printed is what was stored, not what today's scorers would say."""
    before = as_json(load_run(store=database).scorecard)["details"]["calibration"]

    def gone(*_: object, **__: object) -> None:
        raise AssertionError("a scorer was asked for")

    monkeypatch.setattr(scoring, "load_evaluators", gone)
    monkeypatch.setattr(scoring, "calibrate", gone)
    again = as_json(load_run(store=database).scorecard)["details"]["calibration"]
    assert again == before
    assert len(again["rows"]) > 40
