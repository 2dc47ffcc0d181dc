"""What RSI and ODE would be if every output were drawn from the reference: mean, 95% quantile and p-value."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evenhand.core.results import MetricResult
from evenhand.core.table import Floats
from evenhand.metrics.count_cells import CountCell, Reading
from evenhand.metrics.inference import Inference
from evenhand.stats.multinomial import g_statistic, without_zeros
from evenhand.stats.null_law import null_law
from evenhand.stats.outcomes import all_outcomes, chances, how_many

MOST_OUTCOMES = 20_000
"""A cell with more outcomes is drawn and not enumerated."""
_COUNTS_AT_ONCE = 120_000
"""Drawn counts of all cells together; more cells get fewer draws, of which a sum over many cells needs fewer."""
_SAME = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Law:
    """All outcomes of one cell (M,): value, G and chance, in the order of the values."""

    values: Floats
    g: Floats
    chance: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fair:
    """Fair draws of every cell.

    Attributes
    ----------
    values, g
        (C, draws) of the metric and of G.
    expected
        (C,) mean of the metric: exact where the outcomes are few, else of the draws.
    laws
        Exact law of each cell; None where it was drawn.
    """

    values: Floats
    g: Floats
    expected: Floats
    laws: Sequence[Law | None]


def fair_draws(cells: Sequence[CountCell], reading: Reading, inference: Inference) -> Fair:
    """Draw every cell's counts from its reference; a stream of its own for each, so that order plays no part."""
    draws = _affordable(cells, inference)
    values, g, expected = np.empty((len(cells), draws)), np.empty((len(cells), draws)), np.empty(len(cells))
    known: dict[tuple[int, bytes], Law] = {}  # cells of one size and reference have one law
    laws: list[Law | None] = []
    for place, cell in enumerate(cells):
        rng = inference.rng(reading.metric, "fair", cell.scenario, cell.attribute)
        law = None
        if how_many(cell.n, len(cell.reference)) <= MOST_OUTCOMES:
            key = cell.n, cell.reference.tobytes()
            law = known[key] = known.get(key) or _law(cell, reading)
            at = np.minimum(np.searchsorted(np.cumsum(law.chance), rng.random(draws)), len(law.chance) - 1)
            values[place], g[place], expected[place] = law.values[at], law.g[at], law.chance @ law.values
        else:
            counts = rng.multinomial(cell.n, cell.reference / cell.reference.sum(), size=draws).astype(np.float64)
            values[place], g[place] = reading.value(counts, cell.reference), _g(counts, cell.reference)
            expected[place] = values[place].mean()
        laws.append(law)
    return Fair(values=values, g=g, expected=expected, laws=laws)


def tested(
    result: MetricResult,
    cells: Sequence[CountCell],
    weights: Floats,
    places: Sequence[int],
    fair: Fair,
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
    expected = float(weights @ fair.expected[chosen])
    observed = sum(float(_g(cell.counts[None], cell.reference)[0]) for cell in cells)
    law = fair.laws[places[0]] if len(places) == 1 else None
    if law is not None:
        q95, p_value = _exactly(law, result.value, observed, reading)
        how = "exact"
    else:
        means = weights @ fair.values[chosen]
        q95 = float(np.quantile(means, 0.95 if reading.sign > 0 else 0.05))
        drawn = fair.g[chosen].sum(axis=0) if reading.tests_g else reading.sign * means
        found = null_law(observed if reading.tests_g else reading.sign * result.value, drawn)
        assert found is not None  # every draw has a value
        p_value, how = found.p_value, f"Monte-Carlo, {fair.values.shape[1]} draws"
    what = ("G" if len(places) == 1 else "G summed over scenarios") if reading.tests_g else "value, one-sided"
    return replace(
        result,
        fair_expected=expected,
        fair_q95=q95,
        excess=result.value - expected,
        p_value=p_value,
        test=f"{what}, counts drawn from the reference, {how}, mid-p",
    )


def _affordable(cells: Sequence[CountCell], inference: Inference) -> int:
    """Return the draws that so many cells can afford, at least 199."""
    drawn = sum(len(c.counts) for c in cells if how_many(c.n, len(c.counts)) > MOST_OUTCOMES)
    return min(inference.draws, max(199, _COUNTS_AT_ONCE // max(drawn, len(cells), 1)))


def _law(cell: CountCell, reading: Reading) -> Law:
    outcomes = all_outcomes(cell.n, len(cell.reference))
    values = reading.value(outcomes, cell.reference)
    order = np.argsort(values, kind="stable")
    chance = chances(outcomes, cell.reference)[order]
    return Law(values=values[order], g=_g(outcomes, cell.reference)[order], chance=chance / chance.sum())


def _exactly(law: Law, value: float, observed_g: float, reading: Reading) -> tuple[float, float]:
    """Return the quantile on the bad side and the mid-p."""
    below = np.cumsum(law.chance)
    place = int(np.searchsorted(below, (0.95 if reading.sign > 0 else 0.05) - _SAME))
    statistic, observed = (law.g, observed_g) if reading.tests_g else (reading.sign * law.values, reading.sign * value)
    same = np.abs(statistic - observed) <= _SAME * max(1.0, abs(observed))
    p_value = law.chance[(statistic > observed) & ~same].sum() + law.chance[same].sum() / 2
    # a law with one outcome could have shown nothing
    return float(law.values[min(place, len(below) - 1)]), 1.0 if law.chance[same].sum() > 1 - _SAME else float(p_value)


def _g(counts: Floats, reference: Floats) -> Floats:
    left, shares, _ = without_zeros(counts, reference)
    return g_statistic(left, shares / shares.sum())
