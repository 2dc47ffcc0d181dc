"""Uncertainty of CDS: labels permuted within scenarios, and how far the true distances may lie."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from evenhand.core.results import Interval, MetricResult
from evenhand.core.table import Floats, OutputTable
from evenhand.metrics.conditions import Conditions
from evenhand.metrics.distance import WEIGHTS, Measured
from evenhand.metrics.divergence_cells import Comparison
from evenhand.metrics.exclusions import ENTERED
from evenhand.metrics.inference import Inference
from evenhand.stats.divergence import unit_rows
from evenhand.stats.energy import Projections, permuted_excess, projections
from evenhand.stats.null_law import null_law

METHOD = "projection, t"
FEWEST_CLUSTERS = 5
MOST_ROWS = 50
"""Outputs of each prompt that enter the permutation test of a large run: a test on a part is valid."""
WORK = 2e10
"""Multiplications that the permutations of a run may take; fewer draws where they would take more."""
FEWEST_DRAWS = 199


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Scenario:
    """One scenario in which base and changed prompts all have two answers.

    Attributes
    ----------
    attributes
        (groups,) attribute of each group.
    parts
        First-order parts of its distances.
    permuted
        (1 + draws, groups) excess of each group; the first is what was observed.
    """

    name: str
    attributes: tuple[str, ...]
    parts: Projections
    permuted: Floats


@dataclass(frozen=True, slots=True)
class _Estimate:
    """A weighted mean of groups: value, excess, their standard errors and degrees of freedom."""

    value: float
    excess: float
    value_error: float
    excess_error: float
    value_df: float
    excess_df: float


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
    """
    if result.value is None or result.excess is None:
        return result
    rows = np.flatnonzero(main.accounting.code == ENTERED)
    scenarios, draws, sampled = _scenarios(table, what, conditions, rows, inference)
    if not scenarios:
        return result
    test = f"condition labels permuted within scenario, {draws} draws, mid-p"
    if sampled:
        test += f", at most {MOST_ROWS} outputs of a prompt"
    by_name = {each.name: each for each in scenarios}
    finish = _Finish(inference, test)
    by_scenario = {
        name: finish.scenario(each, by_name[name]) if name in by_name else each
        for name, each in result.by_scenario.items()
    }
    by_attribute = {
        name: finish.result(each, [(s, _attribute_weights(s, name)) for s in scenarios if name in s.attributes])
        for name, each in result.by_attribute.items()
    }
    measured = {name for name, each in result.by_attribute.items() if each.value is not None}
    whole = finish.result(result, [(s, _scenario_weights(s, measured)) for s in scenarios])
    return replace(whole, by_scenario=by_scenario, by_attribute=by_attribute)


@dataclass(frozen=True, slots=True)
class _Finish:
    inference: Inference
    test: str

    def scenario(self, result: MetricResult, found: _Scenario) -> MetricResult:
        """Finish one scenario and the attributes in it."""
        inner = {
            name: self.result(each, [(found, _attribute_weights(found, name))]) if name in found.attributes else each
            for name, each in result.by_attribute.items()
        }
        weights = _scenario_weights(found, set(found.attributes))
        return replace(self.result(result, [(found, weights)]), by_attribute=inner)

    def result(self, result: MetricResult, chosen: Sequence[tuple[_Scenario, Floats]]) -> MetricResult:
        """Finish one result: the mean over `chosen` of each scenario's groups, weighted."""
        if result.value is None or result.fair_expected is None or not chosen:
            return result
        draws = np.mean([scenario.permuted @ weights for scenario, weights in chosen], axis=0)
        law = null_law(float(draws[0]), draws[1:])
        estimates = [_estimate(scenario.parts, weights) for scenario, weights in chosen]
        tested = replace(
            result,
            fair_q95=None if law is None else result.fair_expected + law.q95,
            p_value=None if law is None else law.p_value,
            test=self.test,
        )
        if self.inference.target == "these prompts":
            return self._limited(tested, _mean(estimates))
        if len(estimates) < FEWEST_CLUSTERS:
            reason = f"No interval: {len(estimates)} scenarios say nothing about prompts like these; it takes "
            return replace(tested, caveats=(*tested.caveats, f"{reason}{FEWEST_CLUSTERS}."))
        return self._limited(tested, _clustered(estimates))

    def _limited(self, result: MetricResult, found: _Estimate) -> MetricResult:
        assert result.value is not None
        assert result.excess is not None
        level = self.inference.level
        return replace(
            result,
            confidence_interval=self._interval(result.value, found.value_error, found.value_df, level, floor=0.0),
            limits={
                "value": self._interval(result.value, found.value_error, found.value_df, 0.90, floor=0.0),
                "excess": self._interval(result.excess, found.excess_error, found.excess_df, 0.90, floor=None),
            },
        )

    def _interval(self, centre: float, error: float, df: float, level: float, *, floor: float | None) -> Interval:
        half = _t(df, level) * error
        low = centre - half if floor is None else max(floor, centre - half)
        return Interval(low=low, high=centre + half, level=level, method=METHOD, target=self.inference.target)


