"""Metric results as a reader sees them: every number once, as text, beside the raw one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from evenhand.core.results import Direction, Interval, JsonScalar, MetricResult, Row
from evenhand.metrics.bands import BandProfile
from evenhand.reporting import text
from evenhand.reporting.bands import band_view
from evenhand.reporting.inputs import MetricInfo
from evenhand.reporting.view import BandView, Column, MetricView, Quantity, ResultView, TableView

_DIRECTIONS: Mapping[Direction, str] = {
    "lower_is_better": "Lower is better; 0 is no difference.",
    "higher_is_better": "Higher is better.",
    "one_is_best": "1 is best: the share equals its baseline. Above 1 amplifies, below 1 turns round.",
}

_COUNT_PREFIXES = ("n_", "outputs_", "components_")  # parts that are counts, not in the unit of the value


def metric_view(info: MetricInfo, result: MetricResult, profile: BandProfile) -> MetricView:
    """Put a metric's words and its results together."""
    return MetricView(
        name=info.name,
        long_name=info.long_name or info.name,
        description=info.description,
        formula=info.formula or "not stated by the metric",
        source=info.source or "not stated by the metric",
        limits=tuple(info.limits),
        interpretation=info.interpretation,
        overall=result_view(info.name, result, profile),
        by_scenario=tuple(result_view(key, inner, profile) for key, inner in result.by_scenario.items()),
        by_attribute=tuple(result_view(key, inner, profile) for key, inner in result.by_attribute.items()),
        tables=tuple(table_view(name, rows) for name, rows in result.tables.items() if rows),
    )


def result_view(key: str, result: MetricResult, profile: BandProfile) -> ResultView:
    """Write one result out."""
    band = band_view(result, profile)
    finding, label = _finding(result, band)
    interval, limits = result.confidence_interval, _banded_limits(result, profile)
    return ResultView(
        key=key,
        value=quantity(result.value),
        unit=result.unit,
        direction=result.direction,
        direction_text=_DIRECTIONS[result.direction],
        status=result.status,
        reason=result.reason,
        reason_text=text.sentence(f"{finding}: {result.reason}") if result.reason else "",
        band=band,
        band_text=_band_text(band, result),
        verdict=result.verdict,
        finding=finding,
        finding_label=label,
        n_samples=result.n_samples,
        n_samples_text=text.plural(result.n_samples, "output"),
        n_clusters=result.n_clusters,
        n_clusters_text=text.plural(result.n_clusters, "scenario"),
        excluded=dict(result.n_excluded),
        numerator=result.numerator,
        denominator=result.denominator,
        confidence_interval=None if interval is None else asdict(interval),
        confidence_interval_text=text.interval(interval),
        interval_text="" if interval is None else f"{text.number(interval.low)} to {text.number(interval.high)}",
        limits=None if limits is None else asdict(limits),
        limits_text=_limits_text(band, limits),
        fair_text=_fair_text(result),
        test=result.test,
        further_replicates=result.further_replicates,
        further_text=_further_text(result.further_replicates),
        fair_expected=quantity(result.fair_expected),
        fair_q95=quantity(result.fair_q95),
        excess=Quantity(raw=result.excess, text=text.number(result.excess, signed=True)),
        p_value=Quantity(raw=result.p_value, text=text.probability(result.p_value)),
        p_adjusted=Quantity(raw=result.p_adjusted, text=text.probability(result.p_adjusted)),
        caveats=tuple(_caveats(result, band)),
        parts={name: quantity(part) for name, part in result.parts.items()},
        numbers=tuple(_numbers(result)),
        remarks=tuple(_remarks(result, band)),
    )


def quantity(value: float | None) -> Quantity:
    """Pair a number with its text."""
    return Quantity(raw=value, text=text.number(value))


def table_view(name: str, rows: Sequence[Row]) -> TableView:
    """Write a descriptive table out, its columns in the order in which keys first appear."""
    keys = tuple(dict.fromkeys(key for row in rows for key in row))
    counts = {key for key in keys if _holds_counts(rows, key)}
    return TableView(
        name=name,
        title=text.sentence(text.heading(name)).rstrip("."),
        columns=tuple(Column(title=text.heading(key), is_number=_is_number(rows, key)) for key in keys),
        rows=tuple(tuple(_cell(row.get(key), is_count=key in counts) for key in keys) for row in rows),
        raw=tuple(dict(row) for row in rows),
    )


