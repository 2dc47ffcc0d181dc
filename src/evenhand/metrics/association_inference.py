"""Uncertainty of SAR: each association against its baseline, the worst of them, and their mean."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from evenhand.core.results import Interval, MetricResult
from evenhand.core.table import Floats
from evenhand.metrics.associations import Association
from evenhand.metrics.inference import Inference
from evenhand.stats.along_ray import limits_along_ray
from evenhand.stats.intervals import clopper_pearson
from evenhand.stats.null_law import null_law
from evenhand.stats.share_ray import shares_along_ray

METHOD = "inverted simulation"
TAILS = 0.5
"""Share of the nominal tail probability that the mean's limits are computed at: in simulations the nominal ones covered
86% to 92% and not 95%, since the direction of the ray is an estimate."""
_COUNTS_AT_ONCE = 400_000
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
    Fair: every share is its baseline. The p-value is that of the smallest two-sided binomial mid-p of any association
    against its own law (Westfall and Young 1993, Resampling-based multiple testing, 2.3): as strict as Holm's, and not
    stricter than it must be with few outputs. The limits of the worst association are Clopper-Pearson's at a level that
    Bonferroni keeps for all of them.
    """
    defined = [a for a in associations if a.s is not None]
    if result.value is None or not defined:
        return result
    draws, smallest = _fair(defined, inference)
    law = null_law(-min(_mid_p(a)[round(a.count)] for a in defined), -smallest)
    done = replace(
        result,
        fair_expected=float(draws.mean()),
        fair_q95=float(np.quantile(draws, 0.95)),
        excess=result.value - float(draws.mean()),
        p_value=None if law is None else law.p_value,
        test=f"smallest of {len(defined)} binomial mid-p, two-sided, against its law, {len(draws)} draws",
    )
    if inference.target != "these prompts":
        return replace(done, caveats=(*done.caveats, NOT_CLUSTERED))
    interval, limits = _of_the_mean(
        result.value, defined, inference, draws=249 if is_part else max(99, min(599, 60_000 // len(defined)))
    )
    return replace(
        done, confidence_interval=interval, limits={"value": limits, "excess": limits, **_of_the_worst(defined)}
    )


def _fair(associations: Sequence[Association], inference: Inference) -> tuple[Floats, Floats]:
    """Draw the headline and the smallest mid-p with every share at its baseline; (draws,) each."""
    draws = max(99, min(inference.draws, _COUNTS_AT_ONCE // len(associations)))
    logs, smallest = np.zeros(draws), np.ones(draws)
    for a in associations:
        rng = inference.rng("SAR", "fair", a.scenario, a.attribute, a.stereotype.value)
        counts = rng.binomial(a.n, a.baseline, size=draws)
        logs += np.abs(_log_ratio(counts, a.n, a.baseline))
        smallest = np.minimum(smallest, _mid_p(a)[counts])
    folds: Floats = np.exp(logs / len(associations))
    return folds, smallest


def _log_ratio(count: NDArray[np.number], n: int | NDArray[np.number], baseline: float | Floats) -> Floats:
    """Return ln of the ratio as it enters the mean: a count of 0 is taken as ½ of n + 1."""
    share = np.where(count > 0, count / n, 0.5 / (n + 1))
    logs: Floats = np.log(share / baseline)
    return logs


def _mid_p(a: Association) -> Floats:
    """(n + 1,) two-sided mid-p of every count against the baseline: twice the smaller tail, at most 1."""
    from scipy.stats import binom  # slow to import

    counts = np.arange(a.n + 1)
    at = binom.pmf(counts, a.n, a.baseline)
    below, above = binom.cdf(counts - 1, a.n, a.baseline), binom.sf(counts, a.n, a.baseline)
    p: Floats = np.minimum(1.0, 2 * (np.minimum(below, above) + at / 2))
    return p


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
        float(np.log(value)),
        simulate,
        tails=[TAILS * (1 - level) / 2 for level in levels],
        grid=10 if draws < 599 else 24,
    )
    interval, limits = (
        Interval(low=float(np.exp(low)), high=float(np.exp(high)), level=level, method=METHOD, target=inference.target)
        for (low, high), level in zip(found, levels, strict=True)
    )
    return interval, limits
