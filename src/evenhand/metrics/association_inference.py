"""Uncertainty of SAR: each association against its baseline, the worst of them, and their mean."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from evenhand.core.results import Interval, MetricResult
from evenhand.core.table import Floats
from evenhand.metrics.associations import Association
from evenhand.metrics.inference import Inference
from evenhand.metrics.share_inference import METHOD
from evenhand.stats.along_ray import limits_along_ray
from evenhand.stats.intervals import clopper_pearson
from evenhand.stats.multiplicity import holm
from evenhand.stats.share_ray import shares_along_ray

MOST_PARTS = 60
"""Scenarios that get an interval of their own."""
NOT_CLUSTERED = "No interval: associations are single declared facts, and say nothing about prompts like these."


def with_uncertainty(
    result: MetricResult, associations: Sequence[Association], inference: Inference, *, is_part: bool = False
) -> MetricResult:
    """Add fair reference, test and limits to the mean of some associations.

    Parameters
    ----------
    is_part
        True for one of many parts of a result: its interval takes fewer draws.

    Notes
    -----
    Fair: every share is its baseline. The p-value is the smallest of the associations' two-sided binomial mid-p, by
    Holm; the limits of the worst association are Clopper-Pearson's at a level that Bonferroni keeps for all of them.
    """
    defined = [a for a in associations if a.s is not None]
    if result.value is None or not defined:
        return result
    draws = _fair(defined, inference)
    p_values = [_mid_p(a) for a in defined]
    done = replace(
        result,
        fair_expected=float(draws.mean()),
        fair_q95=float(np.quantile(draws, 0.95)),
        excess=result.value - float(draws.mean()),
        p_value=float(min(holm(p_values))),
        test=f"binomial, two-sided mid-p, the smallest of {len(defined)} by Holm",
        parts={**result.parts, "smallest_p_possible": min(1.0, len(defined) * min(map(_smallest_p, defined)))},
    )
    if inference.target != "these prompts":
        return replace(done, caveats=(*done.caveats, NOT_CLUSTERED))
    interval, limits = _of_the_mean(
        result.value, defined, inference, draws=249 if is_part else max(99, min(599, 60_000 // len(defined)))
    )
    return replace(
        done, confidence_interval=interval, limits={"value": limits, "excess": limits, **_of_the_worst(defined)}
    )


def _fair(associations: Sequence[Association], inference: Inference) -> Floats:
    """Draw what the headline would be with every share at its baseline; (draws,)."""
    logs = np.zeros(inference.draws)
    for a in associations:
        rng = inference.rng("SAR", "fair", a.scenario, a.attribute, a.stereotype.value)
        logs += np.abs(_log_ratio(rng.binomial(a.n, a.baseline, size=inference.draws), a.n, a.baseline))
    folds: Floats = np.exp(logs / len(associations))
    return folds


def _log_ratio(count: NDArray[np.number], n: int | NDArray[np.number], baseline: float | Floats) -> Floats:
    """Return ln of the ratio as it enters the mean: a count of 0 is taken as ½ of n + 1."""
    share = np.where(count > 0, count / n, 0.5 / (n + 1))
    logs: Floats = np.log(share / baseline)
    return logs


def _mid_p(a: Association) -> float:
    """Two-sided mid-p of the count against the baseline: twice the smaller tail, at most 1."""
    from scipy.stats import binom  # slow to import

    count = round(a.count)
    at = float(binom.pmf(count, a.n, a.baseline))
    below, above = float(binom.cdf(count - 1, a.n, a.baseline)), float(binom.sf(count, a.n, a.baseline))
    return min(1.0, 2 * (min(below, above) + at / 2))


def _smallest_p(a: Association) -> float:
    """Return the smallest two-sided mid-p that so many outputs can yield."""
    none, every = (1 - a.baseline) ** a.n, a.baseline**a.n
    return min(none, every)


def _of_the_worst(associations: Sequence[Association]) -> dict[str, Interval]:
    """Return limits that hold for all associations at once, and those of the one that is surest to be off.

    ``associations`` spans from the lowest lower to the highest upper limit: only if all of it passes does every
    association. ``worst association`` is the one whose interval lies furthest from 1, where one excludes 1.
    """
    level = 1 - 0.1 / len(associations)
    found = [_limits(a, level) for a in associations]
    low, high = min(i.low for i in found), max(i.high for i in found)
    method = f"clopper-pearson over the baseline, Bonferroni over {len(associations)}"
    spanned = Interval(low=low, high=high, level=0.90, method=method)
    surest = max(found, key=lambda i: max(i.low, 1 / i.high if i.high > 0 else np.inf))
    worst = (
        {"worst association": replace(surest, level=0.90, method=method)} if not surest.low <= 1 <= surest.high else {}
    )
    return {"associations": spanned, **worst}


def _limits(a: Association, level: float) -> Interval:
    share = clopper_pearson(min(a.count, a.n), a.n, level=level)
    return replace(share, low=share.low / a.baseline, high=share.high / a.baseline)


def _of_the_mean(
    value: float, associations: Sequence[Association], inference: Inference, *, draws: int
) -> tuple[Interval, Interval]:
    """Invert the law of the mean fold along the ray from the baselines through what was observed."""
    n = np.array([a.n for a in associations])
    baseline = np.array([a.baseline for a in associations])
    counts = np.stack([[a.count, a.n - a.count] for a in associations])
    origin = np.stack([baseline, 1 - baseline], axis=1)
    names = [f"{a.scenario}/{a.attribute}/{a.stereotype.value}" for a in associations]
    seed = inference.rng("SAR", "limits", *sorted(names)).integers(2**63)

    def simulate(steps: Floats) -> tuple[Floats, Floats]:
        shares = shares_along_ray(origin, counts, steps)[:, :, 0]
        plug_in = np.empty((len(steps), draws))
        for place, at in enumerate(shares):
            rng = np.random.default_rng(seed)  # the same numbers at every step
            drawn = rng.binomial(n, at, size=(draws, len(n)))
            plug_in[place] = np.abs(_log_ratio(drawn, n, baseline)).mean(axis=1)
        true = np.abs(np.log(np.maximum(shares, 1e-12) / baseline)).mean(axis=1)
        return plug_in, true

    levels = (inference.level, 0.90)
    found = limits_along_ray(
        float(np.log(value)), simulate, tails=[(1 - level) / 2 for level in levels], grid=10 if draws < 599 else 24
    )
    interval, limits = (
        Interval(low=float(np.exp(low)), high=float(np.exp(high)), level=level, method=METHOD, target=inference.target)
        for (low, high), level in zip(found, levels, strict=True)
    )
    return interval, limits
