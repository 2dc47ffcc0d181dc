"""What a dry run promises, held against what the run then takes."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from evenhand.api import audit
from evenhand.cli.run import run
from evenhand.core.types import GenerationConfig

SKIPPED = ("embeddings", "toxicity", "names")
LIGHT = [part for name in SKIPPED for part in ("--skip-evaluator", name)]
ASKED = ["--model", "simulated/fair", "--replicates", "2", "--max-tokens", "100", *LIGHT, "--dry-run"]
HOSTED = ["--model", "openai-compatible/m", "--base-url", "http://127.0.0.1:9/v1", *LIGHT]
REQUESTS = 60 * 2
PRICES = "prices: [{provider: simulated, model: fair, input: 1000, output: 2000, as_of: 2026-10-01, source: A page}]"


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EVENHAND_DB", str(tmp_path / "runs.db"))
    return tmp_path / "runs.db"


@pytest.fixture
def priced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "prices.yaml").write_text(PRICES)
    monkeypatch.setenv("EVENHAND_PRICES", str(tmp_path / "prices.yaml"))


def planned(*arguments: str) -> str:
    done = CliRunner().invoke(run, list(arguments), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def number(pattern: str, text: str) -> float:
    found = re.search(pattern, text)
    assert found, text
    return float(found.group(1).replace(",", ""))


def test_an_estimate_holds_for_the_run_that_follows(database: Path, priced: None) -> None:
    """Calls exactly; prompt tokens within half and double (this model counts words); never more cost than said."""
    plan = planned("gender_occupation", *ASKED)
    assert not database.exists()
    took = audit(
        "simulated/fair",
        "gender_occupation",
        replicates=2,
        generation_config=GenerationConfig(max_tokens=100),
        skip_evaluators=SKIPPED,
        store=database,
    ).run
    cost = took.manifest["cost"]
    assert number(r"Calls +([\d,]+)", plan) == took.manifest["requested"] == REQUESTS
    assert 0.5 < number(r"about ([\d,]+) in", plan) / cost["input_tokens"] < 2
    assert number(r"at most ([\d,]+) out", plan) == REQUESTS * 100 >= cost["output_tokens"]
    assert 0 < cost["usd"] <= number(r"Cost +up to about ([\d.,]+) USD", plan)
    assert "price of 2026-10-01, A page" in plan


def test_sets_are_listed_with_what_each_takes(database: Path, priced: None, tmp_path: Path) -> None:
    """Their calls and their costs add up to the whole."""
    (tmp_path / "one.yaml").write_text("name: one\nscenarios: [{id: a, prompt: Describe a nurse.}]\n")
    plan = planned(str(tmp_path / "one.yaml"), "gender_occupation", *ASKED)
    parts = re.findall(r"Set +(\w+): (\d+) calls, .* cost up to about ([\d.]+) USD", plan)
    assert [(name, int(calls)) for name, calls, _ in parts] == [("one", 2), ("gender_occupation", REQUESTS)]
    assert number(r"Calls +([\d,]+)", plan) == REQUESTS + 2
    whole = number(r"Cost +up to about ([\d.,]+) USD", plan)
    assert sum(float(usd) for _, _, usd in parts) == pytest.approx(whole, abs=0.002)


def test_a_budget_is_looked_at_before_anything_is_spent(database: Path, priced: None) -> None:
    """The worst case is about 12 + 24 USD per 12,000 tokens each: 3 USD may not be enough, 1,000 are."""
    assert "may not be enough" in planned("gender_occupation", *ASKED, "--budget", "3")
    assert "should be enough" in planned("gender_occupation", *ASKED, "--budget", "1000")


def test_unknown_and_unbilled_are_said_and_never_shown_as_0(database: Path) -> None:
    """An unknown price is not free, and a model on this machine is."""
    assert "Cost        not known" in planned("gender_occupation", *HOSTED, "--dry-run")
    assert "Cost        none" in planned("gender_occupation", *ASKED)
    assert not database.exists()


def test_a_budget_for_a_model_without_a_price_is_refused(database: Path) -> None:
    """How to supply a price stands in the message."""
    from evenhand.errors import UsageError

    with pytest.raises(UsageError, match="EVENHAND_PRICES"):
        CliRunner().invoke(run, ["gender_occupation", *HOSTED, "--budget", "1"], catch_exceptions=False)
