"""How far the true mean severity may lie: limits from the scatter within prompts."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.core.results import Interval
from evenhand.core.table import Flags, Floats, OutputTable
from evenhand.metrics.comparisons import FEWEST_CLUSTERS
from evenhand.metrics.inference import Inference
from evenhand.stats.bounded_mean import bounded_mean_limits

METHOD = "t with a pseudo-observation at either end"
CLUSTERED = "t between scenarios with a pseudo-observation at either end"
ENOUGH_CLUSTERS = 30
"""Scenarios, below which simulated coverage fell short where one scenario in ten is harmful (docs: calibration)."""
LIMITS_LEVEL = 0.90


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PromptScores:
    """Scores by prompt: a scenario as it is, or changed to one value of one attribute.

    Attributes
    ----------
    scenario
        (P,) codes.
    n, mean, squares
        (P,) outputs, their mean and their sum of squares about it.
    """

    scenario: NDArray[np.integer]
    n: Floats
    mean: Floats
    squares: Floats


def prompt_scores(table: OutputTable, score: Floats, rows: Flags) -> PromptScores:
    """Collect the scores of `rows` by prompt."""
    values, attributes = len(table.values) + 1, len(table.attributes) + 1
    key = (table.scenario[rows].astype(np.int64) * attributes + table.attribute[rows] + 1) * values
    prompts, place = np.unique(key + table.value[rows] + 1, return_inverse=True)
    x = score[rows]
    n = np.bincount(place, minlength=len(prompts)).astype(np.float64)
    mean = np.bincount(place, weights=x, minlength=len(prompts)) / n
    squares = np.bincount(place, weights=(x - mean[place]) ** 2, minlength=len(prompts)).astype(np.float64)
    return PromptScores(scenario=prompts // (attributes * values), n=n, mean=mean, squares=squares)


def mean_intervals(scores: PromptScores, inference: Inference) -> tuple[Interval, Interval] | None:
    """Return the confidence interval and the one-sided limits of the mean over outputs.

    None where the target is prompts like these and there are too few scenarios.
    """
    by_level = {}
    is_short = inference.target == "prompts like these" and len(np.unique(scores.scenario)) < ENOUGH_CLUSTERS
    for level in (inference.level, LIMITS_LEVEL):
        if inference.target == "prompts like these":
            ends = _between(scores, level)
            if ends is None:
                return None
        else:
            lower, upper = _within(scores, np.zeros(len(scores.n), dtype=np.int64), 1, level)
            ends = float(lower[0]), float(upper[0])
        by_level[level] = _interval(ends, level, inference, is_short=is_short)
    return by_level[inference.level], by_level[LIMITS_LEVEL]


def mean_intervals_by_scenario(scores: PromptScores, inference: Inference) -> Mapping[int, tuple[Interval, Interval]]:
    """Return the same for each scenario, by its code; none of them where the target is prompts like these."""
    if inference.target == "prompts like these":
        return {}
    codes, place = np.unique(scores.scenario, return_inverse=True)
    both = []
    for level in (inference.level, LIMITS_LEVEL):
        lower, upper = _within(scores, place, len(codes), level)
        ends = zip(lower.tolist(), upper.tolist(), strict=True)
        both.append([_interval(pair, level, inference) for pair in ends])
    return dict(zip(codes.tolist(), zip(*both, strict=True), strict=True))


def _within(scores: PromptScores, key: NDArray[np.integer], size: int, level: float) -> tuple[Floats, Floats]:
    """Limits of each key: prompts are strata, each with the weight of its outputs."""
    n, mean = _pooled(scores, key, size)
    free = np.bincount(key, weights=scores.n - 1, minlength=size)
    pooled = np.bincount(key, weights=scores.squares, minlength=size) / np.maximum(free, 1)
    # where every prompt was answered once, what differs between prompts has to count as scatter
    apart = np.bincount(key, weights=scores.n * (scores.mean - mean[key]) ** 2, minlength=size)
    pooled = np.where(free > 0, pooled, apart / np.maximum(n - 1, 1))
    own = scores.squares * scores.n / np.maximum(scores.n - 1, 1)
    stratum = np.where(scores.n > 1, own, pooled[key])
    variance = np.bincount(key, weights=stratum, minlength=size) / n
    return bounded_mean_limits(mean, n=n, variance=variance, df=np.where(free > 0, free, n - 1), level=level)


def _between(scores: PromptScores, level: float) -> tuple[float, float] | None:
    """Limits with scenarios as clusters, never narrower than those for the prompts that were asked."""
    codes, place = np.unique(scores.scenario, return_inverse=True)
    if len(codes) < FEWEST_CLUSTERS:
        return None
    everything = np.zeros(len(scores.n), dtype=np.int64)
    n, mean = _pooled(scores, everything, 1)
    moved = np.bincount(place, weights=scores.n * (scores.mean - mean[0])) / n[0]
    size = len(codes)
    variance = float((moved**2).sum()) * size / (size - 1)
    effective = _effective_size(scores, mean[0], n[0], variance, size)
    lower, upper = bounded_mean_limits(mean, n=effective, variance=variance * effective, df=size - 1, level=level)
    least, most = _within(scores, everything, 1, level)
    return min(float(lower[0]), float(least[0])), max(float(upper[0]), float(most[0]))


def _effective_size(scores: PromptScores, mean: float, n: float, variance: float, size: int) -> float:
    """Independent outputs that would know as much: from as many as there are scenarios to as many as outputs.

    Korn and Graubard (1998), Survey Methodology 24:193-201: n over the design effect, which is at least 1.
    """
    total = float((scores.squares + scores.n * (scores.mean - mean) ** 2).sum()) / max(n - 1, 1)
    return float(np.clip(total / variance, size, n)) if variance > 0 else float(size)


def _pooled(scores: PromptScores, key: NDArray[np.integer], size: int) -> tuple[Floats, Floats]:
    n = np.bincount(key, weights=scores.n, minlength=size).astype(np.float64)
    return n, np.bincount(key, weights=scores.n * scores.mean, minlength=size) / n


def _interval(ends: tuple[float, float], level: float, inference: Inference, *, is_short: bool = False) -> Interval:
    method = CLUSTERED if inference.target == "prompts like these" else METHOD
    return Interval(
        low=ends[0], high=ends[1], level=level, method=method, target=inference.target, approximate=is_short
    )
