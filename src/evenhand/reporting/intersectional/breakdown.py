"""The figures part by part: category, polarity, contrast, subgroup, template, each with abstention and invalid."""

from collections.abc import Iterator

from evenhand.instruments.intersectional.result import Intersectional
from evenhand.instruments.intersectional.slices import Slice
from evenhand.reporting import text
from evenhand.reporting.charts.forest import ForestRow, forest_plot
from evenhand.reporting.document.model import Block, Drawing, Grid
from evenhand.reporting.intersectional.figures import limits, value

_COLUMNS = (
    "Part",
    "Items",
    "Acc. ambiguous",
    "s_AMB",
    "from, to",
    "“unknown”",
    "Acc. disambiguated",
    "s_DIS",
    "“unknown”",
    "Gap",
    "from, to",
    "Invalid",
)
_TITLES = {
    "category": "By category",
    "polarity": "By polarity of the question",
    "contrast": "By contrast: which attributes differ between the two people",
    "subgroup": "By subgroup named; an item counts for both of its groups",
    "template": "By template; one template has no interval",
}


def breakdown(found: Intersectional) -> Iterator[Block]:
    """Write one table a dimension, and the gaps as a forest plot."""
    yield from _forest(found)
    for dimension, parts in found.slices.items():
        yield Grid(
            title=_TITLES[dimension],
            columns=_COLUMNS,
            rows=tuple(_row(part) for part in parts),
            numbers=tuple(range(1, len(_COLUMNS))),
        )


def _row(part: Slice) -> tuple[str, ...]:
    answered = part.ambiguous.answered + part.disambiguated.answered
    invalid = part.ambiguous.invalid + part.disambiguated.invalid
    return (
        part.name,
        text.count(part.ambiguous.items + part.disambiguated.items),
        value(part.accuracy.ambiguous),
        value(part.bias.ambiguous, signed=True),
        limits(part.bias.ambiguous),
        text.percent(part.ambiguous.abstention),
        value(part.accuracy.disambiguated),
        value(part.bias.disambiguated, signed=True),
        text.percent(part.disambiguated.abstention),
        value(part.accuracy.gap, signed=True),
        limits(part.accuracy.gap),
        text.percent(invalid / answered if answered else None),
    )


def _forest(found: Intersectional) -> Iterator[Block]:
    parts = [found.overall, *(p for name in ("category", "contrast", "subgroup") for p in found.slices.get(name, ()))]
    rows = [
        ForestRow(
            label=part.name,
            value=part.accuracy.gap.value,
            limits=None
            if part.accuracy.gap.interval is None
            else (part.accuracy.gap.interval.low, part.accuracy.gap.interval.high),
            text=value(part.accuracy.gap, signed=True),
        )
        for part in parts
        if part.accuracy.gap.value is not None
    ]
    if rows:
        title = "Gap: accuracy where the right answer fits the stereotype, minus where it contradicts it"
        said = "; ".join(f"{row.label} {row.text}" for row in rows)
        yield Drawing(svg=forest_plot(rows, name="gaps", title=title, description=said), title=title, description=said)
