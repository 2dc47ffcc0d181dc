"""Cohen's kappa: two raters, one table of counts in; agreement beyond what their habits alone would give out."""

from collections.abc import Hashable, Sequence
from math import sqrt
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.core.results import Interval
from evenhand.stats.agreement.result import Agreement
from evenhand.stats.intervals import wilson
from evenhand.stats.intervals.counts import check_level

Floats = NDArray[np.float64]
Weights = Literal["unweighted", "linear", "quadratic"]


def cohen_kappa(table: ArrayLike, *, weights: Weights = "unweighted", level: float = 0.95) -> Agreement:
    """Kappa of two raters.

    Parameters
    ----------
    table
        Shape (c, c), units by category of the first rater (rows) and of the second (columns), in one order;
        `agreement_table` makes it.
    weights
        How far apart categories i and j are: ``"unweighted"`` 1 unless equal, ``"linear"`` |i − j|/(c − 1),
        ``"quadratic"`` its square. The last two need ordered categories.
    level
        Two-sided coverage, in (0, 1).

    Returns
    -------
    Agreement
        Kappa in [−1, 1]. Undefined without a unit, and where both raters gave one and the same category throughout:
        chance alone then agrees always.

    Raises
    ------
    ValueError
        If the table is not square with counts of at least 0, or the weights have no such name.

    Notes
    -----
    Cohen (1960), Educ. Psychol. Meas. 20:37-46, and (1968), Psychol. Bull. 70:213-220. Standard error of Fleiss, Cohen
    and Everitt (1969), Psychol. Bull. 72:323-327. At perfect agreement it is 0, which would promise certainty: the
    limit is then Wilson's for the share of agreeing units, every possible disagreement taken as the widest one and
    chance agreement held, and marked approximate.

    Examples
    --------
    >>> from evenhand.stats.agreement import cohen_kappa
    >>> round(cohen_kappa([[20, 5], [10, 15]]).value, 3)
    0.4
    """
    counts = np.asarray(table, dtype=np.float64)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or not np.all(counts >= 0):
        raise ValueError(f"kappa needs a square table of counts of at least 0, not one of shape {counts.shape}")
    check_level(level)
    name, units = f"Cohen's kappa, {weights}", float(counts.sum())
    n = round(units)
    if units == 0:
        return Agreement(
            coefficient=name, value=None, undefined="no unit was rated by both", n_units=n, n_ratings=2 * n
        )
    distance, shares = _distances(len(counts), weights), counts / units
    observed = float((distance * shares).sum())
    expected = float((distance * np.outer(shares.sum(axis=1), shares.sum(axis=0))).sum())
    if expected == 0:
        return Agreement(
            coefficient=name,
            value=None,
            undefined="both raters gave one and the same category throughout",
            n_units=n,
            n_ratings=2 * n,
        )
    value, error = 1 - observed / expected, _standard_error(shares, distance, units)
    return Agreement(
        coefficient=name, value=value, interval=_interval(value, error, units, expected, level),
        standard_error=error, observed=observed, expected=expected, n_units=n, n_ratings=2 * n,
    )  # fmt: skip


def agreement_table(
    first: Sequence[Hashable], second: Sequence[Hashable], *, categories: Sequence[Hashable]
) -> NDArray[np.int64]:
    """Count pairs of labels of the same units: (n,) and (n,) in, (c, c) out, in the order of `categories`."""
    place = {category: at for at, category in enumerate(categories)}
    unknown = {label for label in (*first, *second) if label not in place}
    if unknown:
        raise ValueError(f"labels outside the categories: {sorted(map(str, unknown))}; name them or leave them out")
    table = np.zeros((len(categories), len(categories)), dtype=np.int64)
    for one, other in zip(first, second, strict=True):
        table[place[one], place[other]] += 1
    return table


def _distances(categories: int, weights: Weights) -> Floats:
    at = np.arange(categories, dtype=np.float64)
    steps = np.abs(at[:, None] - at) / max(categories - 1, 1)
    match weights:
        case "unweighted":
            return (steps > 0).astype(np.float64)
        case "linear":
            return steps
        case "quadratic":
            return steps**2
        case _:
            raise ValueError(f"weights are 'unweighted', 'linear' or 'quadratic', not {weights!r}")


def _standard_error(shares: Floats, distance: Floats, units: float) -> float:
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    weight = 1 - distance
    observed, expected = (weight * shares).sum(), (weight * np.outer(rows, columns)).sum()
    habit = (weight @ columns)[:, None] + (rows @ weight)[None, :]
    spread = (shares * (weight * (1 - expected) - habit * (1 - observed)) ** 2).sum()
    variance = spread - (observed * expected - 2 * expected + observed) ** 2
    return sqrt(max(0.0, float(variance))) / ((1 - float(expected)) ** 2 * sqrt(units))


def _interval(value: float, error: float, units: float, expected: float, level: float) -> Interval:
    if value == 1:
        disagreeing = 1 - wilson(units, units, level=level).low
        low = max(-1.0, 1 - disagreeing / expected)
        return Interval(
            low=low, high=1.0, level=level, method="wilson limit of the agreeing share, chance held", approximate=True
        )
    half = NormalDist().inv_cdf((1 + level) / 2) * error
    return Interval(
        low=max(-1.0, value - half), high=min(1.0, value + half), level=level, method="Fleiss-Cohen-Everitt"
    )
