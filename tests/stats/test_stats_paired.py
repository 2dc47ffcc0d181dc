"""McNemar, the jackknife and the smallest difference that is seen."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from evenhand.stats.jackknife import stratified_jackknife
from evenhand.stats.paired_proportions import mcnemar
from evenhand.stats.smallest_difference import smallest_seen


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_that_of_statsmodels_and_the_binomial_test_of_scipy(first_only: int, second_only: int) -> None:
    """Units that did not change play no part."""
    table = [[7, first_only], [second_only, 3]]
    assert mcnemar(first_only, second_only) == pytest.approx(min(1, statsmodels_mcnemar(table, exact=True).pvalue))
    if first_only + second_only:
        expected = binomtest(first_only, first_only + second_only, 0.5).pvalue
        assert mcnemar(first_only, second_only) == pytest.approx(expected)


def test_mcnemar_by_hand() -> None:
    """One against five: 2 · (1 + 6) / 64."""
    assert mcnemar(1, 5) == mcnemar(5, 1) == 14 / 64


def test_mcnemar_refuses_negative_counts() -> None:
    """A count is a count."""
    with pytest.raises(ValueError, match="cannot be negative"):
        mcnemar(-1, 2)


def test_the_jackknife_of_a_mean_over_strata_is_its_textbook_variance() -> None:
    """The mean of three strata of five: Σ s²/5 / 9, with 12 degrees of freedom."""
    x = np.random.default_rng(1).normal(size=(3, 5))

    def without(stratum: int, place: int) -> float:
        means = x.mean(axis=1)
        means[stratum] = np.delete(x[stratum], place).mean()
        return float(means.mean())

    variance, df = stratified_jackknife([[without(s, i) for i in range(5)] for s in range(3)])
    assert float(variance) == pytest.approx((x.var(axis=1, ddof=1) / 5).sum() / 9)
    assert df == 12


def test_a_single_group_is_no_jackknife() -> None:
    """Nothing can be left out."""
    with pytest.raises(ValueError, match="at least two groups"):
        stratified_jackknife([[1.0]])


@pytest.mark.parametrize("tests", [1, 6])
def test_the_smallest_difference_seen_is_seen_in_80_of_100(tests: int) -> None:
    """P(|Z + δ| > z) = .80 at the level that Holm's first step leaves, up to the far tail."""
    delta, z = smallest_seen(1.0, tests=tests), norm.ppf(1 - 0.05 / (2 * tests))
    assert norm.sf(z - delta) == pytest.approx(0.8)