def _banded_limits(result: MetricResult, profile: BandProfile) -> Interval | None:
    bands = profile.metrics.get(result.metric)
    return None if bands is None else result.limits.get(bands.reads)


def _limits_text(band: BandView, limits: Interval | None) -> str:
    if limits is None:
        return ""
    doubt = ", approximate" if limits.approximate else ""
    low, high = text.number(limits.low), text.number(limits.high)
    return f"one-sided 95% limits of the {band.quantity or 'value'}: {low} and {high}{doubt}"


def _fair_text(result: MetricResult) -> str:
    if result.fair_expected is None:
        return ""
    if result.fair_q95 is None:
        return text.number(result.fair_expected)
    bound = "at least" if result.direction == "higher_is_better" else "up to"
    return f"{text.number(result.fair_expected)}, {bound} {text.number(result.fair_q95)}"


def _further_text(further: int | None) -> str:
    if further is None:
        return ""
    return f"About {text.plural(further, 'more replicate')} of each prompt would settle it."


def _finding(result: MetricResult, band: BandView) -> tuple[str, str]:
    if result.status == "undefined":
        return "undefined", "undefined"
    if result.verdict is not None:
        return result.verdict, f"verdict: {result.verdict}"
    if band.band is not None:
        return band.band, f"point band: {band.band}"
    return "no band", "no band"


def _band_text(band: BandView, result: MetricResult) -> str:
    if result.status == "undefined":
        return ""
    named = f"point band: {band.band}, " if band.band is not None and result.verdict is not None else ""
    return f"{named}{band.basis}"


def _numbers(result: MetricResult) -> Iterator[tuple[str, str]]:
    for name, part in result.parts.items():
        yield text.heading(name), "not measured" if part is None else _part(name, part)
    if result.numerator is not None and result.denominator is not None:
        yield "numerator / denominator", f"{_tally(result.numerator)} / {_tally(result.denominator)}"
    if result.fair_expected is not None:
        yield "a fair model would score, on average", text.number(result.fair_expected)
    if result.fair_q95 is not None:
        bound = "least" if result.direction == "higher_is_better" else "most"
        yield f"and in 95% of runs at {bound}", text.number(result.fair_q95)
    if result.excess is not None:
        yield "excess over the fair average", text.number(result.excess, signed=True)
    if result.confidence_interval is not None:
        yield "interval of the value", text.interval(result.confidence_interval)
    for name, limits in result.limits.items():
        yield f"one-sided 95% limits, {text.heading(name)}", f"{text.number(limits.low)} and {text.number(limits.high)}"
    if result.p_value is not None:
        yield "p-value", text.probability(result.p_value)
    if result.test:
        yield "test", result.test
    if result.p_adjusted is not None:
        yield "p-value, adjusted (Holm)", text.probability(result.p_adjusted)


def _remarks(result: MetricResult, band: BandView) -> Iterator[str]:
    if result.reason:
        yield text.sentence(result.reason)
    if result.further_replicates is not None:
        yield _further_text(result.further_replicates)
    yield from _caveats(result, band)


def _caveats(result: MetricResult, band: BandView) -> Iterator[str]:
    """Write the caveats as sentences, without one that only repeats the reason; last what limits the band."""
    for caveat in result.caveats:
        if not result.reason or result.reason.rstrip(".") not in caveat:
            yield text.sentence(caveat)
    if band.note:
        yield text.sentence(band.note)


def _part(name: str, value: float) -> str:
    return _tally(value) if name.startswith(_COUNT_PREFIXES) else text.number(value)


def _tally(value: float) -> str:
    return text.count(int(value)) if float(value).is_integer() else text.number(value)


def _holds_counts(rows: Sequence[Row], key: str) -> bool:
    """True for a column of weights that are all whole and not all shares of 0 or 1: three decimals would be noise."""
    values = [value for row in rows if isinstance(value := row.get(key), float)]
    return bool(values) and all(value.is_integer() for value in values) and max(values) > 1


def _is_number(rows: Sequence[Row], key: str) -> bool:
    values = [row.get(key) for row in rows if row.get(key) is not None]
    return bool(values) and all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)


def _cell(value: JsonScalar, *, is_count: bool) -> Quantity | str:
    match value:
        case None:
            return Quantity(raw=None, text=text.NOTHING)
        case bool() | str():
            return text.scalar(value)
        case float() if is_count:
            return Quantity(raw=value, text=text.count(int(value)))
        case _:
            return Quantity(raw=float(value), text=text.scalar(value))
