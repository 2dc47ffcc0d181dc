"""A comparison of runs → the document that every form prints."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from evenhand.core.results import Interval, MetricResult
from evenhand.instruments.audit.compare.result import ALPHA, Change, Comparison, Pair, Side
from evenhand.reporting import text
from evenhand.reporting.comparison.chart import Point, trend_chart
from evenhand.reporting.comparison.wording import finding, label, limits, smallest
from evenhand.reporting.document.model import Block, Document, Drawing, Grid, Paragraph, Section

SIMULATED = "No model answered in {runs}: the answers are simulated, and say nothing about any model."
READING = (
    f"Moved beyond noise: p, adjusted by Holm over the table, below {ALPHA:g}. No difference found at this size is not "
    "the same as no difference: the last column says how large one would have had to be, to be seen in 80 of 100 such "
    "comparisons. The interval is of the difference, and not adjusted; an approximate one may cover the truth less "
    "often than in 95 of 100 comparisons."
)
TESTED = (
    "The tests permute the run labels of the answers to each prompt, so they ask whether both runs could have come "
    "from one model; a model may also move without moving this number."
)


def document(found: Comparison, *, written: str) -> Document:
    """Write a report.

    Parameters
    ----------
    written
        UTC time in ISO 8601; an argument, so that the same input gives the same bytes.
    """
    return Document(
        kind="comparison",
        title=f"{text.plural(len(found.sides), 'run')} compared",
        headline=headline(found),
        written=text.moment(written),
        sections=tuple(_sections(found)),
        raw=as_json(found),
    )


def headline(found: Comparison) -> str:
    """Say in one or two sentences what moved between the last run and the one before it."""
    pair = found.pairs[len(found.sides) - 2]
    names = [f"{label(c)} {finding(c).removeprefix('moved beyond noise: ')}" for c in pair.moved]
    size = f"{text.plural(pair.prompts, 'prompt')}, {text.count(pair.outputs)} outputs of each run"
    between = "" if len(found.sides) == 2 else f" from run {len(found.sides) - 1} to run {len(found.sides)}"
    if not names:
        return f"No difference found{between} at this size ({size})."
    return f"Moved beyond noise{between} ({size}): {'; '.join(names)}."


def as_json(found: Comparison) -> dict[str, Any]:
    """Everything as plain values, numbers unrounded."""
    return {
        "runs": [asdict(side) for side in found.sides],
        "is_common_part": found.is_common,
        "draws": found.draws,
        "seed": found.seed,
        "pairs": [_pair_json(pair) for pair in found.pairs],
        "trend": {
            metric: [_point_json(side, result) for side, result in zip(found.sides, results, strict=True)]
            for metric, results in found.trend.items()
        },
    }


def _pair_json(pair: Pair) -> dict[str, Any]:
    return {
        "old": pair.old.run_id,
        "new": pair.new.run_id,
        "prompts": pair.prompts,
        "outputs_of_each": pair.outputs,
        "notes": list(pair.notes),
        "metrics": [_change_json(change) for change in pair.metrics],
        "measures": [_change_json(change) for change in pair.measures],
    }


def _change_json(change: Change) -> dict[str, Any]:
    plain = asdict(change)
    plain["n"] = list(change.n)
    return {
        **plain,
        "difference": change.difference,
        "has_moved": change.has_moved,
        "is_for_the_worse": change.is_for_the_worse,
        "finding": finding(change),
    }


def _point_json(side: Side, result: MetricResult) -> dict[str, Any]:
    interval = result.confidence_interval
    return {
        "run": side.run_id,
        "value": result.value,
        "reason": result.reason,
        "n_samples": result.n_samples,
        "confidence_interval": None if interval is None else asdict(interval),
    }


def _sections(found: Comparison) -> Iterator[Section]:
    yield Section(title="Runs", blocks=tuple(_runs(found)))
    if found.trend:
        yield Section(title="Trend", blocks=tuple(_trend(found)))
    for pair in found.pairs:
        yield Section(title=_title(found, pair), blocks=tuple(_pair(pair)))
    yield Section(title="How to read this", blocks=(Paragraph(text=READING), Paragraph(text=TESTED)))


def _runs(found: Comparison) -> Iterator[Block]:
    simulated = [side.run_id for side in found.sides if side.is_simulated]
    if simulated:
        yield Paragraph(text=SIMULATED.format(runs=", ".join(simulated)), is_loud=True)
    yield Grid(
        columns=("", "Run", "Begun", "Model", "Status", "Prompts", "Outputs"),
        rows=tuple(
            (
                str(place),
                side.run_id,
                text.moment(side.created_at),
                side.model,
                side.status,
                text.count(side.prompts),
                text.count(side.outputs),
            )
            for place, side in enumerate(found.sides, start=1)
        ),
        numbers=(5, 6),
    )


def _title(found: Comparison, pair: Pair) -> str:
    if len(found.sides) == 2:
        return "What moved"
    places = [1 + list(found.sides).index(side) for side in (pair.old, pair.new)]
    return f"From run {places[0]} to run {places[1]}"


def _pair(pair: Pair) -> Iterator[Block]:
    for note in pair.notes:
        yield Paragraph(text=note)
    yield _changes("Metrics", pair.metrics)
    if pair.measures:
        yield _changes("Answers", pair.measures)


def _changes(title: str, changes: Sequence[Change]) -> Block:
    return Grid(
        title=title,
        columns=("", "Found", "Old", "New", "Difference", "95% interval", "p", "p, adjusted", "Smallest visible"),
        rows=tuple(_row(change) for change in changes),
        numbers=(2, 3, 4, 6, 7, 8),
        note=_methods(changes),
    )


def _row(change: Change) -> tuple[str, ...]:
    is_defined = change.difference is not None
    return (
        label(change),
        finding(change),
        text.number(change.old),
        text.number(change.new),
        text.number(change.difference, signed=True),
        limits(change.interval, signed=True) if is_defined else text.NOTHING,
        text.probability(change.p_value),
        text.probability(change.p_adjusted),
        smallest(change),
    )


def _methods(changes: Sequence[Change]) -> str:
    found = [
        f"interval by {c.interval.method}, for {c.interval.target}" for c in changes if isinstance(c.interval, Interval)
    ]
    tests = [f"test: {c.test}" for c in changes if c.test]
    methods = text.sentence("; ".join(dict.fromkeys([*found, *tests])))
    return " ".join([methods, *map(text.sentence, _missing(changes))]).strip()


def _missing(changes: Sequence[Change]) -> Iterator[str]:
    """Say why something has no value, or no interval."""
    for change in changes:
        if change.difference is None:
            yield f"{change.name} is undefined: {change.reason}"
        elif change.no_interval:
            yield f"{label(change)} has {change.no_interval}"


def _trend(found: Comparison) -> Iterator[Block]:
    yield Grid(
        columns=("Metric", *(f"Run {place}" for place in range(1, len(found.sides) + 1))),
        rows=tuple((metric, *map(_cell, results)) for metric, results in found.trend.items()),
        note=" ".join(
            ["Value with its 95% interval, over the prompts and replicates that all runs have.", *_undefined(found)]
        ),
    )
    for place, (metric, results) in enumerate(found.trend.items(), start=1):
        if any(result.value is not None for result in results):
            yield _drawing(place, metric, results)


def _undefined(found: Comparison) -> Iterator[str]:
    for metric, results in found.trend.items():
        reasons = dict.fromkeys(result.reason for result in results if result.value is None)
        if reasons:
            yield text.sentence(f"{metric} is undefined: {'; '.join(reasons)}")


def _cell(result: MetricResult) -> str:
    if result.value is None:
        return "undefined"
    return f"{text.number(result.value)} ({limits(result.confidence_interval)})"


def _drawing(place: int, metric: str, results: Sequence[MetricResult]) -> Drawing:
    points = [
        Point(
            label=f"run {i}",
            value=result.value,
            low=None if result.confidence_interval is None else result.confidence_interval.low,
            high=None if result.confidence_interval is None else result.confidence_interval.high,
        )
        for i, result in enumerate(results, start=1)
    ]
    unit = next((result.unit for result in results if result.unit), "")
    title = f"{metric} ({unit})" if unit else metric
    spoken = "; ".join(f"run {i}: {_cell(result)}" for i, result in enumerate(results, start=1))
    svg = trend_chart(points, name=f"trend-{place}", title=f"{title} by run", description=spoken)
    return Drawing(svg=svg, title=title, description=spoken)
