"""Limits for a disparity: which sizes of the differences seen would not make the observed number a surprise."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Simulate = Callable[[Floats], tuple[Floats, Floats]]
"""Steps (T,) to plug-in values (T, draws) and true values (T,)."""

GRID = 24
LUCK = 0.25
REACH = np.concatenate([[0.0], 2.0 ** np.arange(-4, 13)])
"""Steps between which limits are looked for."""

SAME = 1e-9


def limits_along_ray(
    observed: float, simulate: Simulate, *, tails: Sequence[float], grid: int = GRID
) -> list[tuple[float, float]]:
    """Invert a simulated law along the ray from no difference (0) through the differences seen (1) and beyond.

    Parameters
    ----------
    observed
        Plug-in value, at least 0.
    simulate
        Law of the plug-in value, and the true value, at given steps along the ray, both growing with the step; the
        same random numbers for every step.
    tails
        Probability on each side, of each pair of limits: .025 for a two-sided 95% interval.
    grid
        Steps looked at between those of `REACH` that enclose a limit.

    Returns
    -------
    list of (lower, upper)
        True values.

    Notes
    -----
    A plug-in disparity is not negative and scatters upwards, so that neither a bootstrap nor a normal interval covers
    (both are centred above the truth, and never reach 0). Here the lower limit is the true value at which a plug-in
    value at least as large has the tail's probability, and 0 if it is that likely without any difference. The upper
    one likewise, with the probability multiplied by that of a value as small without any difference, so that luck in a
    run without differences does not prove a bound below what the sample could show (Read 2002, J. Phys. G
    28:2693-2704); a value below the first quartile of that law counts as that quartile. The direction of the ray is a
    nuisance set to its estimate, so coverage is shown by simulation.
    """
    plug_in, true = simulate(REACH)
    # what is too small for chance shows that the law is too wide, not that there is less than no difference
    credited = max(observed, float(np.quantile(plug_in[0], LUCK)))
    luck = float((plug_in[0] <= credited + SAME).mean())
    at_most, at_least = _Tail(credited, -1), _Tail(observed, 1)
    upper = at_most.crossings([tail * luck for tail in tails], simulate, at_most.chance(plug_in), true, grid)
    lower = at_least.crossings(tails, simulate, at_least.chance(plug_in), true, grid)
    return [(low, max(low, high)) for low, high in zip(lower, upper, strict=True)]


@dataclass(frozen=True, slots=True)
class _Tail:
    """Probability of a plug-in value as small (sign −1) or as large (sign 1), as it falls or grows along the ray."""

    value: float
    sign: int

    def chance(self, plug_in: Floats) -> Floats:
        """Return it at each step, made monotone against Monte-Carlo noise."""
        chance = (self.sign * (plug_in - self.value) >= -SAME).mean(axis=1)
        return np.maximum.accumulate(chance) if self.sign > 0 else np.minimum.accumulate(chance)

    def crossings(
        self, levels: Sequence[float], simulate: Simulate, chance: Floats, true: Floats, grid: int
    ) -> list[float]:
        """Return the true values at which it crosses these probabilities; the nearest end where it does not."""
        # the last step before the first crossing, and the first after the last one
        order = [int(np.searchsorted(self.sign * chance, self.sign * level)) for level in levels]
        first, last = REACH[max(min(order) - 1, 0)], REACH[min(max(order), len(REACH) - 1)]
        if last > first:
            plug_in, true = simulate(np.linspace(first, last, grid))
            chance = self.chance(plug_in)
        grown = np.maximum.accumulate(true)
        return [float(np.interp(self.sign * level, self.sign * chance, grown)) for level in levels]
