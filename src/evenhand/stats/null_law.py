"""A statistic against its law without the effect: draws in; mean, 95% quantile and p-value out."""

from dataclasses import dataclass
from math import erfc, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

RELATIVE, ABSOLUTE = 1e-5, 1e-6
"""Numbers no further apart are the same: draws are computed in single precision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Null:
    """What the statistic would be without the effect.

    Attributes
    ----------
    expected, q95
        Mean and 95% quantile of the draws.
    p_value
        Of a value as large as the one observed, in (0, 1].
    draws
        In which the statistic was defined.
    """

    expected: float
    q95: float
    p_value: float
    draws: int


def null_law(observed: float, draws: ArrayLike) -> Null | None:
    """Compare one number with (d,) draws of it; as `null_laws`."""
    return null_laws([observed], np.asarray(draws)[None])[0]


def null_laws(observed: ArrayLike, draws: ArrayLike) -> list[Null | None]:
    """Compare m numbers with their draws.

    Parameters
    ----------
    observed
        (m,), not NaN.
    draws
        (m, d), NaN where the statistic was not defined.

    Returns
    -------
    list of Null
        None where no draw is defined.

    Notes
    -----
    Mid-p: draws equal to the observed number count half, as does the observed number itself, so that a test on few
    distinct values neither hides nor invents an effect (Lancaster 1961, JASA 56:223-234). If every draw equals it,
    nothing could have been seen, and p is 1.

    Examples
    --------
    >>> from evenhand.stats.null_law import null_law
    >>> null_law(3, [1, 2, 3, 4]).p_value
    0.4
    """
    seen, drawn = np.asarray(observed, dtype=np.float64), np.asarray(draws, dtype=np.float64)
    known = ~np.isnan(drawn)
    n = known.sum(axis=1)
    with np.errstate(invalid="ignore"):
        same = np.abs(drawn - seen[:, None]) <= ABSOLUTE + RELATIVE * np.abs(seen[:, None])
        above = ((drawn > seen[:, None]) & ~same).sum(axis=1)
    ties = same.sum(axis=1)
    p_value = np.where(ties == n, 1.0, (above + (ties + 1) / 2) / (n + 1))
    expected = np.where(known, drawn, 0.0).sum(axis=1) / np.maximum(n, 1)
    return [
        Null(expected=e, q95=q, p_value=p, draws=d) if d else None
        for e, q, p, d in zip(expected.tolist(), _q95(drawn, known), p_value.tolist(), n.tolist(), strict=True)
    ]


def two_sided_p(observed: float, draws: NDArray[np.floating], *, fewest: int = 999) -> float | None:
    """Mid-p of a difference as far from 0, on either side.

    With fewer than `fewest` draws, which is what large data get, the tail is that of a normal law with the standard
    deviation of the draws: Monte-Carlo tails of 99 draws end at .005, too coarse to be adjusted for many comparisons.
    """
    law = null_law(abs(observed), np.abs(draws))
    if law is None or law.draws >= fewest or law.p_value == 1:
        return None if law is None else law.p_value
    deviation = float(np.sqrt(np.nanmean(np.asarray(draws, dtype=np.float64) ** 2)))
    return erfc(abs(observed) / deviation / sqrt(2))


def _q95(drawn: Floats, known: NDArray[np.bool_]) -> list[float]:
    if known.all():
        found: list[float] = np.quantile(drawn, 0.95, axis=1).tolist()
        return found
    return [float(np.quantile(x[k], 0.95)) if k.any() else np.nan for x, k in zip(drawn, known, strict=True)]
