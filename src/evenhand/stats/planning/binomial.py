"""Power for a share against a baseline, exactly: what the smallest detectable ratio rests on."""

import numpy as np
from numpy.typing import NDArray

from evenhand.stats.planning.power import LIMIT_ALPHA, Power

Flags = NDArray[np.bool_]


def ratio_power(trials: int, baseline: float, *, ratio: float, cut: float, alpha: float, among: int = 1) -> Power:
    """Chance that a share of `ratio` × `baseline` is told from the baseline, and its ratio from `cut`.

    Parameters
    ----------
    trials
        Outputs, at least 1.
    baseline
        Share in the world, in (0, 1).
    ratio
        True share over baseline, at most 1 / baseline. Below 1 it is looked for on the other side.
    cut
        Ratio that the one-sided 95% limit must lie beyond: above 1 for ratios above 1, below 1 for the others.
    alpha
        Level of the two-sided test.
    among
        Ratios that are tested at once, by Bonferroni.

    Returns
    -------
    Power
        Exact. Limits are those of Clopper and Pearson (1934), Biometrika 26:404-413; the test is the binomial one,
        two-sided, mid-p.

    Raises
    ------
    ValueError
        If baseline or share is no share, or ratio and cut do not lie on one side of 1.

    Examples
    --------
    All of n outputs, against a baseline of one half: .5 ** n must fall below .025, and mid-p halves it.

    >>> from evenhand.stats.planning import ratio_power
    >>> [ratio_power(n, 0.5, ratio=2, cut=1.01, alpha=0.05).both for n in (4, 5)]
    [0.0, 1.0]
    """
    share, bound = ratio * baseline, cut * baseline
    if not (0 < baseline < 1 and 0 <= share <= 1 + 1e-9 and (ratio - 1) * (cut - 1) > 0):
        raise ValueError("baseline and ratio × baseline are shares, and ratio and cut lie on one side of 1")
    share = min(share, 1.0)
    if ratio < 1:  # the same question about all the other outputs
        share, bound, baseline = 1 - share, 1 - bound, 1 - baseline
    return _power_above(trials, baseline, share, bound, alpha / among, LIMIT_ALPHA / among)


def _power_above(n: int, null: float, truth: float, bound: float, alpha: float, limit_alpha: float) -> Power:
    from scipy.stats import binom  # slow to import

    k = np.arange(n + 1)
    at, above = binom.pmf(k, n, null), binom.sf(k, n, null)
    rejects: Flags = 2 * (above + at / 2) < alpha
    # a limit of exactly the bound is not beyond it; a bound of 1 is never passed
    beyond: Flags = binom.sf(k - 1, n, bound) < limit_alpha if bound < 1 else np.zeros(n + 1, dtype=bool)
    chance = binom.pmf(k, n, truth)

    def of(flags: Flags) -> float:
        return min(1.0, float(chance[flags].sum()))

    return Power(test=of(rejects), limit=of(beyond), both=of(rejects & beyond))
