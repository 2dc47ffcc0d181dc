"""One view model, four forms: the same number, the same band, the same reason in each."""

import io
import re
from dataclasses import replace
from html.parser import HTMLParser

import orjson
import pytest
from rich.console import Console

from evenhand.core.results import MetricResult
from evenhand.reporting import html, json_form, markdown, terminal
from evenhand.reporting.view import MetricView, Scorecard

from .conftest import METRICS, TESTED, infos, make_card, make_run, untested


class _Tables(HTMLParser):
    """Collect the cells of every table row, and nothing else."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._cell: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self._cell = []

    def handle_endtag(self, tag: str) -> None:
        if tag in {"td", "th"} and self._cell is not None:
            self.rows[-1].append(" ".join("".join(self._cell).split()))
            self._cell = None

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data + " ")


def _html_row(page: str, metric: str) -> list[str]:
    parser = _Tables()
    parser.feed(page)
    return next(row for row in parser.rows if row and row[0].startswith(metric + " "))


def _markdown_rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def _printed(card: Scorecard) -> str:
    console = Console(file=io.StringIO(), width=140, color_system=None)
    console.print(terminal.render(card))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def _of(card: Scorecard, name: str) -> MetricView:
    return next(metric for metric in card.metrics if metric.name == name)


@pytest.mark.parametrize("name", METRICS)
def test_html_markdown_and_terminal_print_the_value_and_band_that_json_holds(card: Scorecard, name: str) -> None:
    """Parsed back from each form, value and finding are those of the JSON."""
    stated = orjson.loads(json_form.render(card))["summary"][name]
    value, finding = stated["value_text"], stated["finding"]
    row = _html_row(html.render(card), name)
    assert row[1].split()[: 1 + len(stated["unit"].split())] == [value, *stated["unit"].split()]
    assert row[2].startswith(finding)
    cells = next(cells for cells in _markdown_rows(markdown.render(card)) if cells[0] == name)
    assert cells[1] == value
    assert cells[6] == finding
    line = next(line for line in _printed(card).splitlines() if line.strip().startswith(f"{name} "))
    assert f" {value} " in line
    assert finding in line


@pytest.mark.parametrize(
    ("name", "raw", "text"),
    [("RSI", 0.0998, "0.100"), ("ODE", 0.6309, "0.631"), ("HSI", 0.00031, "0.00031"), ("SAR", None, "—")],
)
def test_the_printed_text_is_the_raw_value_rounded(card: Scorecard, name: str, raw: float | None, text: str) -> None:
    """Three decimals; where those would read 0, two significant digits; a dash and not 0 where there is none."""
    stated = orjson.loads(json_form.render(card))["summary"][name]
    assert stated["value"] == raw
    assert stated["value_text"] == text


def test_the_bands_are_those_of_the_published_cuts(card: Scorecard) -> None:
    """Read by hand from metrics.md: normalised RSI .1713, ODE .6309, CDS excess .1133, HSI .00031, DSI excess .1123."""
    found = {metric.name: metric.overall.band.band for metric in card.metrics}
    assert found == {"RSI": "watch", "ODE": "watch", "CDS": "watch", "HSI": "pass", "SAR": None, "DSI": "watch"}


@pytest.mark.parametrize("name", ["RSI", "ODE", "DSI"])
def test_every_form_prints_what_a_fair_model_would_score(card: Scorecard, name: str) -> None:
    """The interval, the fair reference and the adjusted p-value stand beside the value, the same in each."""
    stated = orjson.loads(json_form.render(card))["summary"][name]
    tested = TESTED[name]
    assert (stated["fair_expected"], stated["fair_q95"]) == (tested["fair_expected"], tested["fair_q95"])
    assert stated["p_adjusted"] == tested["p_adjusted"]
    low, high = (f"{x:.3f}" for x in (tested["confidence_interval"].low, tested["confidence_interval"].high))
    row = _html_row(html.render(card), name)[1]
    cells = next(cells for cells in _markdown_rows(markdown.render(card)) if cells[0] == name)
    bound = "at least" if name == "ODE" else "up to"
    fair = f"{tested['fair_expected']:.3f}, {bound} {tested['fair_q95']:.3f}"
    for written in (row, " ".join(cells), _printed(card)):
        assert f"{low} to {high}" in written
        assert fair in written
        assert f"{tested['p_adjusted']:.3f}" in written


def test_every_form_opens_with_what_the_run_says_as_a_whole(card: Scorecard) -> None:
    """The worst supported verdict, never without what could not be judged."""
    sentence = "Worst supported verdict 'flag': DSI; could not be judged: CDS, SAR."
    assert orjson.loads(json_form.render(card))["overall"]["sentence"] == sentence
    written = [html.render(card).replace("&#39;", "'"), markdown.render(card), " ".join(_printed(card).split())]
    assert all(sentence in each for each in written)


def test_an_open_verdict_says_how_many_more_replicates_would_settle_it(card: Scorecard) -> None:
    """What to do next stands beside the reason."""
    for written in (html.render(card), markdown.render(card), " ".join(_printed(card).split())):
        assert "About 9 more replicates of each prompt would settle it." in written


def test_every_form_says_once_that_results_without_tests_are_point_bands() -> None:
    """A reader of any form must know; a reader told twice reads neither."""
    card = make_card(make_run(results=untested()))
    words = "These results were stored without tests"
    for written in (html.render(card), markdown.render(card), json_form.render(card), " ".join(_printed(card).split())):
        assert written.count(words) == 1


def test_an_inconclusive_metric_shows_its_reason_beside_its_point_band(card: Scorecard) -> None:
    """The verdict comes first and the point band is named as such, with the quantity it was read from."""
    overall = _of(card, "CDS").overall
    assert overall.finding_label == "verdict: inconclusive"
    assert overall.band_text == "point band: watch, read from the excess, 0.113"
    for written in (html.render(card), markdown.render(card), _printed(card)):
        assert "3 replicates of each prompt leave" in " ".join(written.split())


def test_an_undefined_metric_shows_its_reason_and_no_number(card: Scorecard) -> None:
    """Undefined is not 0 and has no band and no advice."""
    overall = _of(card, "SAR").overall
    assert overall.value.raw is None
    assert overall.band.action == ""
    for written in (html.render(card), markdown.render(card), _printed(card)):
        assert "no association has at least 10 determinate outputs" in written.replace(
            "No association", "no association"
        )


def test_scenario_and_attribute_results_are_the_same_in_html_markdown_and_json(card: Scorecard) -> None:
    """What lies below the overall number agrees too."""
    details = orjson.loads(json_form.render(card))["details"]
    stated = details["by_scenario"]["plumber"]["metrics"]["RSI"]
    assert stated["value"] == 0.2207
    rows = [cells for cells in _markdown_rows(markdown.render(card)) if cells[0] == "plumber" and len(cells) == 8]
    assert [rows[0][1], rows[0][5]] == [stated["value_text"], stated["finding"]]
    parser = _Tables()
    parser.feed(html.render(card))
    row = next(row for row in parser.rows if row and row[0] == "plumber")
    assert [row[1], row[5]] == [stated["value_text"], stated["finding"]]
    assert set(details["by_attribute"]["gender"]["metrics"]) == {"RSI", "ODE", "DSI"}


def test_whole_weights_print_as_counts_and_shares_keep_their_decimals() -> None:
    """9.0 answers are 9; a share of 1.0 is 1.000."""
    rows = [{"count": 9.0, "share": 1.0, "year": 2024}, {"count": 0.0, "share": 0.0, "year": 2024}]
    run = make_run(results={"RSI": MetricResult(metric="RSI", value=0.1, tables={"t": rows})})
    (table,) = make_card(run).metrics[0].tables
    assert [[cell if isinstance(cell, str) else cell.text for cell in row] for row in table.rows] == [
        ["9", "1.000", "2024"],
        ["0", "0.000", "2024"],
    ]


def test_a_reason_is_not_read_out_twice() -> None:
    """An interpretation that only repeats why a value is undefined gives way to the reason."""
    sar = replace(infos()[4], interpretation="SAR is undefined: no association has at least 10 determinate outputs.")
    page = html.render(make_card(metrics=(sar,)))
    summary = page[page.index('id="summary"') : page.index('id="charts"')]
    assert summary.count("no association has at least 10") == 1
