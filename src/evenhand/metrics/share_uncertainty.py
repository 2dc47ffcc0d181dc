"""Interval, test and fair reference for a finished RSI or ODE result, and for every scenario and attribute in it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evenhand.core.results import Interval, MetricResult
from evenhand.metrics.inference import Inference
from evenhand.metrics.share_inference import (
    FEWEST_CLUSTERS,
    MOST_CELLS,
    CountCell,
    Drawn,
    Reading,
    fair_draws,
    limits_of,
    tested,
)
from evenhand.stats.multinomial import without_zeros

Floats = np.ndarray
More = Callable[[MetricResult, Floats, Sequence[int]], MetricResult]
"""What a metric adds to a tested result, from the weights and places of its cells."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Quantity:
    """A quantity that gets limits, and how it is read from counts.

    Attributes
    ----------
    per_cell
        In a single cell, what the first quantity must be divided by to give this one, from the cell's reference; None
        where it is no multiple.
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
    more: Callable[[Drawn], More] | None = None,
) -> MetricResult:
    """Add to `result` what sampling alone would bring and how far the truth may lie.

    Parameters
    ----------
    cells
        All that have a value; the result is their mean, equal weight for attributes within scenarios, and scenarios.
    quantities
        The first is the value itself.
    more
        Given the fair draws, makes what a metric adds of its own.
    """
    if not cells or result.value is None:
        return result
    drawn = fair_draws(cells, quantities[0].reading, inference)
    work = _Work(cells, quantities, inference, drawn, more(drawn) if more else _nothing)
    many = len(cells) > MOST_CELLS or not inference.parts
    caveats = [*result.caveats, *_merged(cells)]
    if many:
        caveats.append(f"Single scenarios have no intervals: there are more than {MOST_CELLS}.")
    by_scenario = {name: work.scenario(name, each, many=many) for name, each in result.by_scenario.items()}
    by_attribute = {
        name: work.finish(each, *_even([i for i, c in enumerate(cells) if c.attribute == name]), name=name)
        for name, each in result.by_attribute.items()
    }
    weights, places = _overall(result, cells)
    whole = work.finish(replace(result, caveats=tuple(caveats)), weights, places, name="")
    return replace(whole, by_scenario=by_scenario, by_attribute=by_attribute)


@dataclass(frozen=True, slots=True)
class _Work:
    cells: Sequence[CountCell]
    quantities: Sequence[Quantity]
    inference: Inference
    drawn: Drawn
    more: More

    def scenario(self, name: str, result: MetricResult, *, many: bool) -> MetricResult:
        """Finish one scenario and the attributes in it."""
        places = [i for i, cell in enumerate(self.cells) if cell.scenario == name] if not many else []
        if many:
            return result
        inner = {
            attribute: self.finish(
                each, *_even([i for i in places if self.cells[i].attribute == attribute]), name=f"{name}/{attribute}"
            )
            for attribute, each in result.by_attribute.items()
        }
        if len(places) == 1:
            only = inner[self.cells[places[0]].attribute]
            done = _carry(result, only)
        else:
            done = self.finish(result, *_even(places), name=name, is_brief=True)
        return replace(done, by_attribute=inner)

    def finish(
        self, result: MetricResult, weights: Floats, places: Sequence[int], *, name: str, is_brief: bool = False
    ) -> MetricResult:
        """Finish one result that is the weighted mean of some cells."""
        if result.value is None or not len(places):
            return result
        chosen = [self.cells[i] for i in places]
        done = tested(result, chosen, weights, places, self.drawn, self.quantities[0].reading)
        done = self.more(done, weights, places)
        reason = _why_no_interval(len({cell.scenario for cell in chosen}), self.inference)
        if reason:
            return replace(done, caveats=(*done.caveats, reason))
        return self._limited(done, chosen, weights, name=name, is_brief=is_brief or bool(name))

    def _limited(
        self, result: MetricResult, cells: Sequence[CountCell], weights: Floats, *, name: str, is_brief: bool
    ) -> MetricResult:
        limits: dict[str, Interval] = {}
        interval: Interval | None = None
        for quantity in self.quantities:
            if quantity.per_cell is not None and len(cells) == 1:
                one_sided = _divided(limits[self.quantities[0].names[0]], quantity.per_cell(cells[0].reference))
            else:
                stream = f"{quantity.names[0]} {name}"
                two_sided, one_sided = limits_of(
                    cells, weights, quantity.reading, self.inference, name=stream, is_brief=is_brief
                )
                interval = interval or two_sided
            limits |= dict.fromkeys(quantity.names, one_sided)
        return replace(result, confidence_interval=interval, limits=limits)


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


def _merged(cells: Sequence[CountCell]) -> tuple[str, ...]:
    """Say where the reference gives a category no share, so that the test had to merge it."""
    found = [cell for cell in cells if without_zeros(cell.counts, cell.reference)[2]]
    if not found:
        return ()
    names: Mapping[str, None] = dict.fromkeys(f"{cell.scenario} ({cell.attribute})" for cell in found)
    listing = ", ".join(list(names)[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return (f"For the test, categories without a share in the reference were merged with the rarest one: {listing}.",)