def _scenarios(
    table: OutputTable, what: Measured, conditions: Conditions, rows: NDArray[np.intp], inference: Inference
) -> tuple[list[_Scenario], int, bool]:
    blocks = list(_blocks(table, conditions, rows))
    sizes = [np.minimum(np.bincount(label), MOST_ROWS) for _, _, label, _ in blocks]
    work = sum(2.0 * len(size) * float(size.sum()) ** 2 for size in sizes)
    draws = max(FEWEST_DRAWS, min(inference.draws, int(WORK / work))) if work else inference.draws
    sampled = any(np.bincount(label).max() > MOST_ROWS for _, _, label, _ in blocks)
    found = []
    for name, inside, label, attributes in blocks:
        rng = inference.rng("CDS", "labels", name)
        distance = _distance(what, inside)
        groups = len(attributes)
        part = _sample(label, rng) if sampled else np.arange(len(label))
        permuted = permuted_excess(distance[np.ix_(part, part)], label[part], groups, draws=draws, rng=rng)
        found.append(
            _Scenario(
                name=name,
                attributes=attributes,
                parts=projections(distance, label, groups),
                permuted=permuted.astype(np.float64),
            )
        )
    return found, draws, sampled


def _blocks(
    table: OutputTable, conditions: Conditions, rows: NDArray[np.intp]
) -> Iterator[tuple[str, NDArray[np.intp], NDArray[np.int64], tuple[str, ...]]]:
    """Walk the scenarios: name, rows, label (0 base, then groups) of each, attribute of each group."""
    group = conditions.of_row[rows]
    order = np.argsort(group, kind="stable")  # groups are numbered by scenario, the base first
    rows, group = rows[order], group[order]
    scenario = conditions.scenario[group]
    compared = np.zeros(len(conditions), dtype=bool)
    compared[conditions.comparisons] = True
    for inside in np.split(np.arange(len(rows)), np.flatnonzero(np.diff(scenario)) + 1):
        if not len(inside):
            continue
        codes, label, counts = np.unique(group[inside], return_inverse=True, return_counts=True)
        is_base = conditions.attribute[codes[0]] < 0
        if not is_base or counts.min() < 2 or len(codes) < 2 or not compared[codes[1:]].all():
            continue
        attributes = tuple(table.attributes[conditions.attribute[code]] for code in codes[1:])
        yield table.scenario_ids[scenario[inside[0]]], rows[inside], label.astype(np.int64), attributes


