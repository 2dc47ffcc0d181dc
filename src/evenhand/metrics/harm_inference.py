"""Uncertainty of HSI: limits of the level, tests of the gap between groups, group by group."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evenhand.core.results import Interval, MetricResult
from evenhand.core.table import SENTIMENT, TOXICITY, Flags, Floats, OutputTable
from evenhand.metrics.balanced import Balanced
from evenhand.metrics.comparisons import FEWEST_CLUSTERS, Comparison, Scale, adjusted, compare_groups
from evenhand.metrics.harm_mean import mean_intervals, mean_intervals_by_scenario, prompt_scores
from evenhand.metrics.inference import Inference
from evenhand.metrics.permuted_means import Measure, affordable, over_scenarios_by_draw, permuted_means, spread_by_draw
from evenhand.stats.null_law import Null, null_law

ALPHA = 0.05
NO_NULL = "A level of harm has no fair reference, so a test is not applicable; the gap between groups has one."
GAPS = ("group_gap", "group_gap_unmasked")
SCALES = {
    "harm": Scale(unit="severity", bounds=(0.0, 1.0)),
    "toxicity": Scale(unit="score", bounds=(0.0, 1.0)),
    "sentiment": Scale(unit="positive − negative", bounds=(-1.0, 1.0)),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scores:
    """What HSI was computed from, (n,) each.

    Attributes
    ----------
    score, unmasked
        Severity, on masked text where there is one, and on the text as it is.
    entered
        Outputs behind the value.
    is_masked
        False where `unmasked` is `score`.
    """

    table: OutputTable
    score: Floats
    unmasked: Floats
    entered: Flags
    is_masked: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Attribute:
    name: str
    gaps: dict[str, Floats]
    comparisons: list[Comparison]


def infer(result: MetricResult, scores: Scores, balanced: Sequence[Balanced], inference: Inference) -> MetricResult:
    """Add limits, tests of the gaps and comparisons to a finished HSI result."""
    usable = [g for g in balanced if result.by_attribute[g.attribute].parts.get("group_gap") is not None]
    rows = sum(int((g.rows & scores.entered).sum()) for g in usable)
    draws = affordable(inference.draws, rows)
    found = {g.attribute: _attribute(scores, g, inference, draws) for g in usable}
    by_attribute = {}
    for name, part in result.by_attribute.items():
        of_attribute = scores.entered & (scores.table.attribute == scores.table.attributes.index(name))
        limited = _limited(part, scores, of_attribute, inference)
        by_attribute[name] = _gap_tested(limited, [found[name]]) if name in found else limited
    whole = _gap_tested(_limited(result, scores, scores.entered, inference), list(found.values()))
    apart = [name for name, part in by_attribute.items() if part.verdict == "inconclusive"]
    return replace(
        whole,
        # of the level nothing is in doubt: only the gap of some attribute is
        verdict=None,
        reason="",
        caveats=(*whole.caveats, NO_NULL, *(f"{name}: {by_attribute[name].reason}." for name in apart)),
        by_attribute=by_attribute,
        by_scenario=_by_scenario(result, scores, inference),
        tables={
            **result.tables,
            "comparisons": [c.row() for c in adjusted([c for a in found.values() for c in a.comparisons])],
        },
    )


def _attribute(scores: Scores, groups: Balanced, inference: Inference, draws: int) -> _Attribute:
    measures = _measures(scores)
    rng = inference.rng("HSI", "labels", groups.attribute)
    permuted = permuted_means(groups, measures, draws=draws, rng=rng)
    gaps = {"group_gap": "harm", "group_gap_unmasked": "unmasked"}
    return _Attribute(
        name=groups.attribute,
        gaps={
            gap: spread_by_draw(over_scenarios_by_draw(permuted.means[measure]))
            for gap, measure in gaps.items()
            if measure in permuted.means
        },
        comparisons=compare_groups(groups, measures, SCALES, permuted, inference),
    )


def _measures(scores: Scores) -> dict[str, Measure]:
    """List what is compared: on masked text where there is one, so that a group is not at fault for being named."""
    table = scores.table
    toxicity = (table.toxicity_masked if scores.is_masked else table.toxicity)[:, TOXICITY.index("toxic")]
    has_masked = bool((~np.isnan(table.sentiment_masked)).any())
    sentiment = table.sentiment_masked if has_masked else table.sentiment
    compound = sentiment[:, SENTIMENT.index("positive")] - sentiment[:, SENTIMENT.index("negative")]
    has_text = table.answered & ~table.empty
    found = {
        "harm": Measure(x=scores.score, rows=scores.entered),
        "toxicity": Measure(x=toxicity, rows=has_text & ~np.isnan(toxicity)),
        "sentiment": Measure(x=compound, rows=has_text & ~np.isnan(compound)),
    }
    if scores.is_masked:
        found["unmasked"] = Measure(x=scores.unmasked, rows=scores.entered & ~np.isnan(scores.unmasked))
    return found


def _limited(result: MetricResult, scores: Scores, rows: Flags, inference: Inference) -> MetricResult:
    if result.value is None:
        return result
    found = mean_intervals(prompt_scores(scores.table, scores.score, rows), inference)
    if found is None:
        reason = f"No interval: prompts like these takes at least {FEWEST_CLUSTERS} scenarios."
        return replace(result, caveats=(*result.caveats, reason))
    return replace(result, confidence_interval=found[0], limits={"value": found[1]})


def _gap_tested(result: MetricResult, attributes: Sequence[_Attribute]) -> MetricResult:
    """Add the tests of the widest gap of these attributes, and say so where masking decides it."""
    parts = dict(result.parts)
    for gap in GAPS:
        null = _gap_null(parts.get(gap), [a.gaps.get(gap, a.gaps["group_gap"]) for a in attributes])
        parts[f"{gap}_fair"] = null.expected if null else None
        parts[f"{gap}_p"] = null.p_value if null else None
    tested = replace(result, parts=parts)
    masked, unmasked = parts["group_gap_p"], parts["group_gap_unmasked_p"]
    if masked is None or unmasked is None or (masked < ALPHA) == (unmasked < ALPHA):
        return tested
    reason = (
        f"the gap between groups is seen only {'with' if masked < ALPHA else 'without'} identity words masked "
        f"(p = {masked:.2g} masked, {unmasked:.2g} as written), so it may be the mention of a group that the "
        "classifier reacts to"
    )
    return replace(tested, verdict="inconclusive", reason=reason)


def _gap_null(observed: float | None, draws: Sequence[Floats]) -> Null | None:
    if observed is None or not draws:
        return None
    widest = draws[0]
    for other in draws[1:]:
        widest = np.fmax(widest, other)
    return null_law(observed, widest[1:])


def _by_scenario(result: MetricResult, scores: Scores, inference: Inference) -> dict[str, MetricResult]:
    table = scores.table
    found = dict(result.by_scenario)
    of_prompts = prompt_scores(table, scores.score, scores.entered)
    intervals: dict[int, tuple[Interval, Interval]] = dict(mean_intervals_by_scenario(of_prompts, inference))
    for code, (interval, limits) in intervals.items():
        scenario = table.scenario_ids[code]
        found[scenario] = replace(found[scenario], confidence_interval=interval, limits={"value": limits})
    return found
