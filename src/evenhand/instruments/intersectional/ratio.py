"""Ratios of sums over items, with intervals that know that items of one template resemble each other."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from evenhand.core.results import Interval

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One number of the instrument.

    Attributes
    ----------
    value
        None where it is undefined; `reason` then says why.
    numerator, denominator
        The counts behind it.
    n_questions
        Templates with anything in the denominator: the clusters of the interval.
    interval
        Speaks about templates like these; None where the value is, with one template, or where nothing varies between
        them.
    """

    value: float | None
    numerator: float
    denominator: float
    n_questions: int
    interval: Interval | None = None
    reason: str = ""


def ratio(
    numerator: NDArray[np.number],
    denominator: NDArray[np.number],
    question: NDArray[np.integer],
    *,
    level: float = 0.95,
    low: float = 0.0,
    high: float = 1.0,
    undefined: str = "nothing to divide by",
) -> Figure:
    """Divide two sums over items.

    Parameters
    ----------
    numerator, denominator
        (N,) of each item; what does not take part is 0 in both.
    question
        (N,) code of the item's template.
    low, high
        Range of the ratio; the interval stays inside.

    Notes
    -----
    Linearised variance of a ratio of cluster totals (Cochran 1977, Sampling Techniques, 6.3) with Student's t at
    m − 1 degrees of freedom, m templates. Replicates of an item and items of a template never count as independent.
    """
    size = int(question.max(initial=-1)) + 1
    above = np.bincount(question, weights=numerator, minlength=size)
    below = np.bincount(question, weights=denominator, minlength=size)
    top, bottom, clusters = float(above.sum()), float(below.sum()), int((below > 0).sum())
    if bottom == 0:
        return Figure(value=None, numerator=top, denominator=bottom, n_questions=clusters, reason=undefined)
    value = top / bottom
    used = below > 0
    spread = above[used] - value * below[used]
    interval = _interval(value, spread, bottom, clusters, level, low, high)
    return Figure(value=value, numerator=top, denominator=bottom, n_questions=clusters, interval=interval)


def difference(
    first: tuple[NDArray[np.number], NDArray[np.number]],
    second: tuple[NDArray[np.number], NDArray[np.number]],
    question: NDArray[np.integer],
    *,
    level: float = 0.95,
    weight: float = 1.0,
    low: float = -1.0,
    high: float = 1.0,
    undefined: str = "one of the two is undefined",
) -> Figure:
    """Subtract two ratios over the same templates (or average them: `weight` times first plus (that) times second).

    Parameters
    ----------
    first, second
        Numerator and denominator, (N,) each.
    weight
        Of each ratio; the second enters with the opposite sign for 1.0, with the same for 0.5.

    Notes
    -----
    As `ratio`: the two linearised spreads are subtracted template by template, so that what both share cancels.
    """
    size = int(question.max(initial=-1)) + 1
    sums = [[np.bincount(question, weights=part, minlength=size) for part in pair] for pair in (first, second)]
    bottoms = [float(below.sum()) for _, below in sums]
    used = (sums[0][1] > 0) | (sums[1][1] > 0)
    clusters = int(used.sum())
    if 0 in bottoms:
        return Figure(value=None, numerator=0, denominator=0, n_questions=clusters, reason=undefined)
    values = [float(above.sum()) / bottom for (above, _), bottom in zip(sums, bottoms, strict=True)]
    signs = (weight, -weight) if weight == 1.0 else (weight, weight)
    spread = sum(
        sign * (above[used] - value * below[used]) / bottom
        for sign, value, (above, below), bottom in zip(signs, values, sums, bottoms, strict=True)
    )
    value = sum(sign * each for sign, each in zip(signs, values, strict=True))
    interval = _interval(value, np.asarray(spread), 1.0, clusters, level, low, high)
    return Figure(value=value, numerator=value, denominator=1.0, n_questions=clusters, interval=interval)


def _interval(
    value: float, spread: Floats, bottom: float, clusters: int, level: float, low: float, high: float
) -> Interval | None:
    if clusters < 2:
        return None
    variance = clusters / (clusters - 1) * float((spread**2).sum()) / bottom**2
    if variance == 0:
        return None
    half = _t(clusters - 1, level) * sqrt(variance)
    return Interval(
        low=max(low, value - half),
        high=min(high, value + half),
        level=level,
        method=f"linearised ratio, t with {clusters - 1} degrees of freedom",
        target="prompts like these",
    )


def _t(degrees: int, level: float) -> float:
    from scipy.special import stdtrit  # slow to import

    return float(stdtrit(degrees, (1 + level) / 2))
