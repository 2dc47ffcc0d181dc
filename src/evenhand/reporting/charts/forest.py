"""A forest plot: one row a part, a dot with its interval, on an axis with 0 in the middle."""

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.reporting.charts import svg

WIDTH = 620.0
_LEFT, _RIGHT, _ROW, _TOP, _BOTTOM = 230.0, 520.0, 20.0, 8.0, 24.0
_LABEL_LIMIT = 38


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestRow:
    """One part; `limits` are those of its interval, None for none; `text` is the number as printed elsewhere."""

    label: str
    value: float | None
    limits: tuple[float, float] | None
    text: str


def forest_plot(rows: Sequence[ForestRow], *, name: str, title: str, description: str) -> str:
    """Draw the rows, top to bottom; the axis reaches as far on both sides as the largest limit, and 0.1 at least."""
    ends = [abs(end) for row in rows for end in (*(row.limits or ()), row.value or 0.0)]
    reach = min(1.0, max(0.1, *ends, 0.1))
    height = _TOP + _ROW * len(rows) + _BOTTOM
    floor = height - _BOTTOM + 2
    grid = "".join(_gridline(at, reach, floor) for at in (-reach, 0.0, reach))
    drawn = "".join(_row(row, _TOP + _ROW * i + _ROW / 2, reach) for i, row in enumerate(rows))
    return svg.picture(
        grid + drawn, width=WIDTH, height=height, name=name, title=title, description=description, class_="chart"
    )


def _row(row: ForestRow, y: float, reach: float) -> str:
    label = row.label if len(row.label) <= _LABEL_LIMIT else row.label[: _LABEL_LIMIT - 1] + "…"
    parts = [svg.words(label, 0, y + 4, class_="chart-label")]
    if row.limits is not None:
        low, high = (_at(limit, reach) for limit in row.limits)
        parts.append(svg.line(low, y, high, y, class_="chart-gap"))
    if row.value is not None:
        parts.append(svg.dot(_at(row.value, reach), y, 4, class_="chart-dot"))
    parts.append(svg.words(row.text, WIDTH - 4, y + 4, class_="chart-value", anchor="end"))
    return "".join(parts)


def _gridline(at: float, reach: float, floor: float) -> str:
    x = _at(at, reach)
    label = svg.words(f"{at:+.2g}" if at else "0", x, floor + 14, class_="chart-axis", anchor="middle")
    return svg.line(x, _TOP, x, floor, class_="chart-grid") + label


def _at(value: float, reach: float) -> float:
    inside = min(max((value + reach) / (2 * reach), 0.0), 1.0)
    return _LEFT + inside * (_RIGHT - _LEFT)
