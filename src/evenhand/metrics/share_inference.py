"""Uncertainty of metrics that are functions of category counts: RSI and ODE. Counts are drawn, never rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evenhand.core.results import Interval, MetricResult
from evenhand.core.table import Floats
from evenhand.metrics.inference import Inference
from evenhand.stats.along_ray import limits_along_ray
from evenhand.stats.multinomial import g_statistic, without_zeros
from evenhand.stats.null_law import null_law
from evenhand.stats.share_ray import shares_along_ray

METHOD = "inverted simulation"
TAILS = 1.0  # its calibrated value was overwritten by mistake and has to be set again; 1 leaves the tails as they are
"""What the tails are multiplied with, since the direction of the ray is estimated."""
FEWEST_CLUSTERS = 5
MOST_CELLS = 60
"""Cells that get an interval of their own."""
_COUNTS_AT_ONCE = 400_000
"""Drawn counts of all cells together; more cells get fewer draws, of which a sum over many cells needs fewer."""

Distance = Callable[[Floats, Floats], Floats]
"""Counts or shares (..., K) and the cell's own reference (..., K) to a number that grows away from the ray's origin."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountCell:
    """One scenario and attribute that has a value.

    Attributes
    ----------
    counts
        (K,) weights of the categories.
    n
        Outputs behind them.
    reference
        (K,) shares of the reference.
    """

    scenario: str
    attribute: str
    counts: Floats
    n: int
    reference: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading:
    """How a metric reads counts.

    Attributes
    ----------
    metric
        Name of the metric: its streams of random numbers are named after it.
    value
        The metric itself.
    distance
        What grows along the ray, and `of_distance`, which turns it into the metric again.
    origin
        Where rays start, from the reference of each cell.
    sign
        1 if more is worse, −1 if less is.
    tests_g
        Whether the test sums G over cells; otherwise it is the metric's own value in the bad direction.
    """

    metric: str
    value: Distance
    distance: Distance
    of_distance: Callable[[float], float]
    origin: Callable[[Floats], Floats]
    sign: int
    tests_g: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawn:
    """Fair draws of every cell: value and G, (C, draws) each."""

    values: Floats
    g: Floats


def draws_for(cells: Sequence[CountCell], inference: Inference) -> int:
    """Return the draws that so many cells can afford, at least 99."""
    outcomes = sum(len(cell.counts) for cell in cells)
    return max(99, min(inference.draws, _COUNTS_AT_ONCE // max(outcomes, 1)))


def fair_draws(cells: Sequence[CountCell], reading: Reading, inference: Inference) -> Drawn:
    """Draw every cell's counts from its reference; a stream of its own for each, so that order plays no part."""
    draws = draws_for(cells, inference)
    values, g = np.empty((len(cells), draws)), np.empty((len(cells), draws))
    for place, cell in enumerate(cells):
        rng = inference.rng(reading.metric, "fair", cell.scenario, cell.attribute)
        counts = rng.multinomial(cell.n, cell.reference / cell.reference.sum(), size=draws).astype(np.float64)
        values[place] = reading.value(counts, cell.reference)
        g[place] = _g(counts, cell.reference)
    return Drawn(values=values, g=g)


def tested(
    result: MetricResult,
    cells: Sequence[CountCell],
    weights: Floats,
    places: Sequence[int],
    drawn: Drawn,
    reading: Reading,
) -> MetricResult:
    """Add fair reference and test to a result that is the weighted mean of some cells.

    Parameters
    ----------
    weights
        (cells,) of the cells in `places`, summing to 1.
    places
        Of these cells among those drawn.
    """
    assert result.value is not None  # only defined results come here
    chosen = np.asarray(places)
    means = weights @ drawn.values[chosen]
    expected = float(means.mean())
    q95 = float(np.quantile(means, 0.95 if reading.sign > 0 else 0.05))
    if reading.tests_g:
        observed = sum(float(_g(cell.counts[None], cell.reference)[0]) for cell in cells)
        law, name = null_law(observed, drawn.g[chosen].sum(axis=0)), "G summed over scenarios"
    else:
        law, name = null_law(reading.sign * result.value, reading.sign * means), "value"
    return replace(
        result,
        fair_expected=expected,
        fair_q95=q95,
        excess=result.value - expected,
        p_value=None if law is None else law.p_value,
        test=f"{name}, counts drawn from the reference, {drawn.values.shape[1]} draws, mid-p",
    )


def limits_of(
    cells: Sequence[CountCell],
    weights: Floats,
    reading: Reading,
    inference: Inference,
    *,
    name: str,
    is_brief: bool = False,
) -> tuple[Interval, Interval]:
    """Return the two-sided interval and the one-sided 95% limits of the weighted mean of cells.

    Notes
    -----
    Inverted simulation along the ray from the origin through the observed shares (`shares_along_ray`), which holds 0
    whenever the data are no surprise without a difference; a Dirichlet or bootstrap interval never does.
    """
    counts, n = np.stack([cell.counts for cell in cells]), np.array([cell.n for cell in cells])
    reference = np.stack([cell.reference for cell in cells])
    origin = np.stack([reading.origin(cell.reference) for cell in cells])
    draws = max(99, min(249 if is_brief else 599, _COUNTS_AT_ONCE // (8 * counts.size)))
    seed = inference.rng(reading.metric, "limits", name).integers(2**63)

    def simulate(steps: Floats) -> tuple[Floats, Floats]:
        shares = shares_along_ray(origin, counts, steps)
        true = reading.distance(shares, reference[None]) @ weights
        plug_in = np.empty((len(steps), draws))
        for place, at in enumerate(shares):
            rng = np.random.default_rng(seed)  # the same numbers at every step
            drawn = _multinomial(rng, n, at, draws)
            plug_in[place] = weights @ reading.distance(drawn, reference[:, None])
        return plug_in, true

    observed = float(weights @ reading.distance(counts, reference))
    levels = (inference.level, 0.90)
    found = limits_along_ray(
        observed,
        simulate,
        tails=[TAILS * (1 - level) / 2 for level in levels],
        grid=10 if is_brief else 24,
    )
    interval, limits = (
        _interval(low, high, level, reading, inference) for (low, high), level in zip(found, levels, strict=True)
    )
    return interval, limits


def _interval(low: float, high: float, level: float, reading: Reading, inference: Inference) -> Interval:
    ends = sorted((reading.of_distance(low), reading.of_distance(high)))
    return Interval(low=ends[0], high=ends[1], level=level, method=METHOD, target=inference.target)


def _multinomial(rng: np.random.Generator, n: NDArray[np.integer], shares: Floats, draws: int) -> Floats:
    """(C, draws, K) counts."""
    drawn: Floats = rng.multinomial(n[:, None], shares[:, None, :], size=(len(n), draws)).astype(np.float64)
    return drawn


def _g(counts: Floats, reference: Floats) -> Floats:
    left, shares, _ = without_zeros(counts, reference)
    return g_statistic(left, shares / shares.sum())
