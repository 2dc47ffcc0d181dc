"""A trend: one metric over runs in the order of time, each with its interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from evenhand.reporting import text
from evenhand.reporting.charts import svg

WIDTH, HEIGHT = 340.0, 170.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 52.0, 326.0, 14.0, 136.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One run: its number in the order of time, its value and limits; None where there are none."""

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None


def trend_chart(points: Sequence[Point], *, name: str, title: str, description: str) -> str:
    """Draw the points from left to right as one SVG image.

    Parameters
    ----------
    points
        At least one with a value.
    name
        Prefix of element ids; unique in the page.
    description
        The chart in words, for those who cannot see it.
    """
    drawn = [x for p in points for x in (p.value, p.low, p.high) if x is not None]
    low, high = _range(drawn)
    parts = [_gridline(y, low, high) for y in (low, (low + high) / 2, high)]
    places = [_across(i, len(points)) for i in range(len(points))]
    known = [(x, p) for x, p in zip(places, points, strict=True) if p.value is not None]
    for (x, p), (next_x, q) in pairwise(known):
        parts.append(svg.line(x, _up(p.value, low, high), next_x, _up(q.value, low, high), class_="chart-gap"))
    parts += [_point(x, p, low, high) for x, p in zip(places, points, strict=True)]
    return svg.picture(
        "".join(parts), width=WIDTH, height=HEIGHT, name=name, title=title, description=description, class_="chart"
    )


def _point(x: float, point: Point, low: float, high: float) -> str:
    parts = [svg.words(point.label, x, _BOTTOM + 18, class_="chart-axis", anchor="middle")]
    if point.value is None:
        parts.append(svg.words("undefined", x, _BOTTOM - 4, class_="chart-note", anchor="middle"))
        return "".join(parts)
    if point.low is not None and point.high is not None:
        parts.append(svg.line(x, _up(point.low, low, high), x, _up(point.high, low, high), class_="strip-interval"))
    parts.append(svg.dot(x, _up(point.value, low, high), 4.5, class_="chart-dot"))
    return "".join(parts)


def _gridline(value: float, low: float, high: float) -> str:
    y = _up(value, low, high)
    line = svg.line(_LEFT, y, _RIGHT, y, class_="chart-grid")
    return line + svg.words(text.number(value), _LEFT - 6, y + 4, class_="chart-axis", anchor="end")


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    room = (high - low) * 0.08 or abs(high) * 0.1 or 0.1
    # values that cannot be negative are not given room below 0
    return (max(low - room, 0.0) if low >= 0 else low - room), high + room


def _across(place: int, count: int) -> float:
    return _LEFT + (_RIGHT - _LEFT) * (place + 0.5) / count


def _up(value: float | None, low: float, high: float) -> float:
    assert value is not None  # callers draw only what there is
    return _BOTTOM - (value - low) / (high - low) * (_BOTTOM - _TOP)
