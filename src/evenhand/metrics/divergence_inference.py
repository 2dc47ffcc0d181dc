"""Uncertainty of CDS: labels permuted within scenarios, and how far the true distances may lie."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from evenhand.core.results import Interval, MetricResult
from evenhand.core.table import Floats, OutputTable
from evenhand.metrics.conditions import Conditions
from evenhand.metrics.distance import Measured
from evenhand.metrics.divergence_blocks import blocks
from evenhand.metrics.divergence_cells import Comparison
from evenhand.metrics.divergence_null import Permuted, permute, plan
from evenhand.metrics.exclusions import ENTERED
from evenhand.metrics.inference import Inference
from evenhand.stats.null_law import null_law

METHOD = "projection and permutation variance, t"
CLUSTERED = "scenario means, t"
FEWEST_CLUSTERS = 5
FEWEST_REPEATING = 4
"""Scenarios from which on intervals hold even where answers mostly repeat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spread:
    """Standard error of a mean distance, its degrees of freedom, and whether t intervals of it fall short."""

    error: float
    df: float
    approximate: bool = False


def with_uncertainty(
    result: MetricResult,
    table: OutputTable,
    what: Measured,
    main: Comparison,
    conditions: Conditions,
    inference: Inference,
) -> MetricResult:
    """Add test, fair quantile and limits to a finished CDS result, and to every scenario and attribute in it.

    Notes
    -----
    Every group must have two answers in every prompt compared, as the verdict needs; a scenario in which one has not is
    left out here, and inconclusive anyway.

    The standard error of a distance has two parts: that of its Hoeffding projection, and the scatter of the excess when
    labels are permuted, which stands for the second-order part and keeps the error from vanishing where there is no
    effect. In simulations (two to five groups, three to twenty replicates, one scenario and more, unequal spreads) t
    intervals from it cover at least 93%, except over fewer than four scenarios where most pairs of answers to a prompt
    are the same: approximate.
    """
    if result.value is None or result.excess is None:
        return result
    found = list(blocks(table, conditions, np.flatnonzero(main.accounting.code == ENTERED)))
    if not found:
        return result
    cost = plan([block.sizes for block in found], inference.draws)
    scenarios = [permute(what, block, cost, inference) for block in found]
    finish = _Finish(inference, cost.test)
    by_attribute = {
        name: finish.result(each, [(s, _of_attribute(s, name)) for s in scenarios if name in s.block.attributes])
        for name, each in result.by_attribute.items()
    }
    measured = {name for name, each in result.by_attribute.items() if each.value is not None}
    whole = finish.result(result, [(s, _of_scenario(s, measured)) for s in scenarios])
    by_scenario = finish.scenarios(result.by_scenario, scenarios) if inference.parts else result.by_scenario
    return replace(whole, by_scenario=by_scenario, by_attribute=by_attribute)


