"""A dot plot: one row a group, a dot for what was observed, a tick for what it is compared with."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10

from evenhand.reporting.charts import svg

WIDTH = 340.0
_LEFT, _RIGHT, _ROW, _TOP, _BOTTOM = 98.0, 222.0, 22.0, 8.0, 24.0
_VALUE = 276.0
_LABEL_LIMIT = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class DotRow:
    """One group.

    Attributes
    ----------
    value
        Where the dot stands, in the unit of the axis; None draws no dot and lets `text` say why.
    text
        The number as it is printed everywhere else.
    note
        What stands beside it, quieter: the reference, or the group's n.
    reference
        Where the tick stands; None for no tick.
    """

    label: str
    value: float | None
    text: str
    note: str = ""
    reference: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """The horizontal axis, from 0 to `high`.

    Attributes
    ----------
    ticks
        (position, label) in rising order.
    """

    high: float
    ticks: Sequence[tuple[float, str]]


def dot_plot(rows: Sequence[DotRow], axis: Axis, *, name: str, title: str, description: str) -> str:
    """Draw the rows, top to bottom, as one SVG image.

    Parameters
    ----------
    name
        Prefix of element ids; unique in the page.
    description
        The chart in words, for those who cannot see it.
    """
    height = _TOP + _ROW * len(rows) + _BOTTOM
    floor = height - _BOTTOM + 2
    grid = "".join(_gridline(position, label, axis, floor) for position, label in axis.ticks)
    drawn = "".join(_row(row, _TOP + _ROW * i + _ROW / 2, axis) for i, row in enumerate(rows))
    return svg.picture(
        grid + drawn, width=WIDTH, height=height, name=name, title=title, description=description, class_="chart"
    )


def share_axis() -> Axis:
    """Return the axis of shares: 0 to 1, labelled in percent."""
    return Axis(high=1.0, ticks=((0.0, "0"), (0.5, "50"), (1.0, "100%")))


def open_axis(values: Sequence[float]) -> Axis:
    """Return an axis from 0 to a round number at or above the largest value."""
    high = _round_up(max(values, default=0.0))
    return Axis(high=high, ticks=((0.0, "0"), (high / 2, f"{high / 2:g}"), (high, f"{high:g}")))


def _row(row: DotRow, y: float, axis: Axis) -> str:
    label = row.label if len(row.label) <= _LABEL_LIMIT else row.label[: _LABEL_LIMIT - 1] + "…"
    parts = [svg.words(label, 0, y + 4, class_="chart-label")]
    if row.value is not None and row.reference is not None:
        parts.append(svg.line(_at(row.reference, axis), y, _at(row.value, axis), y, class_="chart-gap"))
    if row.reference is not None:
        x = _at(row.reference, axis)
        parts.append(svg.line(x, y - 7, x, y + 7, class_="chart-reference"))
    if row.value is not None:
        parts.append(svg.dot(_at(row.value, axis), y, 4.5, class_="chart-dot"))
    parts.append(svg.words(row.text, _VALUE, y + 4, class_="chart-value", anchor="end"))
    parts.append(svg.words(row.note, _VALUE + 8, y + 4, class_="chart-note"))
    return "".join(parts)


def _gridline(position: float, label: str, axis: Axis, floor: float) -> str:
    x = _at(position, axis)
    return svg.line(x, _TOP, x, floor, class_="chart-grid") + svg.words(
        label, x, floor + 14, class_="chart-axis", anchor="middle"
    )


def _at(value: float, axis: Axis) -> float:
    inside = min(max(value / axis.high, 0.0), 1.0)
    return _LEFT + inside * (_RIGHT - _LEFT)


def _round_up(value: float) -> float:
    if value <= 0:
        return 1.0
    power = 10.0 ** floor(log10(value))
    return next(step * power for step in (1.0, 2.0, 4.0, 5.0, 8.0, 10.0) if step * power >= value * (1 - 1e-9))
