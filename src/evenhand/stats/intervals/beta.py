"""Intervals of a proportion that are quantiles of a beta law: exact, Jeffreys', and plain posteriors."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.core.results import Interval
from evenhand.stats.intervals.counts import check_counts, check_level


def clopper_pearson(successes: float, trials: float, *, level: float = 0.95) -> Interval:
    """Exact interval: both one-sided binomial tests, each at half the error.

    Parameters
    ----------
    successes, trials, level
        As for `wilson`; fractions by the beta form of the limits.

    Returns
    -------
    Interval
        Proportions in [0, 1]; covers at least `level`, and usually more.

    Raises
    ------
    ValueError
        As `wilson`.

    Notes
    -----
    Clopper and Pearson (1934), Biometrika 26:404-413. Assumes independent trials.
    """
    check_counts(successes, trials)
    check_level(level)
    failures, tail = trials - successes, (1 - level) / 2
    low = 0.0 if successes == 0 else _quantile(successes, failures + 1, tail)
    high = 1.0 if failures == 0 else _quantile(successes + 1, failures, 1 - tail)
    return Interval(low=low, high=high, level=level, method="clopper-pearson")


def jeffreys(successes: float, trials: float, *, level: float = 0.95) -> Interval:
    """Equal-tailed interval of the posterior under Jeffreys' prior, with the ends put right.

    Parameters
    ----------
    successes, trials, level
        As for `wilson`.

    Returns
    -------
    Interval
        Proportions in [0, 1]; the lower limit is 0 at no success, the upper 1 at no failure: a posterior quantile
        there would exclude the very share that was observed.

    Raises
    ------
    ValueError
        As `wilson`.

    Notes
    -----
    Brown, Cai and DasGupta (2001), Statistical Science 16:101-133, section 4.1.1. statsmodels leaves the ends at the
    posterior quantiles.
    """
    inner = BetaPosterior.of(successes, trials).interval(level=level)
    low = 0.0 if successes == 0 else inner.low
    high = 1.0 if successes == trials else inner.high
    return Interval(low=low, high=high, level=level, method="jeffreys")


@dataclass(frozen=True, slots=True, kw_only=True)
class BetaPosterior:
    """What a proportion may be after the data, as a beta law.

    Attributes
    ----------
    a, b
        Its parameters, above 0: successes and failures, each with the prior's share added.
    """

    a: float
    b: float

    @classmethod
    def of(cls, successes: float, trials: float, *, prior: float = 0.5) -> "BetaPosterior":
        """Build it from counts (fractions allowed) and a symmetric prior: ½ is Jeffreys', 1 the uniform one."""
        check_counts(successes, trials)
        if not prior > 0:
            raise ValueError(f"the prior must be above 0, not {prior}: a posterior needs weight at both ends")
        return cls(a=successes + prior, b=trials - successes + prior)

    @property
    def mean(self) -> float:
        """Posterior mean, in (0, 1)."""
        return self.a / (self.a + self.b)

    def interval(self, *, level: float = 0.95) -> Interval:
        """Equal-tailed credible interval, strictly inside (0, 1)."""
        check_level(level)
        tail = (1 - level) / 2
        low, high = _quantile(self.a, self.b, tail), _quantile(self.a, self.b, 1 - tail)
        return Interval(low=low, high=high, level=level, method=f"beta({self.a:g}, {self.b:g}) posterior")

    def draws(self, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw (size,) proportions, for quantities that combine several of them."""
        return rng.beta(self.a, self.b, size)


def _quantile(a: float, b: float, probability: float) -> float:
    from scipy.special import betaincinv  # slow to import, and most commands compute no interval

    return float(betaincinv(a, b, probability))
