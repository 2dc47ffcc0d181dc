"""Uncertainty of DSI: what permuted labels would give, how far the true disparity may lie, group by group."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evenhand.core.results import Interval, MetricResult
from evenhand.core.table import Floats, OutputTable
from evenhand.metrics.balanced import Balanced
from evenhand.metrics.cell_moments import CellMoments, cell_moments
from evenhand.metrics.comparisons import FEWEST_CLUSTERS, Comparison, Scale, adjusted, compare_groups
from evenhand.metrics.inference import Inference
from evenhand.metrics.permuted_means import Measure, affordable, permuted_means
from evenhand.metrics.service import Usable
from evenhand.metrics.service_law import HELPFULNESS, ServiceLaw, service_law
from evenhand.metrics.service_null import disparity_by_scenario, disparity_overall, service_measures
from evenhand.stats.along_ray import GRID, limits_along_ray
from evenhand.stats.null_law import Null, null_law, null_laws

METHOD = "inverted simulation"
ENOUGH = 10
"""Outputs of every group, below which simulated coverage fell short (docs: calibration)."""

DRAWS, DRAWS_BY_SCENARIO, GRID_BY_SCENARIO = 599, 249, 10
MOST_BY_SCENARIO = 60
"""Scenarios, times attributes, that get an interval of their own; each takes about 3 ms."""

SCALES = {
    "refusal": Scale(unit="share", is_rate=True, bounds=(0.0, 1.0)),
    "length": Scale(unit="words"),
    "helpfulness": Scale(unit="points from 1 to 5", bounds=HELPFULNESS),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Attribute:
    """One attribute that can be compared.

    Attributes
    ----------
    overall, by_scenario
        DSI of every draw of permuted labels, (1 + draws,) and (S, 1 + draws); the first is what was observed.
    counts
        (S, G) outputs that say something.
    """

    groups: Balanced
    overall: Floats
    by_scenario: Floats
    moments: dict[str, CellMoments]
    correlation: Floats
    counts: Floats
    comparisons: list[Comparison]


def infer(
    result: MetricResult, table: OutputTable, balanced: Sequence[Balanced], outputs: Usable, inference: Inference
) -> MetricResult:
    """Add fair reference, test, limits and comparisons to a finished DSI result."""
    usable = [g for g in balanced if result.by_attribute[g.attribute].value is not None]
    if not usable:
        return result
    rows = sum(int((g.rows & outputs.any).sum()) for g in usable)
    draws = affordable(inference.draws, rows)
    found = [_attribute(table, g, outputs, inference, draws) for g in usable]
    by_attribute = dict(result.by_attribute)
    for a in found:
        part = by_attribute[a.groups.attribute]
        tested = _tested(part, null_law(_value(part), a.overall[1:]), draws)
        by_attribute[a.groups.attribute] = _limited(tested, [a], inference)
    overall = _tested(result, null_law(_value(result), _worst([a.overall[1:] for a in found])), draws)
    by_scenario, caveats = _by_scenario(result, table, found, inference, draws)
    limited = _limited_worst(overall, by_attribute, found, inference)
    return replace(
        limited,
        caveats=(*limited.caveats, *caveats),
        by_attribute=by_attribute,
        by_scenario=by_scenario,
        tables={**result.tables, "comparisons": [c.row() for c in adjusted([c for a in found for c in a.comparisons])]},
    )


def _attribute(table: OutputTable, groups: Balanced, outputs: Usable, inference: Inference, draws: int) -> _Attribute:
    measures = service_measures(table, outputs)
    rng = inference.rng("DSI", "labels", groups.attribute)
    permuted = permuted_means(groups, measures, draws=draws, rng=rng)
    moments = {name: cell_moments(groups, measure) for name, measure in measures.items()}
    return _Attribute(
        groups=groups,
        overall=disparity_overall(permuted),
        by_scenario=disparity_by_scenario(permuted),
        moments=moments,
        correlation=_correlation(groups, measures, moments),
        counts=groups.counts(outputs.any).astype(np.float64),
        comparisons=compare_groups(groups, measures, SCALES, permuted, inference),
    )


def _correlation(groups: Balanced, measures: dict[str, Measure], moments: dict[str, CellMoments]) -> Floats:
    """Correlation (3, 3) of the measures within cells, 0 where one does not vary."""
    residuals = np.zeros((len(measures), len(groups.rows)))
    for place, (name, measure) in enumerate(measures.items()):
        rows = groups.rows & measure.rows
        residuals[place, rows] = measure.x[rows] - moments[name].mean.reshape(-1)[groups.cell[rows]]
    products = residuals @ residuals.T
    scale = np.sqrt(np.diag(products))
    both = np.outer(scale, scale)
    correlation: Floats = np.divide(products, both, out=np.zeros_like(products), where=both > 0)
    np.fill_diagonal(correlation, 1.0)
    return correlation


def _value(result: MetricResult) -> float:
    assert result.value is not None  # only defined results come here
    return result.value


def _worst(draws: Sequence[Floats]) -> Floats:
    worst = draws[0]
    for other in draws[1:]:
        worst = np.fmax(worst, other)
    return worst


def _tested(result: MetricResult, null: Null | None, draws: int) -> MetricResult:
    if null is None:
        return result
    return replace(
        result,
        fair_expected=null.expected,
        fair_q95=null.q95,
        excess=_value(result) - null.expected,
        p_value=null.p_value,
        test=f"group labels permuted within scenario, {draws} draws, mid-p",
    )


def _limited(
    result: MetricResult,
    attributes: Sequence[_Attribute],
    inference: Inference,
    *,
    place: Sequence[int | None] = (),
    scenario: str = "",
) -> MetricResult:
    """Add the interval and the limits of the worst of these attributes, or the reason why there are none."""
    places = place or [None] * len(attributes)
    reason = _why_not(attributes, places, inference)
    laws = [] if reason else [_law(a, p, inference, scenario) for a, p in zip(attributes, places, strict=True)]
    known = [law for law in laws if law is not None]
    if not reason and len(known) < len(attributes):
        reason = "No interval: with one answer of each group in one scenario, no scatter can be seen."
    if reason:
        return replace(result, caveats=(*result.caveats, reason))
    tails = ((1 - inference.level) / 2, 0.05)
    grid = GRID_BY_SCENARIO if scenario else GRID
    seen = limits_along_ray(_value(result), _WorstOf(known).simulate, tails=tails, grid=grid)
    camps = [law.in_two_camps() for law in known]
    if any(camps):
        moved = _WorstOf([camp or law for camp, law in zip(camps, known, strict=True)])
        lower = limits_along_ray(_value(result), moved.simulate, tails=tails, grid=grid)
        seen = [(min(low, other), high) for (low, high), (other, _) in zip(seen, lower, strict=True)]
    is_short = any(_fewest(a, p) < ENOUGH for a, p in zip(attributes, places, strict=True))
    interval, limits = (
        Interval(low=low, high=high, level=level, method=METHOD, target=inference.target, approximate=is_short)
        for (low, high), level in zip(seen, (inference.level, 0.90), strict=True)
    )
    return replace(result, confidence_interval=interval, limits={"value": limits, "excess": limits})


def _why_not(attributes: Sequence[_Attribute], places: Sequence[int | None], inference: Inference) -> str:
    if inference.target == "these prompts":
        return ""
    fewest = min(1 if p is not None else len(a.groups.scenarios) for a, p in zip(attributes, places, strict=True))
    if fewest >= FEWEST_CLUSTERS:
        return ""
    return f"No interval: {fewest} scenarios say nothing about prompts like these; it takes {FEWEST_CLUSTERS}."


def _fewest(attribute: _Attribute, place: int | None) -> float:
    counts = attribute.counts if place is None else attribute.counts[place : place + 1]
    return float(counts.sum(axis=0).min())


def _law(attribute: _Attribute, place: int | None, inference: Inference, scenario: str) -> ServiceLaw | None:
    moments = attribute.moments if place is None else {n: m.at(place) for n, m in attribute.moments.items()}
    return service_law(
        moments,
        attribute.correlation,
        draws=min(inference.draws, DRAWS_BY_SCENARIO if scenario else DRAWS),
        rng=inference.rng("DSI", "limits", attribute.groups.attribute, scenario),
        clustered=inference.target == "prompts like these",
    )


@dataclass(frozen=True, slots=True, kw_only=False)
class _WorstOf:
    """The law of the largest of several attributes' disparities."""

    laws: Sequence[ServiceLaw]

    def simulate(self, steps: Floats) -> tuple[Floats, Floats]:
        found = [law.simulate(steps) for law in self.laws]
        return np.maximum.reduce([plug_in for plug_in, _ in found]), np.maximum.reduce([true for _, true in found])


