"""The rate and the rate of every vector on one axis, each with its interval."""

from collections.abc import Iterator

from evenhand.core.results import Interval
from evenhand.instruments.violations.result import Violations
from evenhand.reporting.charts import svg
from evenhand.reporting.document.model import Drawing

_WIDTH, _LEFT, _RIGHT, _ROW, _TOP, _BOTTOM = 380.0, 132.0, 242.0, 22.0, 8.0, 24.0
_LABEL_LIMIT, _MOST = 23, 60

Row = tuple[str, float | None, Interval | None]


def forest(found: Violations) -> Drawing | None:
    """Draw all vectors, then the rate over them for both targets; None where there is no rate, or far too many rows."""
    rows = list(_rows(found))
    if found.overall.value is None or len(rows) > _MOST:
        return None
    floor = _TOP + _ROW * len(rows) + 2
    grid = "".join(_gridline(share, floor) for share in (0.0, 0.5, 1.0))
    drawn = "".join(_row(row, _TOP + _ROW * i + _ROW / 2) for i, row in enumerate(rows))
    title, said = "Rates with their intervals", "; ".join(f"{row[0]}: {_said(row)}" for row in rows)
    picture = svg.picture(
        grid + drawn,
        width=_WIDTH,
        height=_TOP + _ROW * len(rows) + _BOTTOM,
        name="forest",
        title=title,
        description=said,
        class_="chart",
    )
    return Drawing(svg=picture, title=title, description=said)


def _rows(found: Violations) -> Iterator[Row]:
    if len(found.by_vector) > 1:
        for each in found.by_vector:
            yield each.vector or "(unnamed)", each.rate.value, each.rate.interval
    yield "All, these vectors", found.overall.value, found.overall.interval
    if found.like_these is not None and found.like_these.interval is not None:
        yield "All, vectors like these", found.overall.value, found.like_these.interval


def _row(row: Row, y: float) -> str:
    name, value, limits = row
    label = name if len(name) <= _LABEL_LIMIT else name[: _LABEL_LIMIT - 1] + "…"
    parts = [svg.words(label, 0, y + 4, class_="chart-label")]
    if limits is not None:
        parts.append(svg.line(_at(limits.low), y, _at(limits.high), y, class_="chart-gap"))
    if value is not None:
        parts.append(svg.dot(_at(value), y, 4.5, class_="chart-dot"))
    parts.append(svg.words(_said(row), _WIDTH, y + 4, class_="chart-value", anchor="end"))
    return "".join(parts)


def _said(row: Row) -> str:
    _, value, limits = row
    if value is None or limits is None:
        return "no rate"
    return f"{value * 100:.1f}% ({limits.low * 100:.1f} to {limits.high * 100:.1f})"


def _gridline(share: float, floor: float) -> str:
    x = _at(share)
    label = f"{share * 100:g}%"
    return svg.line(x, _TOP, x, floor, class_="chart-grid") + svg.words(
        label, x, floor + 14, class_="chart-axis", anchor="middle"
    )


def _at(share: float) -> float:
    return _LEFT + share * (_RIGHT - _LEFT)
