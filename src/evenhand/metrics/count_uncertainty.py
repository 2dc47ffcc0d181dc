"""Interval, test and fair reference for a finished RSI or ODE result, and for every scenario and attribute in it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evenhand.core.results import Interval, MetricResult
from evenhand.core.table import Floats
from evenhand.metrics.count_cells import CountCell, Reading
from evenhand.metrics.count_clusters import FEWEST_CLUSTERS, clustered_limits
from evenhand.metrics.count_fair import Fair, fair_draws, tested
from evenhand.metrics.count_limits import limits_of
from evenhand.metrics.inference import Inference
from evenhand.stats.multinomial import without_zeros

MOST_CELLS = 60
"""Cells that get an interval of their own."""
More = Callable[[MetricResult, Floats, Sequence[int]], MetricResult]
"""What a metric adds to a tested result, from the weights and places of its cells."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Quantity:
    """A quantity that gets limits, and how it is read from counts.

    Attributes
    ----------
    per_cell
        In a single cell, what the first quantity must be divided by to give this one, from the cell's reference; None
        for the first.
    """

    names: tuple[str, ...]
    reading: Reading
    per_cell: Callable[[Floats], float] | None = None


def with_uncertainty(
    result: MetricResult,
    cells: Sequence[CountCell],
    quantities: Sequence[Quantity],
    inference: Inference,
    *,
    categories: Mapping[str, Sequence[str]],
    more: Callable[[Fair], More] | None = None,
) -> MetricResult:
    """Add to `result` what sampling alone would bring and how far the truth may lie.

    Parameters
    ----------
    cells
        All that have a value; the result is their mean, equal weight for attributes within scenarios, and scenarios.
    quantities
        The first is the value itself.
    categories
        Attribute to the names of its categories.
    more
        Given the fair law, makes what a metric adds of its own.
    """
    if not cells or result.value is None:
        return result
    fair = fair_draws(cells, quantities[0].reading, inference)
    work = _Work(cells, quantities, inference, fair, more(fair) if more else _nothing)
    many = len(cells) > MOST_CELLS or not inference.parts
    caveats = [*result.caveats, *_merged(cells, categories)]
    if many:
        why = f"there are more than {MOST_CELLS}" if inference.parts else "they were not asked for"
        caveats.append(f"Single scenarios have no intervals: {why}.")
    by_scenario = {name: work.scenario(name, each, many=many) for name, each in result.by_scenario.items()}
    weights, places = _overall(result, cells)
    whole = work.finish(replace(result, caveats=tuple(caveats)), weights, places)
    by_attribute = {
        name: work.attribute(name, each, whole, is_only=len({cell.attribute for cell in cells}) == 1)
        for name, each in result.by_attribute.items()
    }
    return replace(whole, by_scenario=by_scenario, by_attribute=by_attribute)