def _by_scenario(
    result: MetricResult, table: OutputTable, attributes: Sequence[_Attribute], inference: Inference, draws: int
) -> tuple[dict[str, MetricResult], tuple[str, ...]]:
    """Add the same to each scenario: to the attributes in it, and to the worst of them. Also caveats."""
    found = dict(result.by_scenario)
    inside: dict[str, list[tuple[_Attribute, int]]] = {}
    for a in attributes:
        nulls = _nulls_by_scenario(result, table, a)
        for place, code in enumerate(a.groups.scenarios.tolist()):
            scenario, name = table.scenario_ids[code], a.groups.attribute
            whole = found[scenario]
            if whole.by_attribute[name].value is not None:
                inside.setdefault(scenario, []).append((a, place))
                part = _tested(whole.by_attribute[name], nulls[place], draws)
                found[scenario] = replace(whole, by_attribute={**whole.by_attribute, name: part})
    worst = [(s, _value(found[s]), _worst([a.by_scenario[p, 1:] for a, p in pairs])) for s, pairs in inside.items()]
    laws = null_laws([v for _, v, _ in worst], [d for _, _, d in worst]) if worst else []
    for (scenario, _, _), null in zip(worst, laws, strict=True):
        found[scenario] = _tested(found[scenario], null, draws)
    if not inference.parts:
        return found, ()
    if sum(map(len, inside.values())) > MOST_BY_SCENARIO:
        return found, (f"Single scenarios have no intervals: there are more than {MOST_BY_SCENARIO}.",)
    return {s: _limited_scenario(s, r, inside.get(s, []), inference) for s, r in found.items()}, ()


