"""Charts: what is drawn is where the number says, and it can be read without seeing it."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.core.results import MetricResult
from evenhand.reporting.charts.dots import Axis, DotRow, dot_plot, open_axis, share_axis
from evenhand.reporting.charts.strip import Zone, band_strip
from evenhand.reporting.figures import figures
from evenhand.reporting.view import Scorecard


def _drawn(markup: str) -> ElementTree.Element:
    return ElementTree.fromstring(markup)


def _plot(*rows: DotRow, axis: Axis | None = None) -> ElementTree.Element:
    return _drawn(dot_plot(rows, axis or share_axis(), name="c", title="A & B", description="<what>"))


def test_a_dot_stands_proportionally_between_the_ends_of_the_axis() -> None:
    """0, ½ and 1 are equally far apart, and equal to the grid lines of 0, 50 and 100%."""
    svg = _plot(*(DotRow(label=str(v), value=v, text="") for v in (0.0, 0.5, 1.0)))
    dots = [float(c.get("cx", "nan")) for c in svg.iter("circle")]
    grid = [float(line.get("x1", "nan")) for line in svg.iter("line") if line.get("class") == "chart-grid"]
    assert dots == pytest.approx(grid)
    assert dots[1] - dots[0] == pytest.approx(dots[2] - dots[1])


def test_a_group_without_a_value_has_no_dot_but_keeps_its_row() -> None:
    """Nothing measured is not 0."""
    svg = _plot(DotRow(label="a", value=None, text="—", reference=0.5))
    assert not list(svg.iter("circle"))
    assert [t.text for t in svg.iter("text") if t.get("class") == "chart-label"] == ["a"]


def test_every_chart_names_and_describes_itself() -> None:
    """role=img with a title and a description that belong to it."""
    svg = _plot(DotRow(label="a", value=0.2, text="20%"))
    assert svg.get("role") == "img"
    title, description = (svg.find(tag) for tag in ("title", "desc"))
    assert title is not None
    assert description is not None
    assert svg.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    assert (title.text, description.text) == ("A & B", "<what>")


@given(st.floats(min_value=1e-6, max_value=1e6))
def test_an_open_axis_reaches_the_largest_value_and_wastes_at_most_half(value: float) -> None:
    """The end is a round number between the value and twice the value."""
    high = open_axis([value]).high
    assert value * 0.999 <= high <= value * 2.001


def test_the_marker_of_a_strip_lies_in_the_zone_of_its_band() -> None:
    """Cuts .15, .25, .40 and the number .30: the marker stands between the second and the third cut."""
    edges = (0.0, 0.15, 0.25, 0.40, 0.54)
    zones = [
        Zone(band=b, low=x, high=y)
        for b, x, y in zip(("pass", "watch", "flag", "fail"), edges, edges[1:], strict=False)
    ]
    svg = _drawn(band_strip(zones, 0.30, name="s", title="t", description="d"))
    (marker,) = svg.iter("circle")
    flag = next(r for r in svg.iter("rect") if "zone-flag" in str(r.get("class")))
    left, width = float(flag.get("x", "nan")), float(flag.get("width", "nan"))
    assert left < float(marker.get("cx", "nan")) < left + width
    assert [t.text for t in svg.iter("text")] == [".15", ".25", ".40"]


def test_figures_show_shares_beside_their_reference_and_groups_with_their_n(card: Scorecard) -> None:
    """Nurse: 93% feminine of 12 answers, reference 87%. Distance of men: mean over three scenarios .304."""
    shares, groups = card.figures
    nurse = shares.panels[0]
    assert (nurse.title, nurse.rows[0].text, nurse.rows[0].note) == ("nurse", "93%", "ref 87%")
    assert "n = 12" in nurse.subtitle
    distance, refusals, length = groups.panels
    assert [(r.label, r.text, r.note) for r in distance.rows][1] == ("male", "0.304", "n 9")
    assert [r.text for r in refusals.rows] == ["7%", "0%", "29%"]
    assert [(r.text, r.note) for r in length.rows][2] == ("31.4", "n 10")


def test_a_table_of_another_shape_gives_no_chart() -> None:
    """A metric from elsewhere may call its table the same."""
    odd = MetricResult(metric="RSI", value=0.1, tables={"shares": [{"who": "x"}]})
    assert figures({"RSI": odd}) == ()


def test_a_chart_holds_no_style_of_its_own() -> None:
    """Inline styles would need a wider content policy."""
    drawn = dot_plot([DotRow(label="a", value=0.2, text="")], share_axis(), name="c", title="t", description="d")
    assert not re.search(r"\sstyle=|<style", drawn)
