"""Limits of RSI and ODE for the prompts that were asked: tests of category counts, inverted."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.core.results import Interval
from evenhand.core.table import Floats
from evenhand.metrics.count_cells import CountCell, Distance, Reading
from evenhand.metrics.inference import Inference
from evenhand.stats.count_law import SAME, CountLaw
from evenhand.stats.inversion import Limits, limits_by_inversion
from evenhand.stats.levelled import levelled, unshrunk
from evenhand.stats.share_ray import shares_along_ray

METHOD = "test inversion"
FEWEST_OUTPUTS, FEWEST_PER_CATEGORY = 10, 3
"""With fewer outputs per cell on average, the interval of a mean over several cells is approximate.

In simulations nominal 95% intervals then cover as little as 92%, and one-sided limits 86%.
"""
NEARLY_NONE = 1e-9
"""Share given to a category that has none, so that a ray can lead into it: no more than rounding in any divergence."""
ONE_SIDED = 0.95
"""Level of each of the two limits of a band reading; together they are a 90% interval."""


def limits_of(
    cells: Sequence[CountCell], weights: Floats, reading: Reading, inference: Inference, *, null_p: float | None
) -> tuple[Interval, Interval]:
    """Return the two-sided interval and the one-sided limits of the weighted mean of cells.

    Parameters
    ----------
    null_p
        p-value of the test that the truth is the ray's origin; None where the metric tests something else.

    Notes
    -----
    Inverted along rays from the origin (`shares_along_ray`): through the observed shares; for several cells also
    through shares of which every cell is equally far off, since with few outputs cells differ in part by chance, and
    through shares that are hardly shrunk, since a category that was not seen may be impossible and then adds no
    sampling noise. The limits are the outer ones of all. They hold the origin exactly when the test does not reject it;
    a Dirichlet or bootstrap interval never does.
    """
    arrays = SideBySide.of(cells, reading)
    law = arrays.law(weights, seed=int(inference.rng(reading.metric, "limits", *_names(cells)).integers(2**63)))
    rays = [arrays.counts]
    if len(cells) > 1:
        rays += [levelled(arrays.origin, arrays.counts, arrays.size), unshrunk(arrays.origin, arrays.counts)]
    found = [_along(counts, arrays, law, inference.level, null_p=null_p) for counts in rays]
    low, high = min(f.low for f in found), max(f.high for f in found)
    lower, upper = min(f.lower for f in found), max(f.upper for f in found)
    fewest = max(FEWEST_OUTPUTS, FEWEST_PER_CATEGORY * float(arrays.size.mean()))
    rough = len(cells) > 1 and float(arrays.n.mean()) < fewest
    both = (low, high, inference.level), (lower, upper, 2 * ONE_SIDED - 1)
    interval, limits = (_interval(*ends, reading=reading, approximate=rough) for ends in both)
    return interval, limits


def _along(towards: Floats, arrays: "SideBySide", law: CountLaw, level: float, *, null_p: float | None) -> Limits:
    """Invert along one ray, which passes near the shares of these counts."""
    observed = float(law.weights @ arrays.observed)

    def shares(steps: Floats) -> Floats:
        return shares_along_ray(arrays.origin, towards, steps)

    def true(steps: Floats) -> Floats:
        found: Floats = law.weights @ arrays.read(shares(steps).swapaxes(0, 1), np.arange(len(law.n)))
        return found

    quartile = law.quartile(arrays.origin)
    credited = max(observed, quartile)
    # the credited value itself counts in full: what the sample could hardly undercut is no luck
    luck = float(law.below([credited + 2 * SAME], arrays.origin[None])[0, 0])

    def tails(steps: Floats) -> Floats:
        at = shares(steps)
        below = law.below([observed, credited, quartile], at)
        same = law.same(arrays.observed, at)
        at_least = np.maximum(1 - below[0], same)
        return np.stack([at_least, np.maximum(below[1], same), below[2]])

    none = float(tails(np.zeros(1))[0, 0]) if null_p is None else null_p
    return limits_by_inversion(tails, true, null_p=none, luck=luck, level=level, one_sided=ONE_SIDED)


def _interval(low: float, high: float, level: float, *, reading: Reading, approximate: bool) -> Interval:
    ends = sorted((reading.of_distance(low), reading.of_distance(high)))
    return Interval(low=ends[0], high=ends[1], level=level, method=METHOD, approximate=approximate)


def _names(cells: Sequence[CountCell]) -> list[str]:
    return sorted(f"{cell.scenario}/{cell.attribute}" for cell in cells)


@dataclass(frozen=True, slots=True, eq=False)
class SideBySide:
    """Cells side by side; those of fewer categories are filled up with categories that never appear."""

    n: NDArray[np.int64]
    counts: Floats
    origin: Floats
    references: Sequence[Floats]
    size: NDArray[np.int64]
    distance: Distance

    @classmethod
    def of(cls, cells: Sequence[CountCell], reading: Reading) -> "SideBySide":
        """Lay out at least one cell for a reading."""
        size = np.array([len(cell.reference) for cell in cells])
        counts, origin = np.zeros((len(cells), size.max())), np.zeros((len(cells), size.max()))
        for place, cell in enumerate(cells):
            counts[place, : size[place]] = cell.counts
            origin[place, : size[place]] = _opened(reading.origin(cell.reference))
        n = np.array([cell.n for cell in cells])
        return cls(n, counts, origin, [cell.reference for cell in cells], size, reading.distance)

    @property
    def observed(self) -> Floats:
        """(C,) distances seen."""
        return self.read(self.counts[:, None], np.arange(len(self.counts)))[:, 0]

    def law(self, weights: Floats, *, seed: int) -> CountLaw:
        """Return the law of the weighted mean of the cells' distances."""
        return CountLaw(n=self.n, size=self.size, weights=weights, read=self.read, seed=seed)

    def read(self, counts: Floats, cells: NDArray[np.intp]) -> Floats:
        """Read counts (c, m, K) of these cells (c,); (c, m)."""
        found = np.empty(counts.shape[:2])
        for size in np.unique(self.size[cells]).tolist():
            of_size = np.flatnonzero(self.size[cells] == size)
            reference = np.stack([self.references[cells[place]] for place in of_size])
            found[of_size] = self.distance(counts[of_size, :, :size], reference[:, None])
        return found


def _opened(origin: Floats) -> Floats:
    share = np.where(origin > 0, origin, NEARLY_NONE)
    found: Floats = share / share.sum()
    return found
