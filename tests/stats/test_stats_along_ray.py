"""Limits along a ray: against the exact inversion of a law known in closed form."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import foldnorm

from evenhand.stats.along_ray import limits_along_ray


def folded(draws=40_000, scale=1.0):
    """|t + noise|: the plug-in absolute difference of two groups, whose true value is t."""
    noise = np.random.default_rng(0).standard_normal(draws) * scale
    return lambda steps: (np.abs(steps[:, None] + noise), steps)


def test_limits_are_those_of_the_exact_inversion():
    """Folded normal at 3: P(V ≥ 3; low) = .025; P(V ≤ 3; high) = .025 · P(V ≤ 3; 0)."""
    ((low, high),) = limits_along_ray(3.0, folded(), tails=[0.025])
    exact_low = brentq(lambda m: foldnorm.sf(3, m) - 0.025, 0, 3)
    exact_high = brentq(lambda m: foldnorm.cdf(3, m) - 0.025 * foldnorm.cdf(3, 0), 3, 9)
    assert (low, high) == pytest.approx((exact_low, exact_high), abs=0.04)


def test_zero_is_covered_where_no_difference_would_do_as_well():
    """|noise| is 1 or more in a third of cases."""
    ((low, high),) = limits_along_ray(1.0, folded(), tails=[0.025])
    assert low == 0
    assert high > 1.96


def test_the_upper_limit_never_collapses():
    """An observed 0 proves no bound below what the sample can show."""
    ((low, high),) = limits_along_ray(0.01, folded(), tails=[0.025])
    assert (low, high > 1.5) == (0, True)


def test_what_does_not_scatter_has_its_own_value_as_limits():
    """A law without noise."""
    ((low, high),) = limits_along_ray(
        0.3, lambda steps: (0.3 * np.repeat(steps[:, None], 5, 1), 0.3 * steps), tails=[0.025]
    )
    assert (low, high) == pytest.approx((0.3, 0.3), abs=0.02)


def test_smaller_tails_are_wider():
    """A 95% interval contains the one-sided 95% limits."""
    wide, narrow = limits_along_ray(2.5, folded(4_000), tails=[0.025, 0.05])
    assert wide[0] <= narrow[0] <= narrow[1] <= wide[1]
