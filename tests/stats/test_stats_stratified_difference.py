"""Differences over strata: published examples, scipy, symmetry."""

import numpy as np
import pytest
from scipy.stats import ttest_ind

from evenhand.stats.stratified_difference import mover, stratified_newcombe, welch


def test_one_stratum_is_newcombes_interval():
    """Newcombe (1998), table II, method 10: 56/70 − 48/80 and 9/10 − 3/10."""
    assert stratified_newcombe([56], [70], [48], [80]) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert stratified_newcombe([9], [10], [3], [10]) == pytest.approx((0.1705, 0.8090), abs=5e-5)


def test_equal_strata_narrow_with_their_root():
    """Four equal strata: half the distances of one."""
    low, high = stratified_newcombe([5], [10], [3], [10])
    four = stratified_newcombe([5] * 4, [10] * 4, [3] * 4, [10] * 4)
    assert four == pytest.approx((0.2 - (0.2 - low) / 2, 0.2 + (high - 0.2) / 2))


def test_swapping_the_groups_flips_the_sign():
    """Low of one is minus high of the other."""
    low, high = stratified_newcombe([1, 4], [10, 8], [3, 0], [12, 9])
    assert stratified_newcombe([3, 0], [12, 9], [1, 4], [10, 8]) == pytest.approx((-high, -low))


def test_no_success_anywhere_leaves_doubt():
    """0/10 against 0/10: Wilson's upper limit on either side."""
    low, high = stratified_newcombe([0], [10], [0], [10])
    assert (low, high) == pytest.approx((-0.2775, 0.2775), abs=5e-5)


def test_welch_is_that_of_scipy():
    """Variances and sizes differ."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(0, 1, 12), rng.normal(1, 3, 30)
    expected = ttest_ind(a, b, equal_var=False).confidence_interval(0.95)
    variances = (a.var(ddof=1) / 12, b.var(ddof=1) / 30)
    assert welch(a.mean() - b.mean(), variances, (11, 29)) == pytest.approx((expected.low, expected.high))


def test_welch_of_what_does_not_vary_is_the_difference():
    """No scatter, no interval around it, no warning."""
    assert welch(2.0, (0.0, 0.0), (9, 9)) == (2.0, 2.0)


def test_mover_of_symmetric_limits_adds_squares():
    """Half-widths 3 and 4 make 5."""
    one = (np.array([10.0]), np.array([7.0]), np.array([13.0]))
    two = (np.array([6.0]), np.array([2.0]), np.array([10.0]))
    assert mover(4.0, one, two) == (-1.0, 9.0)
