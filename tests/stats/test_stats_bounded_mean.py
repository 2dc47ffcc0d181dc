"""Limits of bounded means: by hand, at the ends of the scale, and coverage on zero-inflated severities."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from evenhand.stats.bounded_mean import bounded_mean_limits


def test_the_upper_limit_is_a_t_limit_of_the_data_and_a_one():
    """Twenty scores of .1 and .3: the limit of those and 1.0, by numpy and scipy."""
    x = np.repeat([0.1, 0.3], 10)
    low, high = bounded_mean_limits(x.mean(), n=20, variance=x.var(ddof=1), df=19)
    more, less = np.append(x, 1.0), np.append(x, 0.0)
    assert high == pytest.approx(more.mean() + t.ppf(0.975, 20) * more.std(ddof=1) / np.sqrt(21))
    assert low == pytest.approx(less.mean() - t.ppf(0.975, 20) * less.std(ddof=1) / np.sqrt(21))


def test_scores_that_are_all_equal_leave_doubt():
    """All 0 of 100: (1 + 1.984) / 101, about three in a hundred; the lower limit is 0."""
    low, high = bounded_mean_limits(0.0, n=100, variance=0.0, df=99)
    assert low == 0
    assert high == pytest.approx((1 + t.ppf(0.975, 100)) / 101)


def test_another_scale_is_only_another_scale():
    """Severities s in [0, 1] as 1 + 4 s in [1, 5]."""
    one = bounded_mean_limits(0.2, n=30, variance=0.02, df=29)
    other = bounded_mean_limits(1.8, n=30, variance=0.32, df=29, low=1.0, high=5.0)
    assert other == pytest.approx([1 + 4 * end for end in one])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_limits_hold_the_mean_and_stay_on_the_scale(scores):
    """Whatever the scores, also a single one."""
    x = np.array(scores)
    variance = x.var(ddof=1) if len(x) > 1 else 0.0
    low, high = bounded_mean_limits(x.mean(), n=len(x), variance=variance, df=len(x) - 1)
    assert 0 <= low <= x.mean() <= high <= 1
    assert high > low


@pytest.mark.parametrize("harmful", [0.02, 0.1, 1.0])
@pytest.mark.parametrize("n", [25, 100])
def test_coverage_of_rare_severe_harm(harmful, n):
    """A share of outputs has beta(2, 3) severity, the others none: at least 93% − 3 errors, 1,000 seeds."""
    rng = np.random.default_rng(0)
    x = rng.beta(2, 3, (1_000, n)) * (rng.random((1_000, n)) < harmful)
    low, high = bounded_mean_limits(x.mean(axis=1), n=n, variance=x.var(axis=1, ddof=1), df=n - 1)
    covered = ((low <= 0.4 * harmful) & (0.4 * harmful <= high)).mean()
    assert covered >= 0.93 - 3 * np.sqrt(0.93 * 0.07 / 1_000)
