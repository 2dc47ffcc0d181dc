"""Tails of a sum that is nearly normal but skewed, from its first three cumulants."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

STILL = 1e-9
"""A standard deviation below this is none: the sum has one value."""
_SYMMETRIC = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cumulants:
    """Mean, variance and third central moment; arrays of one shape, or numbers. Those of independent parts add."""

    mean: Floats
    variance: Floats
    third: Floats


def chance_below(x: float, cumulants: Cumulants) -> Floats:
    """Return the probability of a value below `x`; a half where the only value is `x` itself.

    Notes
    -----
    A gamma law, shifted and if need be mirrored, with these three cumulants (Pearson's type III). Exact for the
    chi-square laws that divergences follow near their minimum, and normal where nothing is skewed.
    """
    from scipy.special import gammainc, gammaincc, ndtr  # slow to import

    mean, deviation, skewness = _standard(cumulants)
    still = deviation < STILL
    z = (x - mean) / np.where(still, 1.0, deviation)
    skewed = np.abs(skewness) > _SYMMETRIC
    k = np.where(skewed, skewness, 1.0)
    shape = 4 / k**2
    at = np.maximum(shape + 2 * z / k, 0.0)
    gamma = np.where(k > 0, gammainc(shape, at), gammaincc(shape, at))
    with_spread = np.where(skewed, gamma, ndtr(z))
    single = np.where(np.abs(x - mean) < STILL, 0.5, (x > mean).astype(np.float64))
    below: Floats = np.where(still, single, with_spread)
    return below


def quantile(chance: float, cumulants: Cumulants) -> Floats:
    """Return the value below which a sum lies with probability `chance`, in (0, 1)."""
    from scipy.special import gammaincinv, ndtri  # slow to import

    mean, deviation, skewness = _standard(cumulants)
    skewed = np.abs(skewness) > _SYMMETRIC
    k = np.where(skewed, skewness, 1.0)
    shape = 4 / k**2
    tail = np.where(k > 0, chance, 1 - chance)
    z = np.where(skewed, (gammaincinv(shape, tail) - shape) * k / 2, ndtri(chance))
    found: Floats = mean + deviation * z
    return found


def _standard(cumulants: Cumulants) -> tuple[Floats, Floats, Floats]:
    """Return mean, standard deviation and skewness."""
    mean = np.asarray(cumulants.mean, dtype=np.float64)
    deviation = np.sqrt(np.maximum(np.asarray(cumulants.variance, dtype=np.float64), 0.0))
    cubed = np.where(deviation < STILL, 1.0, deviation) ** 3
    return mean, deviation, np.where(deviation < STILL, 0.0, np.asarray(cumulants.third) / cubed)
