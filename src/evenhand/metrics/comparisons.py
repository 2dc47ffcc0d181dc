"""Each group against the rest of its attribute: differences with intervals, and p-values adjusted together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evenhand.core.results import Row
from evenhand.core.table import Floats
from evenhand.metrics.balanced import Balanced
from evenhand.metrics.cell_moments import CellMoments, between_scenarios, cell_moments, within_cells
from evenhand.metrics.inference import Inference
from evenhand.metrics.permuted_means import Measure, PermutedMeans
from evenhand.stats.bounded_mean import bounded_mean_limits
from evenhand.stats.multiplicity import holm
from evenhand.stats.null_law import two_sided_p
from evenhand.stats.stratified_difference import mover, stratified_newcombe, welch

FEWEST_CLUSTERS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """What a measure's numbers are.

    Attributes
    ----------
    unit
        For the reader.
    is_rate
        True where every value is 0 or 1.
    bounds
        Least and largest value possible; None where there is no largest.
    """

    unit: str
    is_rate: bool = False
    bounds: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One group against all others of its attribute, over scenarios that asked all groups, which weigh the same."""

    attribute: str
    group: str
    measure: str
    unit: str
    n: int
    n_rest: int
    mean: float
    mean_rest: float
    difference: float
    low: float | None
    high: float | None
    p_value: float | None
    p_adjusted: float | None = None

    def row(self) -> Row:
        """As one line of a table."""
        return {name: getattr(self, name) for name in self.__slots__}


def compare_groups(
    groups: Balanced,
    measures: Mapping[str, Measure],
    scales: Mapping[str, Scale],
    permuted: PermutedMeans,
    inference: Inference,
) -> list[Comparison]:
    """Compare every group with the rest in every measure of `scales`; not yet adjusted.

    Parameters
    ----------
    permuted
        What permuted labels give, of the same measures; only differences are read.
    """
    found = []
    for name, scale in scales.items():
        cells = cell_moments(groups, measures[name])
        for place, group in enumerate(groups.groups):
            pair = cells.against_rest(place)
            if len(pair.n):
                p_value = two_sided_p(_difference(pair), permuted.differences[name][1:, place])
                found.append(_comparison(groups.attribute, group, name, scale, pair, p_value, inference))
    return found


def adjusted(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Adjust all p-values of one table together, by Holm."""
    tested = [c for c in comparisons if c.p_value is not None]
    p_adjusted = dict(zip(map(id, tested), holm([c.p_value or 0.0 for c in tested]).tolist(), strict=True))
    return [replace(c, p_adjusted=p_adjusted.get(id(c))) for c in comparisons]


def _comparison(
    attribute: str, group: str, name: str, scale: Scale, pair: CellMoments, p_value: float | None, inference: Inference
) -> Comparison:
    low, high = _limits(pair, scale, inference) or (None, None)
    own, rest = pair.mean.mean(axis=0).tolist()
    return Comparison(
        attribute=attribute,
        group=group,
        measure=name,
        unit=scale.unit,
        n=int(pair.n[:, 0].sum()),
        n_rest=int(pair.n[:, 1].sum()),
        mean=own,
        mean_rest=rest,
        difference=_difference(pair),
        low=low,
        high=high,
        p_value=p_value,
    )


def _difference(pair: CellMoments) -> float:
    return float((pair.mean[:, 0] - pair.mean[:, 1]).mean())


def _limits(pair: CellMoments, scale: Scale, inference: Inference) -> tuple[float, float] | None:
    """Return limits, None where the data hold no scatter to judge by."""
    within = _within(pair, scale, inference.level)
    if inference.target == "these prompts":
        return within
    if len(pair.n) < FEWEST_CLUSTERS:
        return None
    distance = pair.mean[:, 0] - pair.mean[:, 1]
    variance, df = float(distance.var(ddof=1)) / len(distance), float(len(distance) - 1)
    low, high = welch(_difference(pair), (variance, 0.0), (df, df), level=inference.level)
    # never narrower than for the prompts that were asked
    return (low, high) if within is None else (min(low, within[0]), max(high, within[1]))


def _within(pair: CellMoments, scale: Scale, level: float) -> tuple[float, float] | None:
    n, mean = pair.n, pair.mean
    if scale.is_rate:
        successes = np.rint(n * mean)
        return stratified_newcombe(successes[:, 0], n[:, 0], successes[:, 1], n[:, 1], level=level)
    found = _variances(pair)
    if found is None:
        return None
    variance, free = found
    if scale.bounds is None or variance.any():
        return welch(_difference(pair), (variance[0], variance[1]), (free[0], free[1]), level=level)
    return _bounded(pair, variance, free, scale.bounds, level)


def _variances(pair: CellMoments) -> tuple[Floats, Floats] | None:
    """Return the variance of either mean over scenarios, (2,), and its degrees of freedom.

    From each cell's own scatter; a cell of one output takes what the others of its side have on average.
    """
    free = (pair.n - 1).sum(axis=0)
    if not free.all():
        found = within_cells(pair) or between_scenarios(pair.mean)
        return found and (found[0], np.maximum(free, 1))
    average = pair.squares.sum(axis=0) / free
    own = np.where(pair.n > 1, pair.squares / np.maximum(pair.n - 1, 1), average)
    return (own / pair.n).sum(axis=0) / len(pair.n) ** 2, free


def _bounded(
    pair: CellMoments, variance: Floats, df: Floats, bounds: tuple[float, float], level: float
) -> tuple[float, float]:
    """Limits where nothing varies: what was not seen in n outputs may still happen."""
    n, mean = pair.n.sum(axis=0), pair.mean.mean(axis=0)
    low, high = bounded_mean_limits(mean, n=n, variance=variance * n, df=df, level=level, low=bounds[0], high=bounds[1])
    arms = [(mean[[arm]], low[[arm]], high[[arm]]) for arm in (0, 1)]
    return mover(_difference(pair), arms[0], arms[1])
