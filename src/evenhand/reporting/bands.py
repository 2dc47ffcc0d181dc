"""A point band in words and as zones to draw."""

from collections.abc import Mapping, Sequence

from evenhand.core.results import Band, Direction, MetricResult
from evenhand.metrics.bands import BandProfile, PointBand
from evenhand.reporting import text
from evenhand.reporting.charts.strip import Zone
from evenhand.reporting.view import BandView, Quantity

_WORSENING: tuple[Band, ...] = ("pass", "watch", "flag", "fail")
_QUANTITIES = {"normalised": "normalised value"}


def band_view(result: MetricResult, profile: BandProfile) -> BandView:
    """Read the point band of a result; one without a value, or without cuts in the profile, has none."""
    point = profile.point_band(result)
    bands = profile.metrics.get(result.metric)
    zones = () if bands is None else _zones(bands.cuts, bands.direction, point.number)
    return BandView(
        band=point.band,
        quantity=_QUANTITIES.get(point.quantity, point.quantity),
        number=Quantity(raw=point.number, text=text.number(point.number)),
        basis=_basis(point),
        cuts=_in_words(zones),
        zones=zones,
        action=point.action,
        note=point.note,
    )


def _basis(point: PointBand) -> str:
    """Say what the band was read from; the number is written as everywhere else in the report."""
    if point.number is None:
        return point.basis
    quantity = _QUANTITIES.get(point.quantity, point.quantity)
    _, mark, qualification = point.basis.partition("; ")
    return f"read from the {quantity}, {text.number(point.number)}{mark}{qualification}"


def _zones(cuts: Mapping[Band, float], direction: Direction, number: float | None) -> tuple[Zone, ...]:
    """Lay the bands side by side, from the lower end of the axis to the upper."""
    rising = sorted(cuts.values())
    bands: Sequence[Band] = {
        "lower_is_better": _WORSENING,
        "higher_is_better": _WORSENING[::-1],
        "one_is_best": ("under", *_WORSENING),
    }[direction]
    low, high = _ends(rising, direction, number)
    edges = (low, *rising, high)
    return tuple(Zone(band=b, low=x, high=y) for b, x, y in zip(bands, edges, edges[1:], strict=False))


def _ends(rising: Sequence[float], direction: Direction, number: float | None) -> tuple[float, float]:
    """End the axis where the quantity does, or else a third beyond the last cut; the number always fits."""
    if direction == "higher_is_better":
        return 0.0, 1.0
    drawn = number or 0.0
    return min(0.0, drawn), max(rising[-1] * 1.35, drawn * 1.05)


def _in_words(zones: Sequence[Zone]) -> str:
    """Write the cuts out, from the lower end of the axis to the upper."""
    if not zones:
        return ""
    parts = [f"{zones[0].band} below {_cut(zones[0].high)}"]
    parts += [f"{zone.band} {_cut(zone.low)} to {_cut(zone.high)}" for zone in zones[1:-1]]
    return ", ".join([*parts, f"{zones[-1].band} above {_cut(zones[-1].low)}"])


def _cut(value: float) -> str:
    return f"{value:.2f}"
