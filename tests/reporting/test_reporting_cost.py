"""What a run cost: one line, the same in every form."""

import io
from typing import Any

import orjson
import pytest
from rich.console import Console

from evenhand.reporting import html, json_form, markdown, terminal
from evenhand.reporting.cost import dollars
from evenhand.reporting.view import Scorecard

from .conftest import cost, make_card, make_run


def _line(**changes: Any) -> str:
    return make_card(make_run(manifest={"cost": {**cost(), **changes}})).cost.text


def test_every_form_says_what_the_run_cost(card: Scorecard) -> None:
    """To the cent, with the day of the price and the tokens."""
    line = "$0.12 at prices of 2026-10-01 (1200 tokens in, 12,100 out)"
    console = Console(file=io.StringIO(), width=200, color_system=None)
    console.print(terminal.render(card))
    assert isinstance(console.file, io.StringIO)
    assert f"Cost: {line}" in console.file.getvalue()
    assert f"<b>Cost:</b> {line}." in html.render(card)
    assert f"Cost: {line}." in markdown.render(card).replace("\\", "")
    assert orjson.loads(json_form.render(card))["cost"]["text"] == line


def test_an_unknown_price_is_not_a_cost_of_zero() -> None:
    """The tokens are known all the same."""
    assert _line(usd=None, price=None) == "not known: there is no price for this model (1200 tokens in, 12,100 out)"


def test_what_runs_here_costs_nothing_and_says_why() -> None:
    """The price table says that nobody sends a bill."""
    price = {**cost()["price"], "input_usd": 0.0, "output_usd": 0.0, "note": "runs on this machine"}
    assert _line(usd=0.0, price=price) == "none: runs on this machine"


def test_a_budget_and_assumed_tokens_are_part_of_the_line() -> None:
    """What the provider did not count is charged at its worst, and said to be."""
    line = _line(answers_not_counted=3, assumed_usd=0.05, budget_usd=1.5)
    assert line.startswith("$0.12 of a budget of $1.50 at prices of 2026-10-01 (")
    assert line.endswith("; $0.050 of it is the worst case of 3 answers whose tokens the provider did not count")


def test_a_run_that_has_not_closed_has_no_cost_yet() -> None:
    """Nothing was added up; that is not 0."""
    card = make_card(make_run(status="interrupted", manifest={}))
    assert card.cost.text == "not known: it is added up when a run closes"
    assert orjson.loads(json_form.render(card))["cost"] == {"text": card.cost.text}


@pytest.mark.parametrize(
    ("usd", "written"),
    [(0.0, "$0.00"), (0.0999, "$0.10"), (0.012, "$0.012"), (0.0000034, "$0.0000034"), (25, "$25.00")],
)
def test_small_sums_keep_two_digits(usd: float, written: str) -> None:
    """Five requests to a small model are not free."""
    assert dollars(usd) == written
