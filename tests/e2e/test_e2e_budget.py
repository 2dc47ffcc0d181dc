"""A budget through the whole program: exit 4, a report that says so, and a larger budget that goes on."""

import json
from pathlib import Path

import pytest

from evenhand.api import load_run

from .conftest import Evenhand

LIGHT = ("--skip-evaluator", "embeddings", "--skip-evaluator", "toxicity", "--skip-evaluator", "names")
ASKED = ("run", "gender_occupation", "--model", "simulated/fair", "--replicates", "2", "--max-tokens", "100", *LIGHT)
PRICES = "prices: [{provider: simulated, model: fair, input: 1000, output: 2000, as_of: 2026-10-01, source: A page}]"


def test_a_spent_budget_is_exit_code_4_and_a_larger_one_goes_on(
    evenhand: Evenhand, environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Partial is said on both streams and in the files, no gate is passed; the second command asks the rest only."""
    (tmp_path / "prices.yaml").write_text(PRICES)
    environment["EVENHAND_PRICES"] = str(tmp_path / "prices.yaml")
    monkeypatch.setenv("EVENHAND_DB", environment["EVENHAND_DB"])
    reports = ("--json", "card.json", "--md", "card.md")
    first = evenhand(*ASKED, "--budget", "8", "--fail-on", "fail", *reports, code=4)
    assert "larger --budget goes on" in " ".join(first.stderr.split())
    assert "partial" in first.stdout.lower()
    assert json.loads((tmp_path / "card.json").read_text())["run"]["status"] == "partial"
    assert "Partial" in (tmp_path / "card.md").read_text()
    spent = load_run().run.manifest["cost"]
    assert 7 < spent["usd"] <= 8

    rest = evenhand(*ASKED, "--budget", "1000")
    assert "going on with it" in rest.stderr
    done = load_run().run
    assert done.status == "complete"
    assert done.manifest["cost"]["usd"] > spent["usd"]
    assert done.manifest["cost"]["price"]["as_of"] == "2026-10-01"
