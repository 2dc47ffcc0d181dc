"""Krippendorff's alpha: any number of raters, missing ratings allowed; from the published definition."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.core.results import Interval
from evenhand.stats.agreement.result import Agreement
from evenhand.stats.intervals.counts import check_level

Floats = NDArray[np.float64]
Measurement = Literal["nominal", "ordinal", "interval"]

UNDEFINED_DRAWS = 0.05
"""Share of resamples without a value above which the interval is called approximate."""


def krippendorff_alpha(
    ratings: ArrayLike,
    *,
    measurement: Measurement = "nominal",
    rng: np.random.Generator | None = None,
    draws: int = 999,
    level: float = 0.95,
) -> Agreement:
    """Alpha of any number of raters.

    Parameters
    ----------
    ratings
        Shape (units, raters), numbers, NaN where a rater gave none. Nominal labels are numbered in any way, ordinal
        ones in their order.
    measurement
        How far apart two values are: ``"nominal"`` 1 unless equal, ``"ordinal"`` by the ratings that lie between
        them, ``"interval"`` the squared difference.
    rng
        Source of the resamples; without one there is no interval.
    draws
        Resamples of units, at least 1.
    level
        Two-sided coverage, in (0, 1).

    Returns
    -------
    Agreement
        Alpha, at most 1. Undefined where no unit has two ratings, and where all of them are the same value: without
        variation there is nothing to agree about.

    Raises
    ------
    ValueError
        If the ratings are not two-dimensional or infinite, or the measurement has no such name.

    Notes
    -----
    Krippendorff (2011), Computing Krippendorff's Alpha-Reliability: 1 − D_o/D_e with
    D_o = 1/n Σ_u Σ_ck n_uc n_uk δ²_ck/(n_u − 1) and D_e = Σ_ck n_c n_k δ²_ck/(n(n − 1)), over units with at least two
    ratings. The interval is the percentile bootstrap over units, since ratings of one unit are no independent draws;
    resamples in which nothing varies have no alpha and are left out. With all units in agreement it has no width, and
    is marked approximate.

    Examples
    --------
    >>> from evenhand.stats.agreement import krippendorff_alpha
    >>> two = [[0, 1], [1, 1], [0, 1], [0, 0], [0, 0], [0, 1], [0, 0], [0, 0], [1, 0], [0, 0]]
    >>> round(krippendorff_alpha(two).value, 3)
    0.095
    """
    check_level(level)
    counts, values = _counts(ratings)
    name = f"Krippendorff's alpha, {measurement}"
    units, given = len(counts), int(counts.sum())
    if not len(counts):
        return Agreement(
            coefficient=name, value=None, undefined="no unit has two ratings", n_units=units, n_ratings=given
        )
    every_unit = np.ones(len(counts))
    observed, expected = _disagreements(counts, every_unit, values, measurement)
    if expected == 0:
        return Agreement(
            coefficient=name, value=None, undefined="all ratings are one value", n_units=units, n_ratings=given
        )
    value = 1 - observed / expected
    interval = None if rng is None else _bootstrap(counts, values, measurement, rng=rng, draws=draws, level=level)
    return Agreement(
        coefficient=name,
        value=value,
        interval=interval,
        observed=observed,
        expected=expected,
        n_units=units,
        n_ratings=given,
    )


def _counts(ratings: ArrayLike) -> tuple[Floats, Floats]:
    """Count the ratings of each unit by value, (units, values), for units with at least two; and the values, sorted."""
    given = np.asarray(ratings, dtype=np.float64)
    if given.ndim != 2 or np.isinf(given).any():
        raise ValueError(f"ratings must be finite numbers or NaN in rows of units, not an array of shape {given.shape}")
    pairable = given[(~np.isnan(given)).sum(axis=1) >= 2]
    known = ~np.isnan(pairable)
    values, code = np.unique(pairable[known], return_inverse=True)
    counts = np.zeros((len(pairable), len(values)))
    np.add.at(counts, (np.nonzero(known)[0], code), 1)
    return counts, values


def _disagreements(counts: Floats, weights: Floats, values: Floats, measurement: Measurement) -> tuple[float, float]:
    """Observed and expected disagreement when unit u is taken `weights[u]` times."""
    totals = weights @ counts
    n = totals.sum()
    distance = _distances(values, totals, measurement)
    within = ((counts @ distance) * counts).sum(axis=1) / (counts.sum(axis=1) - 1)
    return float(weights @ within / n), float(totals @ distance @ totals / (n * (n - 1)))


def _distances(values: Floats, totals: Floats, measurement: Measurement) -> Floats:
    match measurement:
        case "nominal":
            return 1 - np.eye(len(values))
        case "ordinal":
            # ratings up to the middle of each value: their difference is the sum from c to k less half of both ends
            middle = np.cumsum(totals) - totals / 2
            return (middle[:, None] - middle) ** 2
        case "interval":
            return (values[:, None] - values) ** 2
        case _:
            raise ValueError(f"measurement is 'nominal', 'ordinal' or 'interval', not {measurement!r}")


def _bootstrap(
    counts: Floats, values: Floats, measurement: Measurement, *, rng: np.random.Generator, draws: int, level: float
) -> Interval | None:
    units = len(counts)
    resampled = rng.multinomial(units, np.full(units, 1 / units), size=draws).astype(np.float64)
    pairs = [_disagreements(counts, weights, values, measurement) for weights in resampled]
    alphas = np.array([1 - observed / expected for observed, expected in pairs if expected > 0])
    if not len(alphas):
        return None
    low, high = np.quantile(alphas, [(1 - level) / 2, (1 + level) / 2])
    missing = 1 - len(alphas) / draws
    return Interval(
        low=float(low), high=float(high), level=level, method=f"percentile bootstrap over units, {draws} draws",
        approximate=bool(missing > UNDEFINED_DRAWS or low == high),
    )  # fmt: skip
