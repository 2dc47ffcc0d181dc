"""Exact coverage of the proportion intervals: the published table, and brute force."""

import numpy as np
import pytest
from scipy.stats import binom
from statsmodels.stats.proportion import proportion_confint

from evenhand.stats.intervals import METHODS, coverage_at, exact_coverage


@pytest.mark.parametrize(
    ("method", "minimum", "mean"),
    [
        ("wilson", 0.837, 0.953),
        ("corrected-wilson", 0.858, 0.957),
        ("clopper-pearson", 0.951, 0.975),
        ("jeffreys", 0.891, 0.951),
    ],
)
def test_twenty_five_trials_have_the_stated_coverage(method, minimum, mean):
    """As stated for n = 25; Jeffreys' infimum is .8905, which the statement rounds up."""
    coverage = exact_coverage(method, 25)
    assert coverage.minimum == pytest.approx(minimum, abs=6e-4)
    assert coverage.mean == pytest.approx(mean, abs=5e-4)


# computed apart from Evenhand: limits from scipy's beta law and by hand, binomial masses at both sides of every
# limit for the minimum, and the average over 9,999 shares for the mean
TABLE = [
    (5, "wilson", 0.8315, 0.9552),
    (5, "corrected-wilson", 0.9041, 0.9675),
    (5, "clopper-pearson", 0.9750, 0.9904),
    (5, "jeffreys", 0.8924, 0.9576),
    (10, "wilson", 0.8350, 0.9541),
    (10, "corrected-wilson", 0.8795, 0.9623),
    (10, "clopper-pearson", 0.9610, 0.9838),
    (10, "jeffreys", 0.8681, 0.9533),
    (50, "wilson", 0.8376, 0.9518),
    (50, "corrected-wilson", 0.8486, 0.9539),
    (50, "clopper-pearson", 0.9508, 0.9693),
    (50, "jeffreys", 0.8838, 0.9502),
    (100, "wilson", 0.8379, 0.9511),
    (100, "corrected-wilson", 0.8436, 0.9523),
    (100, "clopper-pearson", 0.9503, 0.9646),
    (100, "jeffreys", 0.8801, 0.9499),
]


@pytest.mark.parametrize(("n", "method", "minimum", "mean"), TABLE)
def test_coverage_agrees_with_a_separate_enumeration(n, method, minimum, mean):
    """Minimum and mean, to four digits."""
    coverage = exact_coverage(method, n)
    assert coverage.minimum == pytest.approx(minimum, abs=6e-5)
    assert coverage.mean == pytest.approx(mean, abs=1.1e-4)


@pytest.mark.parametrize(("ours", "theirs"), [("wilson", "wilson"), ("clopper-pearson", "beta")])
def test_coverage_at_a_share_agrees_with_enumeration_over_the_limits_of_statsmodels(ours, theirs):
    """The same sum, from another library's limits."""
    n, shares = 25, np.linspace(0.013, 0.987, 200)
    low, high = proportion_confint(np.arange(n + 1), n, method=theirs)
    expected = [(binom.pmf(np.arange(n + 1), n, p) * ((low <= p) & (p <= high))).sum() for p in shares]
    assert coverage_at(shares, ours, n, level=0.95) == pytest.approx(np.array(expected), abs=1e-9)


@pytest.mark.parametrize("method", sorted(METHODS))
def test_no_share_is_covered_less_often_than_the_minimum(method):
    """The minimum bounds a fine grid from below, and a share beside it comes close."""
    least = exact_coverage(method, 25)
    assert coverage_at(np.linspace(0.0005, 0.9995, 2000), method, 25).min() >= least.minimum - 1e-12
    beside = coverage_at([least.at - 1e-9, least.at + 1e-9], method, 25)
    assert beside.min() == pytest.approx(least.minimum, abs=1e-6)


@pytest.mark.parametrize("n", [1, 2, 7, 33])
def test_the_exact_interval_keeps_its_level(n):
    """Clopper-Pearson never covers less than it promises."""
    assert exact_coverage("clopper-pearson", n, level=0.9).minimum >= 0.9
