"""Limits of a quantity that has a smallest value, by asking at which true values the observed one is no surprise."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Tails = Callable[[Floats], Floats]
"""Steps (T,) to chances (3, T): at least the observed value, at most the credited one, at most the first quartile."""

REACH = np.concatenate([[0.0], 2.0 ** np.arange(-4, 13)])
"""Steps between which limits are looked for."""
FINER = 7
"""Steps looked at between two of those, for each limit."""
_EDGE = 1e-12
_OBSERVED, _CREDITED, _QUARTILE = range(3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """True values.

    Attributes
    ----------
    low, high
        Of the two-sided interval.
    lower, upper
        One-sided limits, each on its own.
    """

    low: float
    high: float
    lower: float
    upper: float


def limits_by_inversion(
    tails: Tails, true: Callable[[Floats], Floats], *, null_p: float, luck: float, level: float, one_sided: float
) -> Limits:
    """Invert tests along a ray from no difference (step 0) through what was seen (1) and beyond.

    Parameters
    ----------
    tails
        Chances at steps along the ray. The credited value is the observed one, but at
        least the first quartile of its law without any difference, which is also the third value.
    true
        True values at steps (T,), growing.
    null_p
        p-value of the test of no difference: what `tails` says of step 0 gives way to it, so that the interval holds
        step 0 exactly when that test does not reject at 1 − `level`.
    luck
        Chance of a value below the credited one without any difference.
    level, one_sided
        Of the two-sided interval, and of each one-sided limit.

    Notes
    -----
    The upper limit multiplies its tail by `luck`, so that good luck in a run without differences does not prove a
    bound below what the sample could show (Read 2002, J. Phys. G 28:2693-2704). True values below the smallest upper
    limit that any data could yield are then missed on one side only, and that side has the whole of 1 − `level`; above
    it has half (as in the unified intervals of Feldman and Cousins 1998, Phys. Rev. D 57:3873-3889). The direction of
    the ray is a nuisance set to its estimate, so coverage has to be shown by simulation.
    """
    curve = _Curve(tails, true, null_p)
    alpha, single = 1 - level, 1 - one_sided
    lower_half, lower_whole, lower = (curve.rising(a) for a in (alpha / 2, alpha, single))
    high, upper = (curve.falling(a * luck, _CREDITED) for a in (alpha / 2, single))
    smallest = curve.falling(alpha / 2 * 0.25, _QUARTILE)
    low = max(lower_half, min(lower_whole, smallest))
    return Limits(low=low, high=max(high, low), lower=lower, upper=max(upper, lower))


class _Curve:
    """Chances along the ray, looked at coarsely once and finely where a limit lies."""

    def __init__(self, tails: Tails, true: Callable[[Floats], Floats], null_p: float) -> None:
        self._tails, self._true, self._null_p = tails, true, null_p
        self._coarse = tails(REACH)
        self._fine: dict[int, tuple[Floats, Floats]] = {}

    def rising(self, level: float) -> float:
        """Return the true value from which one as large as the observed one has at least this chance."""
        if self._null_p >= level - _EDGE:
            return 0.0
        return self._crossing(level, lambda chances, steps: self._at_least(chances[_OBSERVED], steps), sign=1)

    def falling(self, level: float, row: int) -> float:
        """Return the true value from which one as small as that of the row has at most this chance."""
        return self._crossing(level, lambda chances, steps: np.minimum.accumulate(chances[row]), sign=-1)

    def _at_least(self, tail: Floats, steps: Floats) -> Floats:
        # monotone against the noise of draws
        grown: Floats = np.maximum.accumulate(np.where(steps == 0, self._null_p, tail))
        return grown

    def _crossing(self, level: float, tail: Callable[[Floats, Floats], Floats], *, sign: int) -> float:
        after = int(np.searchsorted(sign * tail(self._coarse, REACH), sign * level))
        if after in (0, len(REACH)):
            return float(self._true(REACH[[min(after, len(REACH) - 1)]])[0])
        if after not in self._fine:
            steps = np.linspace(REACH[after - 1], REACH[after], FINER)
            self._fine[after] = steps, self._tails(steps)
        steps, chances = self._fine[after]
        step = np.interp(sign * _probit(level), sign * _probit(tail(chances, steps)), steps)
        return float(self._true(np.array([step]))[0])


def _probit(chance: Floats | float) -> Floats:
    from scipy.special import ndtri  # slow to import

    found: Floats = np.asarray(ndtri(np.clip(chance, _EDGE, 1 - _EDGE)))
    return found
