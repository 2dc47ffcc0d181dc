"""What one measure is in each scenario and group: count, mean and scatter."""

from dataclasses import dataclass

import numpy as np

from evenhand.core.table import Floats
from evenhand.metrics.balanced import Balanced
from evenhand.metrics.permuted_means import Measure

PRIOR = 2
"""Observations that the variance of a scenario lends to each of its cells."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CellMoments:
    """(S, G) count, mean and sum of squares about the mean of one measure; means are NaN where the count is 0."""

    n: Floats
    mean: Floats
    squares: Floats

    def at(self, place: int) -> "CellMoments":
        """Return one scenario, (1, G)."""
        inside = slice(place, place + 1)
        return CellMoments(n=self.n[inside], mean=self.mean[inside], squares=self.squares[inside])

    def against_rest(self, group: int) -> "CellMoments":
        """Return a group and all others of its scenario as one, (S, 2), where both have a value."""
        others = np.delete(np.arange(self.n.shape[1]), group)
        n, total = self.n[:, others], np.where(self.n > 0, self.n * self.mean, 0.0)[:, others]
        size = n.sum(axis=1)
        mean = total.sum(axis=1) / np.maximum(size, 1)
        apart = np.where(n > 0, n * (self.mean[:, others] - mean[:, None]) ** 2, 0.0)
        squares = (self.squares[:, others] + apart).sum(axis=1)
        kept = (self.n[:, group] > 0) & (size > 0)
        pairs = ((self.n[:, group], size), (self.mean[:, group], mean), (self.squares[:, group], squares))
        both = [np.stack([own[kept], rest[kept]], axis=1) for own, rest in pairs]
        return CellMoments(n=both[0], mean=both[1], squares=both[2])


def cell_moments(groups: Balanced, measure: Measure) -> CellMoments:
    """Count, average and measure the scatter of each cell."""
    mean = groups.means(measure.x, measure.rows)
    rows = groups.rows & measure.rows
    cell = groups.cell[rows]
    apart = (measure.x[rows] - mean.reshape(-1)[cell]) ** 2
    squares = np.bincount(cell, weights=apart, minlength=mean.size).astype(np.float64).reshape(mean.shape)
    return CellMoments(n=groups.counts(measure.rows).astype(np.float64), mean=mean, squares=squares)


def within_cells(cells: CellMoments) -> tuple[Floats, float] | None:
    """Return the variance (G,) of each group's mean over scenarios, and its degrees of freedom; cells have no gaps.

    From the scatter within cells; a small cell borrows from the others of its scenario. None if no cell has two.
    """
    free = (cells.n - 1).sum(axis=1)
    if not free.sum():
        return None
    squares = cells.squares.sum(axis=1)
    scenario = np.where(free > 0, squares / np.maximum(free, 1), squares.sum() / free.sum())
    lent = (cells.squares + PRIOR * scenario[:, None]) / (cells.n - 1 + PRIOR)
    df = float((cells.n - 1 + PRIOR).sum(axis=0).mean())
    return (lent / cells.n).sum(axis=0) / len(cells.n) ** 2, df


def between_scenarios(means: Floats) -> tuple[Floats, float] | None:
    """Return the same from how the groups' distances to each other vary between scenarios; None for one scenario."""
    scenarios, groups = means.shape
    if scenarios < 2:
        return None
    distance = means - means.mean(axis=1, keepdims=True)
    squares = ((distance - distance.mean(axis=0)) ** 2).sum(axis=0)
    return squares / (scenarios - 1) / scenarios * groups / (groups - 1), float(scenarios - 1)