def _nulls_by_scenario(result: MetricResult, table: OutputTable, attribute: _Attribute) -> list[Null | None]:
    name = attribute.groups.attribute
    ids = [table.scenario_ids[code] for code in attribute.groups.scenarios.tolist()]
    values = [result.by_scenario[scenario].by_attribute[name].value for scenario in ids]
    # an undefined one has no p-value either, and is skipped by the caller
    return null_laws([np.inf if value is None else value for value in values], attribute.by_scenario[:, 1:])


def _limited_scenario(
    scenario: str, result: MetricResult, pairs: Sequence[tuple[_Attribute, int]], inference: Inference
) -> MetricResult:
    if not pairs:
        return result
    parts = dict(result.by_attribute)
    for a, place in pairs:
        name = a.groups.attribute
        parts[name] = _limited(parts[name], [a], inference, place=[place], scenario=scenario)
    places = [place for _, place in pairs]
    whole = _limited_worst(result, parts, [a for a, _ in pairs], inference, place=places, scenario=scenario)
    return replace(whole, by_attribute=parts)


def _limited_worst(
    result: MetricResult,
    parts: Mapping[str, MetricResult],
    attributes: Sequence[_Attribute],
    inference: Inference,
    *,
    place: Sequence[int | None] = (),
    scenario: str = "",
) -> MetricResult:
    if len(attributes) > 1:
        return _limited(result, attributes, inference, place=place, scenario=scenario)
    only = parts[attributes[0].groups.attribute]  # the worst of one is that one
    caveats = (c for c in only.caveats if c not in result.caveats)
    return replace(
        result,
        confidence_interval=only.confidence_interval,
        limits=only.limits,
        caveats=(*result.caveats, *caveats),
    )
