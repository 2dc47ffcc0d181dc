"""Text from models, files and plugins cannot leave its place: no tag, no table cell, no terminal command."""

import io
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from evenhand.core.outcomes import Answered, Failed
from evenhand.core.results import MetricResult
from evenhand.core.table import OutputTable
from evenhand.core.types import EvaluatedOutput, ModelInfo, RunId
from evenhand.reporting import html, json_form, markdown, terminal
from evenhand.reporting.clean import cleaned
from evenhand.reporting.inputs import EvaluatorInfo, MetricInfo
from evenhand.reporting.scorecard import build
from evenhand.reporting.view import Scorecard

from .conftest import calibration, cost, make_card, make_run, scenario_set

ATTACK = """<script>alert(1)</script>"'&<img src=x onerror=alert(2)>{{7*7}} | a | b |\n\n# h\n- x `c` [l](http://e.x)"""
OWN_TAGS = {
    *("html", "head", "meta", "link", "title", "style", "body", "a", "header", "p", "b", "span", "h1", "strong", "div"),
    *("dl", "dt", "dd", "nav", "ul", "li", "main", "section", "h2", "h3", "h4", "details", "summary", "table", "br"),
    *("caption", "thead", "tbody", "tr", "th", "td", "svg", "circle", "path", "line", "rect", "text", "desc", "figure"),
    *("figcaption", "article", "blockquote", "code", "pre", "footer", "small"),
}


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def hostile_card(attack: str, **outcome: Any) -> Scorecard:
    """Put `attack` into every text that a scorecard can hold."""
    inner = MetricResult(
        metric=attack,
        value=0.2,
        unit=attack,
        reason=attack,
        verdict="inconclusive",
        n_excluded={attack: 2},
        caveats=(attack,),
        parts={attack: 0.1},
        tables={
            attack: [{attack: attack, "n": 3}],
            "shares": [
                {
                    "scenario": attack,
                    "attribute": attack,
                    "category": attack,
                    "n": 3,
                    "share": 0.5,
                    "reference": 0.5,
                    "reference_name": attack,
                }
            ],
        },
    )
    result = replace(inner, by_scenario={attack: inner}, by_attribute={attack: inner})
    info = MetricInfo(
        name="RSI",
        long_name=attack,
        description=attack,
        formula=attack,
        source=attack,
        limits=(attack,),
        interpretation=attack,
    )
    group = replace(scenario_set(), name=attack, version=attack)
    run = make_run(
        id=RunId(attack),
        name=attack,
        model=ModelInfo(provider=attack, name=attack, is_simulated=True, details={attack: attack}),
        spec={**make_run().spec, "scenario_sets": [{"name": group.name, "version": attack, "scenarios": []}]},
        status="partial",
        results={"RSI": replace(result, metric="RSI")},
        manifest={
            attack: {attack: [attack]},
            "calibration": [{**row, "attribute": attack, "word": attack} for row in calibration()],
            "cost": {**cost(), "price": {**cost()["price"], "as_of": attack}},
        },
    )
    rows = [
        EvaluatedOutput(
            scenario_id=attack,
            outcome=Answered(text=attack),
            prompt=attack,
            detected_entities={attack: {attack: 1.0}},
            could_not_judge={attack: attack},
        ),
        EvaluatedOutput(
            scenario_id=attack, outcome=Failed(error=attack), attribute=attack, counterfactual_value=attack
        ),
    ]
    return build(
        run,
        OutputTable.of(rows),
        metrics=(info,),
        profile=make_profile(),
        evaluators=(EvaluatorInfo(name=attack, version=attack, blind_spots=(attack,)),),
        generated_at=attack,
    )


def make_profile() -> Any:
    from evenhand.metrics.bands import load_profile

    return load_profile("evenhand-1")


def test_no_text_becomes_markup_in_the_html() -> None:
    """With an attack in every field, the page has our own tags and attributes and no others."""
    found = _Tags()
    page = html.render(hostile_card(ATTACK))
    found.feed(page)
    assert found.tags <= OWN_TAGS
    assert not [name for name in found.attributes if name.startswith("on") or name == "style"]
    assert "<script" not in page
    assert "{{7*7}}" in page


def test_no_text_breaks_a_markdown_table() -> None:
    """Every row of every table has as many cells as its header, and no raw tag or link is left."""
    text = markdown.render(hostile_card(ATTACK))
    for block in re.split(r"\n\n+", text):
        lines = block.splitlines()
        if lines and lines[0].startswith("|"):
            assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {len(re.findall(r"(?<!\\)\|", lines[0]))}
    assert "<script" not in text
    assert not re.search(r"(?<!\\)\]\(http", text)
    assert not [line for line in text.splitlines() if line.startswith("# h")]


def test_a_terminal_gets_no_markup_and_no_control_character() -> None:
    """Square brackets print as they are, and an escape sequence cannot reach the terminal."""
    console = Console(file=io.StringIO(), width=200, color_system=None)
    console.print(terminal.render(hostile_card("[bold red]x[/] \x1b[2J\x07")))
    assert isinstance(console.file, io.StringIO)
    printed = console.file.getvalue()
    assert "[bold red]x[/]" in printed
    assert "\x1b" not in printed
    assert "\x07" not in printed


def test_half_a_surrogate_pair_does_not_stop_a_report() -> None:
    """UTF-8 cannot say it; it is shown as the replacement character, everywhere."""
    card = hostile_card("a\ud800b\u202ec")
    for written in (html.render(card), markdown.render(card), json_form.render(card)):
        assert "a�b�c" in written
        written.encode("utf-8")


def test_json_is_strict_and_refuses_nan() -> None:
    """A manifest that holds NaN is refused, not turned into null."""
    with pytest.raises(ValueError, match="no canonical form"):
        json_form.render(make_card(make_run(manifest={"requested": 60, "odd": float("nan")})))


def test_json_has_the_promised_keys() -> None:
    """What tools read by name."""
    plain = orjson.loads(json_form.render(make_card()))
    assert plain["evenhand_scorecard"] is True
    assert plain["scorecard_version"] == "1.1"
    assert {"run", "model", "summary", "details", "outcomes", "excluded", "could_not_judge"} <= plain.keys()
    assert {"evaluators", "skipped_evaluators", "human_review", "known_limitations", "manifest"} <= plain.keys()
    assert {"value", "status", "reason", "unit", "band", "action", "verdict", "excess"} <= plain["summary"][
        "RSI"
    ].keys()
    assert plain["human_review"]["status"] == "not part of this run"
    assert plain["excluded"]["RSI"] == {"no signal": 9, "empty": 1, "failed": 1, "blocked": 1}


@settings(max_examples=30)  # three whole reports an example
@given(st.text(alphabet=st.characters(), max_size=60))
def test_any_text_at_all_renders_in_every_form(attack: str) -> None:
    """Any bytes in, never an exception; and the JSON can be read back."""
    card = hostile_card(attack or "x")
    html.render(card)
    markdown.render(card)
    orjson.loads(json_form.render(card))


@given(st.text(alphabet=st.characters(), max_size=60))
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    """The first cleaning leaves nothing to clean."""
    assert cleaned(cleaned(text)) == cleaned(text)


def test_no_report_promises_fairness(card: Scorecard) -> None:
    """Name the harm, not the hope."""
    for written in (html.render(card), markdown.render(card), json_form.render(card)):
        assert not re.search(r"unbiased|debiased|bias-free|is fair\b", written, flags=re.IGNORECASE)
