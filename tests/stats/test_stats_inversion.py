"""Limits by inversion, the law of means of counts, and the ray that is followed."""

import numpy as np
import pytest
from scipy.stats import binom, chi2, norm

from evenhand.stats.count_law import CountLaw
from evenhand.stats.inversion import limits_by_inversion
from evenhand.stats.levelled import levelled
from evenhand.stats.share_ray import shares_along_ray
from evenhand.stats.skewed_tail import Cumulants, chance_below, quantile


def shifted(observed, *, null_p):
    """A normal law with deviation 1 around the step, which is the true value."""
    credited = max(observed, float(norm.ppf(0.25)))

    def tails(steps):
        return np.stack([norm.sf(observed - steps), norm.cdf(credited - steps), norm.cdf(norm.ppf(0.25) - steps)])

    return limits_by_inversion(
        tails, lambda steps: steps, null_p=null_p, luck=float(norm.cdf(credited)), level=0.95, one_sided=0.95
    )


def test_limits_of_a_normal_law_are_its_quantiles():
    """Far from 0 luck plays no part: 6 ± 1.96, and 6 ± 1.645 on each side."""
    found = shifted(6.0, null_p=1e-9)
    assert (found.low, found.high) == pytest.approx((6 - norm.ppf(0.975), 6 + norm.ppf(0.975)), abs=0.01)
    assert (found.lower, found.upper) == pytest.approx((6 - norm.ppf(0.95), 6 + norm.ppf(0.95)), abs=0.01)


@pytest.mark.parametrize(("null_p", "holds_zero"), [(0.051, True), (0.05, True), (0.049, False), (0.03, False)])
def test_zero_is_inside_exactly_when_the_test_does_not_reject(null_p, holds_zero):
    """Also where the two-sided tail of .025 alone would not tell."""
    found = shifted(float(norm.isf(null_p)), null_p=null_p)
    assert (found.low == 0, found.lower == 0) == (holds_zero, holds_zero)


def test_good_luck_proves_no_bound():
    """An observed value far too small for chance has the upper limit of the first quartile."""
    assert shifted(-9.0, null_p=1.0).high == pytest.approx(shifted(float(norm.ppf(0.25)), null_p=1.0).high)


def test_gamma_and_normal_tails_are_those_of_scipy():
    """Chi-square with 3 degrees has mean 3, variance 6, third moment 24; without skewness the law is normal."""
    square = Cumulants(mean=np.array(3.0), variance=np.array(6.0), third=np.array(24.0))
    assert chance_below(5.0, square) == pytest.approx(chi2.cdf(5, 3))
    assert quantile(0.25, square) == pytest.approx(chi2.ppf(0.25, 3))
    mirrored = Cumulants(mean=np.array(-3.0), variance=np.array(6.0), third=np.array(-24.0))
    assert chance_below(-5.0, mirrored) == pytest.approx(chi2.sf(5, 3))
    assert quantile(0.25, mirrored) == pytest.approx(-chi2.ppf(0.75, 3))
    even = Cumulants(mean=np.array(1.0), variance=np.array(4.0), third=np.array(0.0))
    assert chance_below(2.0, even) == pytest.approx(norm.cdf(0.5))
    still = Cumulants(mean=np.array([1.0]), variance=np.array([0.0]), third=np.array([0.0]))
    assert [float(chance_below(x, still)[0]) for x in (0.5, 1.0, 1.5)] == [0, 0.5, 1]


def first_count(n, *, cells=1):
    """A law that reads the first of two counts as a share."""
    return CountLaw(
        n=np.full(cells, n),
        size=np.full(cells, 2),
        weights=np.full(cells, 1 / cells),
        read=lambda counts, _: counts[..., 0] / n,
        seed=1,
    )


def test_one_cell_has_its_binomial_law():
    """Below .3 of ten, and half of exactly .3."""
    shares = np.array([[[p, 1 - p]] for p in (0.2, 0.5)])
    expected = binom.cdf(2, 10, [0.2, 0.5]) + binom.pmf(3, 10, [0.2, 0.5]) / 2
    assert first_count(10).below([0.3], shares)[0] == pytest.approx(expected)
    assert first_count(10).same(np.array([0.3]), shares) == pytest.approx(binom.pmf(3, 10, [0.2, 0.5]))


@pytest.mark.parametrize("n", [10, 40_000])
def test_a_mean_of_cells_has_nearly_the_law_of_the_pooled_count(n):
    """Four cells of n are one of 4n; many outcomes are drawn, within three errors of the draws."""
    at = np.full((1, 4, 2), 0.5)
    x = 0.5 + 0.5 / np.sqrt(4 * n)
    expected = binom.cdf(x * 4 * n, 4 * n, 0.5)
    assert first_count(n, cells=4).below([x + 1e-6], at)[0, 0] == pytest.approx(expected, abs=0.07)


def test_the_ray_starts_at_the_origin_and_passes_near_what_was_seen():
    """Step 0 is the reference, step 1 the shares with one output's weight of it."""
    q, counts = np.array([[0.5, 0.3, 0.2]]), np.array([[8.0, 1, 1]])
    start, near = shares_along_ray(q, counts, np.array([0.0, 1.0]))
    assert start[0] == pytest.approx(q[0])
    assert near[0] == pytest.approx((counts[0] + q[0]) / 11)


def test_levelled_cells_are_equally_far_off_in_their_own_directions():
    """All women and all men, and an even scenario."""
    q = np.full((3, 2), 0.5)
    found = levelled(q, np.array([[10.0, 0], [0, 10], [5, 5]]), np.full(3, 2))
    assert found.sum(axis=1) == pytest.approx([10, 10, 10])
    assert found[0] == pytest.approx(found[1][::-1])
    assert 5 < found[0, 0] < 10