def _distance(what: Measured, rows: NDArray[np.intp]) -> NDArray[np.float32]:
    """(m, m) weighted mean distance of outputs, in single precision."""
    unit = unit_rows(what.embedding[rows]).astype(np.float32)
    total = WEIGHTS["embedding"] * (1 - unit @ unit.T)
    for part, scores in what.scores.items():
        columns = scores[rows].astype(np.float32).T
        for column in columns:
            total += np.float32(WEIGHTS[part] / len(columns)) * np.abs(column[:, None] - column[None])
    total /= np.float32(WEIGHTS["embedding"] + sum(WEIGHTS[part] for part in what.scores))
    np.fill_diagonal(total, 0.0)
    distance: NDArray[np.float32] = total
    return distance


def _sample(label: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.intp]:
    """Choose at most `MOST_ROWS` rows of each label."""
    shuffled = rng.permutation(len(label))
    ordered = shuffled[np.argsort(label[shuffled], kind="stable")]
    sizes = np.bincount(label)
    rank = np.arange(len(label)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.sort(ordered[rank < MOST_ROWS])


def _attribute_weights(scenario: _Scenario, attribute: str) -> Floats:
    own = np.array([each == attribute for each in scenario.attributes], dtype=np.float64)
    weights: Floats = own / own.sum()
    return weights


def _scenario_weights(scenario: _Scenario, measured: set[str]) -> Floats:
    names = [name for name in dict.fromkeys(scenario.attributes) if name in measured]
    weights: Floats = np.mean([_attribute_weights(scenario, name) for name in names], axis=0)
    return weights


def _estimate(parts: Projections, weights: Floats) -> _Estimate:
    value_error, value_df = _error(parts.base_between @ weights, parts.own_between, weights)
    excess_error, excess_df = _error(parts.base_excess @ weights, parts.own_excess, weights)
    return _Estimate(
        value=float(parts.between @ weights),
        excess=float(parts.excess @ weights),
        value_error=value_error,
        excess_error=excess_error,
        value_df=value_df,
        excess_df=excess_df,
    )


def _error(base: Floats, own: Sequence[Floats], weights: Floats) -> tuple[float, float]:
    """Return standard error and degrees of freedom (Satterthwaite 1946, Biometrics Bull. 2:110-114)."""
    samples = [base, *(weight * each for weight, each in zip(weights, own, strict=True))]
    variances = [float(x.var(ddof=1)) / len(x) for x in samples]
    total = sum(variances)
    if total == 0:
        return 0.0, float(len(base) - 1)
    return sqrt(total), total**2 / sum(v**2 / (len(x) - 1) for v, x in zip(variances, samples, strict=True))


def _mean(estimates: Sequence[_Estimate]) -> _Estimate:
    """Average independent estimates; variances add up, and so do the parts of the degrees of freedom."""
    n = len(estimates)
    errors = {}
    for name in ("value", "excess"):
        variances = [getattr(e, f"{name}_error") ** 2 / n**2 for e in estimates]
        total, spent = sum(variances), 0.0
        for variance, e in zip(variances, estimates, strict=True):
            spent += variance**2 / getattr(e, f"{name}_df")
        errors[name] = (sqrt(total), total**2 / spent if spent else float(estimates[0].value_df))
    return _of(estimates, errors)


def _clustered(estimates: Sequence[_Estimate]) -> _Estimate:
    """Average estimates as a sample of scenarios: what they differ by is the error."""
    n = len(estimates)
    errors = {}
    for name in ("value", "excess"):
        numbers = np.array([getattr(e, name) for e in estimates])
        errors[name] = (float(numbers.std(ddof=1)) / sqrt(n), float(n - 1))
    return _of(estimates, errors)


def _of(estimates: Sequence[_Estimate], errors: Mapping[str, tuple[float, float]]) -> _Estimate:
    return _Estimate(
        value=float(np.mean([e.value for e in estimates])),
        excess=float(np.mean([e.excess for e in estimates])),
        value_error=errors["value"][0],
        excess_error=errors["excess"][0],
        value_df=errors["value"][1],
        excess_df=errors["excess"][1],
    )


def _t(df: float, level: float) -> float:
    from scipy.special import stdtrit  # slow to import

    return float(stdtrit(df, (1 + level) / 2))
