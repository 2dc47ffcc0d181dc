"""Group means of one attribute had its labels meant nothing: what every draw of permuted labels gives."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.core.table import Flags, Floats
from evenhand.metrics.balanced import Balanced
from evenhand.stats.label_permutation import PermutedSums, permuted_sums

ROW_DRAWS = 10_000_000
FEWEST = 99
"""Draws are cut where rows times draws would exceed ROW_DRAWS, about .2 s, but not below FEWEST."""

Draws = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measure:
    """What is averaged, and over which outputs.

    Attributes
    ----------
    x
        (n,) values; anything outside `rows`.
    rows
        (n,) outputs that have a value.
    """

    x: Floats
    rows: Flags


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PermutedMeans:
    """Draw 0 is what was observed.

    Attributes
    ----------
    means
        Measure to (S, 1 + draws, G), NaN where a group of a scenario has no value.
    differences
        Measure to (1 + draws, G): group minus all others of a scenario, averaged over scenarios with equal weight.
    """

    means: Mapping[str, Draws]
    differences: Mapping[str, Floats]


def affordable(draws: int, rows: int) -> int:
    """Return how many draws are made of `rows` outputs, if `draws` were asked for."""
    return min(draws, max(FEWEST, ROW_DRAWS // max(rows, 1)))


def permuted_means(
    groups: Balanced, measures: Mapping[str, Measure], *, draws: int, rng: np.random.Generator
) -> PermutedMeans:
    """Permute whole outputs among the groups of each scenario, those that have any of the measures.

    An output keeps what it has and what it lacks: a refusal takes its missing length along.
    """
    n_scenarios, n_groups = groups.shape
    rows = groups.rows & np.logical_or.reduce([m.rows for m in measures.values()])
    centres = {name: _centre(groups, m) for name, m in measures.items()}
    means = {n: np.full((n_scenarios, draws + 1, n_groups), np.nan, dtype=np.float32) for n in measures}
    total = {name: np.zeros((draws + 1, n_groups)) for name in measures}
    count = {name: np.zeros((draws + 1, n_groups)) for name in measures}
    batches = permuted_sums(
        _columns(groups, measures, centres, rows), groups.cell[rows], shape=groups.shape, draws=draws, rng=rng
    )
    for batch in batches:
        for place, name in enumerate(measures):
            mean, difference = _of_batch(batch, place, centres[name])
            means[name][batch.blocks] = mean
            known = ~np.isnan(difference)
            total[name] += np.where(known, difference, 0).sum(axis=0)
            count[name] += known.sum(axis=0)
    differences = {
        n: np.divide(total[n], count[n], out=np.full_like(total[n], np.nan), where=count[n] > 0) for n in total
    }
    return PermutedMeans(means=means, differences=differences)


def _centre(groups: Balanced, measure: Measure) -> Floats:
    """Mean of each scenario (S,), so that single precision is spent on what differs; 0 where there is none."""
    used = groups.rows & measure.rows
    scenario = groups.cell[used] // len(groups.groups)
    size = len(groups.scenarios)
    n = np.bincount(scenario, minlength=size)
    return np.bincount(scenario, weights=measure.x[used], minlength=size) / np.maximum(n, 1)


def _columns(groups: Balanced, measures: Mapping[str, Measure], centres: Mapping[str, Floats], rows: Flags) -> Draws:
    """Two columns for each measure: the centred value, 0 where there is none, and 1 where there is one."""
    scenario = groups.cell[rows] // len(groups.groups)
    columns = []
    for name, measure in measures.items():
        has = measure.rows[rows]
        columns += [np.where(has, measure.x[rows] - centres[name][scenario], 0.0), has]
    return np.stack(columns, axis=1).astype(np.float32)


def _of_batch(batch: PermutedSums, place: int, centre: Floats) -> tuple[Draws, Draws]:
    """Return means and differences, each (b, 1 + draws, G)."""
    sums, n = batch.sums[..., 2 * place], batch.sums[..., 2 * place + 1]
    rest, n_rest = sums.sum(axis=2, keepdims=True) - sums, n.sum(axis=2, keepdims=True) - n
    with np.errstate(divide="ignore", invalid="ignore"):
        mean, others = sums / n, rest / n_rest
        mean[n == 0] = np.nan
        others[n_rest == 0] = np.nan
        return mean + centre[batch.blocks].astype(np.float32)[:, None, None], mean - others


def over_scenarios_by_draw(means: Draws) -> Floats:
    """Average (S, d, G) over scenarios as `balanced.over_scenarios` does, for each draw; shape (d, G)."""
    known = ~np.isnan(means)
    if known.all():
        average: Floats = means.mean(axis=0, dtype=np.float64)
        return average
    speaks: Flags = np.logical_or.reduce(known, axis=0)
    common = np.logical_and.reduce(known | ~speaks, axis=2) & np.logical_or.reduce(speaks, axis=1)
    total = np.where(common[..., None] & known, means, 0).sum(axis=0, dtype=np.float64)
    n = common.sum(axis=0)[:, None]
    found: Floats = np.divide(total, n, out=np.full_like(total, np.nan), where=speaks & (n > 0))
    return found


def spread_by_draw(means: NDArray[np.floating]) -> Floats:
    """Largest minus smallest along the last axis, of those that are known; NaN with fewer than two."""
    known = ~np.isnan(means)
    high = np.where(known, means, -np.inf).max(axis=-1)
    low = np.where(known, means, np.inf).min(axis=-1)
    enough = known.sum(axis=-1) > 1
    found: Floats = np.subtract(high, low, out=np.full(high.shape, np.nan), where=enough)
    return found