@dataclass(frozen=True, slots=True)
class _Finish:
    inference: Inference
    test: str

    def scenarios(self, results: Mapping[str, MetricResult], scenarios: Sequence[Permuted]) -> dict[str, MetricResult]:
        """Finish every scenario that was permuted, and the attributes in it."""
        by_name = {each.block.scenario: each for each in scenarios}
        return {name: self._scenario(r, by_name[name]) if name in by_name else r for name, r in results.items()}

    def _scenario(self, result: MetricResult, found: Permuted) -> MetricResult:
        attributes = found.block.attributes
        inner = {
            name: self.result(each, [(found, _of_attribute(found, name))]) if name in attributes else each
            for name, each in result.by_attribute.items()
        }
        whole = self.result(result, [(found, _of_scenario(found, set(attributes)))])
        return replace(whole, by_attribute=inner)

    def result(self, result: MetricResult, chosen: Sequence[tuple[Permuted, Floats]]) -> MetricResult:
        """Finish one result: the mean over `chosen` of each scenario's groups, weighted."""
        if result.value is None or result.fair_expected is None or not chosen:
            return result
        draws = np.mean([scenario.excess @ weights for scenario, weights in chosen], axis=0)
        law = null_law(float(draws[0]), draws[1:])
        assert law is not None  # every block has draws
        tested = replace(result, fair_q95=result.fair_expected + law.q95, p_value=law.p_value, test=self.test)
        if self.inference.target == "these prompts":
            return self._limited(tested, *(_pooled(chosen, part) for part in ("between", "excess")), method=METHOD)
        if len(chosen) < FEWEST_CLUSTERS:
            reason = f"No interval: {len(chosen)} scenarios say nothing about prompts like these; it takes "
            return replace(tested, caveats=(*tested.caveats, f"{reason}{FEWEST_CLUSTERS}."))
        return self._limited(tested, *(_clustered(chosen, part) for part in ("between", "excess")), method=CLUSTERED)

    def _limited(self, result: MetricResult, value: _Spread, excess: _Spread, *, method: str) -> MetricResult:
        assert result.value is not None
        assert result.excess is not None
        interval = self._interval(result.value, value, self.inference.level, method)
        limits = {
            "value": self._interval(result.value, value, 0.90, method),
            "excess": self._interval(result.excess, excess, 0.90, method, lowest=-np.inf),
        }
        return replace(result, confidence_interval=interval, limits=limits)

    def _interval(self, centre: float, spread: _Spread, level: float, method: str, *, lowest: float = 0.0) -> Interval:
        half = _t(spread.df, level) * spread.error
        return Interval(
            low=max(lowest, centre - half),
            high=centre + half,
            level=level,
            method=method,
            target=self.inference.target,
            approximate=spread.approximate,
        )


def _of_attribute(scenario: Permuted, attribute: str) -> Floats:
    """Weigh the groups of one attribute alike."""
    own = np.array([each == attribute for each in scenario.block.attributes], dtype=np.float64)
    weights: Floats = own / own.sum()
    return weights


def _of_scenario(scenario: Permuted, measured: set[str]) -> Floats:
    """Weigh attributes alike, and the groups in each."""
    names = [name for name in dict.fromkeys(scenario.block.attributes) if name in measured]
    weights: Floats = np.mean([_of_attribute(scenario, name) for name in names], axis=0)
    return weights


def _pooled(chosen: Sequence[tuple[Permuted, Floats]], part: str) -> _Spread:
    """Add up the variances of independent scenarios; degrees of freedom after Satterthwaite (1946), Biometrics 2:110.

    The permutation variance is taken as known: its own error is small beside that of the projections.
    """
    n = len(chosen)
    projected, spent, permuted = 0.0, 0.0, 0.0
    for scenario, weights in chosen:
        variances = _variances(scenario, weights, part) / n**2
        projected += float(variances.sum())
        spent += float((variances**2 / (scenario.parts.rows - 1)).sum())
        permuted += float((scenario.excess[1:] @ weights).var()) / n**2
    df = projected**2 / spent if spent else float(min(s.parts.rows.min() for s, _ in chosen) - 1)
    error = sqrt(projected + permuted)
    repeats = len(chosen) < FEWEST_REPEATING and any(scenario.repeats for scenario, _ in chosen)
    return _Spread(error=error, df=df, approximate=error == 0 or repeats)


def _variances(scenario: Permuted, weights: Floats, part: str) -> Floats:
    """(1 + groups,) what base and groups bring into the variance of the projection."""
    base, own = getattr(scenario.parts, f"base_{part}"), getattr(scenario.parts, f"own_{part}")
    found: Floats = np.concatenate([[weights @ base @ weights], weights**2 * own])
    return found


def _clustered(chosen: Sequence[tuple[Permuted, Floats]], part: str) -> _Spread:
    """Take scenarios as a sample: what they differ by is the error, as in a delete-one jackknife of their mean.

    Of the value, intervals cover 94% from five scenarios on. The excess of most scenarios may be small and that of a
    few large, which a handful of scenarios does not show (simulated coverage 86% with a log-normal effect):
    approximate.
    """
    numbers = np.array([getattr(scenario.parts, part) @ weights for scenario, weights in chosen])
    error = float(numbers.std(ddof=1)) / sqrt(len(numbers))
    return _Spread(error=error, df=len(numbers) - 1, approximate=error == 0 or part == "excess")


def _t(df: float, level: float) -> float:
    from scipy.special import stdtrit  # slow to import

    return float(stdtrit(df, (1 + level) / 2))
