"""Counts against shares: worked p-values, scipy's binomial test, brute force."""

from itertools import product
from math import factorial, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, chisquare, multinomial

from evenhand.stats.multinomial import chi_square_statistic, g_statistic, multinomial_test, without_zeros
from evenhand.stats.outcomes import all_outcomes, chances, how_many


def brute_force(counts, shares, *, statistic):
    """Sum over every sequence of labels, not over counts."""
    observed, total = statistic(counts, shares), 0.0
    for labels in product(range(len(shares)), repeat=sum(counts)):
        seen = [labels.count(k) for k in range(len(shares))]
        if statistic(seen, shares) >= observed - 1e-9:
            total += prod(shares[k] for k in labels)
    return total


def g_by_hand(counts, shares):
    n = sum(counts)
    return 2 * sum(k * np.log(k / (n * q)) for k, q in zip(counts, shares, strict=True) if k)


@pytest.mark.parametrize(("statistic", "p"), [("chi-square", 0.010), ("G", 0.022)])
def test_eight_one_one_has_the_worked_p_values(statistic, p):
    """(8, 1, 1) against three equal shares."""
    found = multinomial_test([8, 1, 1], [1 / 3] * 3, statistic=statistic)
    assert (found.p_value, found.method) == (pytest.approx(p, abs=5e-4), "exact")
    assert found.mid_p < found.p_value


@pytest.mark.parametrize(("counts", "shares"), [([4, 1, 1], [0.5, 0.3, 0.2]), ([0, 2, 4], [1 / 3] * 3)])
def test_exact_p_agrees_with_every_sequence_of_labels(counts, shares):
    """3⁶ sequences, weighed by their chance."""
    assert multinomial_test(counts, shares).p_value == pytest.approx(brute_force(counts, shares, statistic=g_by_hand))


def test_two_even_categories_are_the_binomial_test():
    """scipy's, where both order outcomes alike."""
    assert multinomial_test([9, 3], [0.5, 0.5]).p_value == pytest.approx(binomtest(9, 12).pvalue)


def test_chi_square_is_that_of_scipy():
    """Its statistic."""
    expected = chisquare([8, 1, 1]).statistic
    assert chi_square_statistic(np.array([8.0, 1, 1]), np.full(3, 1 / 3)) == pytest.approx(expected)


def test_drawn_p_comes_near_the_exact_one():
    """40 outputs in five categories are drawn; both laws agree within three errors."""
    counts, shares = [14, 8, 8, 5, 5], [0.2] * 5
    with pytest.raises(ValueError, match="give an rng"):
        multinomial_test(counts, shares)
    drawn = multinomial_test(counts, shares, rng=np.random.default_rng(1))
    p = chisquare(counts).pvalue  # G and chi-square have one law in large samples
    assert drawn.method == "Monte-Carlo, 1999 draws"
    assert drawn.p_value == pytest.approx(p, abs=0.05)


def test_zero_shares_are_merged_with_the_rarest():
    """Two outputs of a category without a share join the one with .2."""
    counts, shares, merged = without_zeros(np.array([5.0, 3, 2]), np.array([0.8, 0.2, 0]))
    assert (counts.tolist(), shares.tolist(), merged) == ([5, 5], [0.8, 0.2], (2,))
    with pytest.raises(ValueError, match="merge it"):
        multinomial_test([1, 1], [1, 0])


@given(st.lists(st.integers(0, 6), min_size=2, max_size=4).filter(any), st.randoms())
def test_relabelling_categories_changes_nothing(counts, random):
    """Counts and shares in any common order."""
    shares = np.arange(1, len(counts) + 1) / sum(range(1, len(counts) + 1))
    order = random.sample(range(len(counts)), len(counts))
    one = multinomial_test(counts, shares)
    other = multinomial_test([counts[i] for i in order], shares[order])
    assert (one.p_value, one.statistic) == (pytest.approx(other.p_value), pytest.approx(other.statistic))


@given(st.lists(st.integers(0, 9), min_size=2, max_size=5).filter(any), st.integers(2, 5))
def test_duplicating_data_multiplies_g(counts, times):
    """G is a sum over outputs."""
    q = np.full(len(counts), 1 / len(counts))
    once, often = (g_statistic(np.array(counts, dtype=float) * m, q) for m in (1, times))
    assert often == pytest.approx(times * once, abs=1e-9)


def test_merging_scenarios_of_equal_shares_leaves_g_summed():
    """Two scenarios of 6:4 have the G of one of 12:8."""
    q = np.array([0.5, 0.5])
    assert 2 * g_statistic(np.array([6.0, 4]), q) == pytest.approx(float(g_statistic(np.array([12.0, 8]), q)))


@pytest.mark.parametrize(("n", "k"), [(0, 3), (1, 1), (7, 2), (5, 4)])
def test_every_outcome_is_listed_once_with_the_chance_of_scipy(n, k):
    """(n + k − 1)! / n! (k − 1)! rows, each summing to n."""
    found = all_outcomes(n, k)
    assert len(np.unique(found, axis=0)) == len(found) == how_many(n, k)
    assert how_many(n, k) == factorial(n + k - 1) // factorial(n) // factorial(k - 1)
    assert set(found.sum(axis=1)) == {n}
    shares = np.arange(1, k + 1) / np.arange(1, k + 1).sum()
    assert chances(found, shares) == pytest.approx(multinomial.pmf(found, n, shares))
