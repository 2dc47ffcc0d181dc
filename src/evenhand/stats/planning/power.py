"""The chance that an effect of a given size is found, by a test, by a limit, and by both."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LIMIT_ALPHA = 0.05
"""A one-sided 95% limit misses the truth on its side this often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """Chances in [0, 1] at one size of the effect.

    Attributes
    ----------
    test
        That the test against "no effect" rejects.
    limit
        That the one-sided 95% limit on the good side lies beyond the cut.
    both
        That both happen, which is what a verdict other than "pass" needs.
    """

    test: float
    limit: float
    both: float


def power_of_draws(
    null: Floats,
    at_cut: Floats,
    truth: Floats,
    *,
    alpha: float,
    limit_alpha: float = LIMIT_ALPHA,
    tested: tuple[Floats, Floats] | None = None,
) -> Power:
    """Count how often draws of a statistic under the truth exceed what the null and the cut make credible.

    Parameters
    ----------
    null, at_cut, truth
        (draws,) of the statistic, larger for larger effects. That of `at_cut` is what the limit inverts: the limit
        lies beyond the cut exactly where a value so large is rarer than `limit_alpha` at the cut.
    alpha
        Level of the test, in (0, 1).
    tested
        (draws,) of the test's own statistic under the null and under the truth, the latter from the same samples as
        `truth`; None if the test reads the statistic itself.
    """
    under_null, under_truth = tested or (null, truth)
    rejects = exceeds(under_truth, under_null, alpha)
    beyond = exceeds(truth, at_cut, limit_alpha)
    return Power(test=float(rejects.mean()), limit=float(beyond.mean()), both=float((rejects & beyond).mean()))


def exceeds(drawn: Floats, law: Floats, alpha: float) -> NDArray[np.bool_]:
    """Say which values have a mid-p below `alpha` under a law given by its draws; (draws,) flags."""
    ordered = np.sort(law)
    slack = 1e-9 * np.maximum(1.0, np.abs(drawn))  # one number, computed in two ways
    above = len(ordered) - np.searchsorted(ordered, drawn + slack, side="right")
    as_large = len(ordered) - np.searchsorted(ordered, drawn - slack, side="left")
    found: NDArray[np.bool_] = (above + as_large) / 2 / len(ordered) < alpha
    return found
