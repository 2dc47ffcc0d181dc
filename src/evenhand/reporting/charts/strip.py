"""A band strip: the zones of a band profile on one line, and where the number falls."""

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.core.results import Band
from evenhand.reporting.charts import svg

WIDTH, HEIGHT = 216.0, 34.0
_LEFT, _RIGHT, _LINE = 8.0, 208.0, 11.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """One band's stretch of the axis, low to high, in the unit of the banded quantity."""

    band: Band
    low: float
    high: float


def band_strip(
    zones: Sequence[Zone],
    number: float,
    *,
    name: str,
    title: str,
    description: str,
    limits: tuple[float, float] | None = None,
) -> str:
    """Draw zones from left to right with a marker at `number`.

    Parameters
    ----------
    zones
        Adjacent, in rising order. A number outside them is drawn at the nearer end.
    limits
        Confidence limits in the same unit, drawn as a line through the marker; None while there are none.
    """
    low, high = zones[0].low, zones[-1].high
    parts = [_zone(zone, low, high) for zone in zones]
    parts += [_cut(zone.high, low, high) for zone in zones[:-1]]
    if limits is not None:
        start, end = (_at(limit, low, high) for limit in limits)
        parts.append(svg.line(start, _LINE, end, _LINE, class_="strip-interval"))
    parts.append(svg.dot(_at(number, low, high), _LINE, 5.5, class_="strip-marker"))
    return svg.picture(
        "".join(parts), width=WIDTH, height=HEIGHT, name=name, title=title, description=description, class_="strip"
    )


def _zone(zone: Zone, low: float, high: float) -> str:
    start, end = _at(zone.low, low, high), _at(zone.high, low, high)
    return svg.box(start, _LINE - 3, end - start, 6, class_=f"strip-zone zone-{zone.band}")


def _cut(cut: float, low: float, high: float) -> str:
    x = _at(cut, low, high)
    mark = svg.line(x, _LINE - 6, x, _LINE + 6, class_="strip-cut")
    return mark + svg.words(_short(cut), x, HEIGHT - 4, class_="strip-label", anchor="middle")


def _short(cut: float) -> str:
    """Write a cut in as little room as it takes: ".15", "1.2"."""
    return f"{cut:g}" if cut >= 1 else f"{cut:.2f}".lstrip("0")


def _at(value: float, low: float, high: float) -> float:
    inside = min(max((value - low) / (high - low), 0.0), 1.0)
    return _LEFT + inside * (_RIGHT - _LEFT)
