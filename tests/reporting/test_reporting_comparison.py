"""The trend chart and the words of a comparison."""

import re
from dataclasses import replace

import pytest

from evenhand.instruments.audit.compare.result import Change
from evenhand.reporting.comparison.chart import Point, trend_chart
from evenhand.reporting.comparison.wording import finding, label

MOVED = Change(name="RSI", quantity="value", unit="bits", old=0.1, new=0.3, p_adjusted=0.01)


def _dots(svg: str) -> list[float]:
    return [float(y) for y in re.findall(r'<circle cx="[\d.]+" cy="([\d.]+)"', svg)]


def test_a_larger_value_stands_higher() -> None:
    """SVG counts downwards."""
    points = [Point(label="run 1", value=0.1), Point(label="run 2", value=0.3, low=0.2, high=0.4)]
    low, high = _dots(trend_chart(points, name="t", title="RSI", description="words"))
    assert high < low


def test_a_run_without_a_value_has_no_dot_and_says_so() -> None:
    """A gap is not a 0."""
    points = [Point(label="run 1", value=None), Point(label="run 2", value=0.3)]
    svg = trend_chart(points, name="t", title="RSI", description="words")
    assert len(_dots(svg)) == 1
    assert "undefined" in svg


def test_values_that_are_all_alike_are_drawn() -> None:
    """The axis has room also where nothing moved."""
    points = [Point(label=f"run {i}", value=0.0) for i in (1, 2, 3)]
    assert len(set(_dots(trend_chart(points, name="t", title="RSI", description="words")))) == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (MOVED, "moved beyond noise: up"),
        (replace(MOVED, direction="lower_is_better"), "moved beyond noise: up, for the worse"),
        (replace(MOVED, direction="higher_is_better"), "moved beyond noise: up, for the better"),
        (replace(MOVED, p_adjusted=0.05), "no difference found at this size"),
        (replace(MOVED, new=None, p_adjusted=None), "undefined"),
    ],
)
def test_a_change_is_called_what_it_is(change: Change, said: str) -> None:
    """Never "the same", never better or worse where neither is."""
    assert finding(change) == said
    assert label(change) == "RSI (bits)"
