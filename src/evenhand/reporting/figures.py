"""Descriptive tables of metrics → chart data. A table that is not there gives no chart, never an empty one."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from evenhand.core.results import JsonScalar, MetricResult, Row
from evenhand.reporting import text
from evenhand.reporting.charts.dots import Axis, DotRow, open_axis, share_axis
from evenhand.reporting.view import Figure, Panel

PANEL_LIMIT = 18
ROW_LIMIT = 12


def figures(results: Mapping[str, MetricResult]) -> tuple[Figure, ...]:
    """Collect the charts that the results have data for."""
    found = (_shares(results.get("RSI")), _groups(results.get("CDS"), results.get("DSI")))
    return tuple(figure for figure in found if figure is not None)


def _shares(result: MetricResult | None) -> Figure | None:
    rows = _rows(result, "shares", {"scenario", "attribute", "category", "n", "share", "reference"})
    panels = [_share_panel(scenario, attribute, own) for (scenario, attribute), own in _grouped(rows, "scenario")]
    return _figure(
        "shares",
        "Who appears, against the reference",
        "Dot: share of the answers to the base prompt in which a person is perceived as such. Tick: the reference. "
        "Answers that show no one do not count.",
        panels,
    )


def _share_panel(scenario: str, attribute: str, rows: Sequence[Row]) -> Panel:
    n, names = _whole(rows[0]["n"]), dict.fromkeys(str(row.get("reference_name") or "") for row in rows)
    dots = tuple(
        DotRow(
            label=str(row["category"]),
            value=_real(row["share"]),
            text=text.percent(_real(row["share"])),
            note=f"ref {text.percent(_real(row['reference']))}",
            reference=_real(row["reference"]),
        )
        for row in rows[:ROW_LIMIT]
    )
    reference = ", ".join(name for name in names if name) or "not named"
    return Panel(
        title=text.heading(scenario),
        subtitle=f"Perceived {text.heading(attribute)}, n = {text.count(n)}. Reference: {reference}.",
        description=_spoken(dots),
        rows=dots,
        axis=share_axis(),
    )


def _groups(divergence: MetricResult | None, service: MetricResult | None) -> Figure | None:
    panels = [*_distances(divergence), *_service(service)]
    return _figure(
        "groups",
        "What changes when a group is named",
        "One column each for the distance of the answers, for refusals and for length. Dot: the group. Tick: the floor "
        "of a distance, half the distance between answers to the same prompt on either side, which sampling alone "
        "brings.",
        sorted(panels, key=lambda panel: panel.title.split(":")[0]),
    )


def _distances(result: MetricResult | None) -> Iterator[Panel]:
    rows = _rows(result, "groups", {"scenario", "attribute", "group", "value", "within_floor", "n_group"})
    means = [(attribute, _group_means(own)) for (attribute, _), own in _grouped(rows, None)]
    drawn = [x for _, groups in means for row in groups for x in (row.value, row.reference) if x is not None]
    for attribute, groups in means:
        yield _panel(
            attribute, "distance", "To answers of the base prompt, mean over scenarios.", groups, open_axis(drawn)
        )


def _group_means(rows: Sequence[Row]) -> tuple[DotRow, ...]:
    """Average each group over the scenarios in which its distance was measured."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        if row["value"] is not None:
            groups.setdefault(str(row["group"]), []).append(row)
    return tuple(_group_mean(group, own) for group, own in list(groups.items())[:ROW_LIMIT])


def _group_mean(group: str, rows: Sequence[Row]) -> DotRow:
    value, floor = _mean(rows, "value"), _mean(rows, "within_floor")
    n = sum(_whole(row["n_group"]) for row in rows)
    return DotRow(label=group, value=value, text=text.number(value), note=f"n {text.count(n)}", reference=floor)


def _mean(rows: Sequence[Row], column: str) -> float | None:
    """Average a column; None if a row lacks it, since the mean of the others would be of other scenarios."""
    values = [x for row in rows if (x := _real(row[column])) is not None]
    return sum(values) / len(values) if len(values) == len(rows) and values else None


def _service(result: MetricResult | None) -> Iterator[Panel]:
    rows = _rows(result, "groups", {"attribute", "group", "n", "n_substantive", "refusal_rate", "mean_words"})
    words = open_axis([x for row in rows if (x := _real(row["mean_words"])) is not None])
    for (attribute, _), own in _grouped(rows, None):
        refused = _service_rows(own, "refusal_rate", "n", text.percent)
        yield _panel(attribute, "refusals", "Share of requests refused or blocked.", refused, share_axis())
        length = _service_rows(own, "mean_words", "n_substantive", _words)
        yield _panel(attribute, "length", "Mean words of answers that do not refuse.", length, words)


def _service_rows(
    rows: Sequence[Row], column: str, n: str, written: Callable[[float | None], str]
) -> tuple[DotRow, ...]:
    return tuple(
        DotRow(
            label=str(row["group"]),
            value=_real(row[column]),
            text=written(_real(row[column])),
            note=f"n {text.scalar(row[n])}",
        )
        for row in rows[:ROW_LIMIT]
    )


def _panel(attribute: str, what: str, subtitle: str, rows: tuple[DotRow, ...], axis: Axis) -> Panel:
    title = f"{text.heading(attribute).capitalize()}: {what}"
    return Panel(title=title, subtitle=subtitle, description=_spoken(rows), rows=rows, axis=axis)


def _figure(name: str, title: str, how_to_read: str, panels: Sequence[Panel]) -> Figure | None:
    shown = tuple(panel for panel in panels[:PANEL_LIMIT] if panel.rows)
    if not shown:
        return None
    left = len(panels) - len(shown)
    return Figure(
        name=name,
        title=title,
        how_to_read=how_to_read,
        panels=shown,
        omitted=f"{text.count(left)} more are in the tables of the metric." if left > 0 else "",
    )


def _rows(result: MetricResult | None, table: str, columns: set[str]) -> Sequence[Row]:
    """Return a table's rows if it has the columns that the chart needs; a custom metric may have others."""
    rows = () if result is None else tuple(result.tables.get(table, ()))
    return rows if all(columns <= row.keys() for row in rows) else ()


def _grouped(rows: Iterable[Row], first: str | None) -> list[tuple[tuple[str, str], list[Row]]]:
    """Group rows in their order: by `first` and attribute, or by attribute alone."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        attribute = str(row["attribute"])
        key = (attribute, "") if first is None else (str(row[first]), attribute)
        groups.setdefault(key, []).append(row)
    return list(groups.items())


def _spoken(rows: Sequence[DotRow]) -> str:
    return "; ".join(f"{row.label}: {row.text} ({row.note})" for row in rows)


def _words(value: float | None) -> str:
    return text.NOTHING if value is None else f"{value:.1f}"


def _real(value: JsonScalar) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None


def _whole(value: JsonScalar) -> int:
    return int(value) if isinstance(value, (int, float)) else 0