@dataclass(frozen=True, slots=True)
class _Work:
    cells: Sequence[CountCell]
    quantities: Sequence[Quantity]
    inference: Inference
    fair: Fair
    more: More

    def scenario(self, name: str, result: MetricResult, *, many: bool) -> MetricResult:
        """Finish one scenario and the attributes in it."""
        if many:
            return result
        places = [i for i, cell in enumerate(self.cells) if cell.scenario == name]
        inner = {
            attribute: self.finish(each, *_even([i for i in places if self.cells[i].attribute == attribute]))
            for attribute, each in result.by_attribute.items()
        }
        if len(places) == 1:
            done = _carry(result, inner[self.cells[places[0]].attribute])
        else:
            done = self.finish(result, *_even(places))
        return replace(done, by_attribute=inner)

    def attribute(self, name: str, result: MetricResult, whole: MetricResult, *, is_only: bool) -> MetricResult:
        """Finish one attribute over its scenarios; the only one is the whole."""
        if is_only and result.value is not None:
            return _carry(result, whole)
        return self.finish(result, *_even([i for i, cell in enumerate(self.cells) if cell.attribute == name]))

    def finish(self, result: MetricResult, weights: Floats, places: Sequence[int]) -> MetricResult:
        """Finish one result that is the weighted mean of some cells."""
        if result.value is None or not len(places):
            return result
        chosen = [self.cells[i] for i in places]
        done = tested(result, chosen, weights, places, self.fair, self.quantities[0].reading)
        done = self.more(done, weights, places)
        reason = _why_no_interval(len({cell.scenario for cell in chosen}), self.inference)
        if reason:
            return replace(done, caveats=(*done.caveats, reason))
        return self._limited(done, chosen, weights)

    def _limited(self, result: MetricResult, cells: Sequence[CountCell], weights: Floats) -> MetricResult:
        first = self.quantities[0]
        interval, base = self._limits(first, cells, weights, result.p_value)
        limits = dict.fromkeys(first.names, base)
        for quantity in self.quantities[1:]:
            scale = {quantity.per_cell(cell.reference) for cell in cells} if quantity.per_cell else set()
            if len(scale) == 1:  # all cells are divided by the same, and so is their mean
                one_sided = _divided(base, scale.pop())
            else:
                one_sided = self._limits(quantity, cells, weights, result.p_value)[1]
            limits |= dict.fromkeys(quantity.names, one_sided)
        return replace(result, confidence_interval=interval, limits=limits)

    def _limits(
        self, quantity: Quantity, cells: Sequence[CountCell], weights: Floats, p_value: float | None
    ) -> tuple[Interval, Interval]:
        reading = quantity.reading
        if self.inference.target == "prompts like these":
            return clustered_limits(cells, weights, reading, self.inference)
        null_p = p_value if reading.tests_g else None  # ODE tests the reference, and its ray starts at an even spread
        return limits_of(cells, weights, reading, self.inference, null_p=null_p)


def _overall(result: MetricResult, cells: Sequence[CountCell]) -> tuple[Floats, list[int]]:
    """Weigh every scenario alike, and every attribute that is measured in it."""
    scenarios = {name for name, each in result.by_scenario.items() if each.value is not None}
    places = [i for i, cell in enumerate(cells) if cell.scenario in scenarios]
    sizes: dict[str, int] = {}
    for i in places:
        sizes[cells[i].scenario] = sizes.get(cells[i].scenario, 0) + 1
    return np.array([1 / sizes[cells[i].scenario] / len(sizes) for i in places]), places


def _divided(limits: Interval, by: float) -> Interval:
    return replace(limits, low=limits.low / by, high=limits.high / by)


def _even(places: Sequence[int]) -> tuple[Floats, Sequence[int]]:
    return np.full(len(places), 1 / max(len(places), 1)), places


def _carry(result: MetricResult, only: MetricResult) -> MetricResult:
    """Take the uncertainty of the only attribute."""
    return replace(
        result,
        confidence_interval=only.confidence_interval,
        limits=only.limits,
        fair_expected=only.fair_expected,
        fair_q95=only.fair_q95,
        excess=only.excess,
        p_value=only.p_value,
        test=only.test,
        parts={**result.parts, **only.parts},
    )


def _nothing(result: MetricResult, weights: Floats, places: Sequence[int]) -> MetricResult:
    return result


def _why_no_interval(scenarios: int, inference: Inference) -> str:
    if inference.target == "these prompts":
        return ""
    if scenarios < FEWEST_CLUSTERS:
        return f"No interval: {scenarios} scenarios say nothing about prompts like these; it takes {FEWEST_CLUSTERS}."
    return ""


def _merged(cells: Sequence[CountCell], names_of: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Say where the reference gives a category no share, so that the test had to merge it, and with which."""
    found: dict[str, None] = {}
    for cell in cells:
        empty = without_zeros(cell.counts, cell.reference)[2]
        if empty:
            rarest = names_of[cell.attribute][int(np.argmin(np.where(cell.reference > 0, cell.reference, np.inf)))]
            names = " and ".join(names_of[cell.attribute][place] for place in empty)
            found[f"{names} with {rarest} in {cell.scenario} ({cell.attribute})"] = None
    if not found:
        return ()
    listing = "; ".join(list(found)[:3]) + (f"; and {len(found) - 3} more" if len(found) > 3 else "")
    return (f"For the test, categories without a share in the reference were merged with the rarest: {listing}.",)
