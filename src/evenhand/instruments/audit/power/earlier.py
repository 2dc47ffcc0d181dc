"""Planning values from an earlier run: what its outputs and results show instead of a guess."""

from collections.abc import Mapping
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from evenhand.core.results import Interval, MetricResult
from evenhand.core.table import Floats, OutputTable
from evenhand.instruments.audit.power.assumptions import Assumptions

_Z90 = 1.6449
"""Half the width of a 90% interval, in standard errors."""


def assumptions_from(
    outputs: OutputTable, results: Mapping[str, MetricResult], *, replicates: int, name: str
) -> Assumptions:
    """Read what an earlier run shows; what it does not show keeps its stated value.

    Parameters
    ----------
    results
        Of that run, by metric.
    replicates
        Answers per prompt in that run.
    name
        How the run is called in what is printed.
    """
    stated = Assumptions()
    signals = _signals(outputs)
    return Assumptions(
        signal_share=max(signals.values(), default=stated.signal_share) or stated.signal_share,
        refusal_rate=_refusals(outputs, stated.refusal_rate),
        length_variation=_length_variation(outputs, stated.length_variation),
        signal_by_attribute=signals,
        distance_spread=_distance_spreads(results.get("CDS"), replicates),
        harm_spread=_harm_spread(results.get("HSI")),
        source=f"run {name}",
    )


def _signals(outputs: OutputTable) -> dict[str, float]:
    base = outputs.is_base & outputs.answered
    if not base.any():
        return {}
    return {a: float((weights[base].sum(axis=1) > 0).mean()) for a, weights in outputs.detected.items()}


def _refusals(outputs: OutputTable, otherwise: float) -> float:
    judged = outputs.blocked | ~np.isnan(outputs.refusal)
    refused = int((outputs.blocked | (outputs.refusal == 1)).sum())
    # none of n is no proof of none at all
    return min(0.99, (refused + 0.5) / (int(judged.sum()) + 1)) if judged.any() else otherwise


def _length_variation(outputs: OutputTable, otherwise: float) -> float:
    rows = outputs.answered & ~outputs.empty & (outputs.refusal == 0)
    if not rows.any():
        return otherwise
    keys = np.stack([outputs.scenario[rows], outputs.attribute[rows], outputs.value[rows]])
    _, place = np.unique(keys, axis=1, return_inverse=True)
    variance = _within(outputs.words[rows], place.reshape(-1))
    return otherwise if variance is None else sqrt(variance) / float(outputs.words[rows].mean())


def _within(x: Floats, place: NDArray[np.intp]) -> float | None:
    n = np.bincount(place)
    means = np.bincount(place, weights=x) / n
    df = len(x) - len(n)
    return float(((x - means[place]) ** 2).sum()) / df if df > 0 else None


def _distance_spreads(result: MetricResult | None, replicates: int) -> Mapping[str, float]:
    if result is None:
        return {}
    found = {}
    for attribute, part in result.by_attribute.items():
        limits = part.limits.get("excess")
        if limits is not None and part.n_clusters:
            found[attribute] = _error(limits) * sqrt(part.n_clusters * replicates)
    return found


def _harm_spread(result: MetricResult | None) -> float | None:
    limits = None if result is None else result.limits.get("value")
    return None if limits is None or result is None else _error(limits) * sqrt(result.n_samples)


def _error(limits: Interval) -> float:
    return (limits.high - limits.low) / 2 / _Z90
