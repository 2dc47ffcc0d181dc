"""Differences of two proportions: published examples and statsmodels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep

from evenhand.stats.intervals import newcombe, newcombe_paired

COUNTS = st.integers(1, 120).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        ((56, 70, 48, 80), 0.0524, 0.3339),
        ((9, 10, 3, 10), 0.1705, 0.8090),
        ((5, 56, 0, 29), -0.0381, 0.1926),
        ((10, 10, 0, 20), 0.6791, 1.0000),
        ((10, 10, 0, 10), 0.6075, 1.0000),
    ],
)
def test_newcombe_has_the_published_limits(counts, low, high):
    """Newcombe (1998), Statistics in Medicine 17:873-890, table II, method 10."""
    interval = newcombe(*counts)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=6e-5)


@given(COUNTS, COUNTS, st.floats(0.5, 0.999))
def test_newcombe_agrees_with_statsmodels(first, second, level):
    """Same method, other code."""
    interval = newcombe(*first, *second, level=level)
    theirs = confint_proportions_2indep(*first, *second, method="newcomb", alpha=1 - level)
    assert (interval.low, interval.high) == pytest.approx(theirs, abs=1e-7)


def test_nine_and_four_of_twenty_five_have_an_interval():
    """Where the score interval of statsmodels raises."""
    interval = newcombe(9, 25, 4, 25)
    assert interval.low < 9 / 25 - 4 / 25 < interval.high
    assert interval.low < 0


@given(COUNTS, COUNTS)
def test_swapping_the_samples_flips_the_interval(first, second):
    """The sign of the gap is all that changes."""
    one, other = newcombe(*first, *second), newcombe(*second, *first)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-12)


@given(COUNTS)
def test_identical_samples_show_no_difference(counts):
    """0 lies inside, in the middle."""
    interval = newcombe(*counts, *counts)
    assert interval.low == pytest.approx(-interval.high, abs=1e-12)
    assert interval.low <= 0 <= interval.high


def test_paired_newcombe_has_the_published_limits():
    """36, 12, 2 and 0 pairs: Newcombe (1998), 17:2635-2650; 1, 1, 7, 12: Fagerland, Lydersen and Laake (2014)."""
    many, few = newcombe_paired(36, 12, 2, 0), newcombe_paired(1, 1, 7, 12)
    assert (many.low, many.high) == pytest.approx((0.0569, 0.3404), abs=6e-5)
    assert (few.low, few.high) == pytest.approx((-0.507, -0.026), abs=6e-4)


@given(st.tuples(*[st.integers(0, 60)] * 4).filter(sum))
def test_swapping_the_conditions_flips_the_paired_interval(pairs):
    """And the interval holds the observed difference, inside [−1, 1]."""
    both, first, second, neither = pairs
    one, other = newcombe_paired(both, first, second, neither), newcombe_paired(both, second, first, neither)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-9)
    assert -1 <= one.low <= (first - second) / sum(pairs) + 1e-12
    assert (first - second) / sum(pairs) - 1e-12 <= one.high <= 1


def test_pairs_that_agree_narrow_the_interval():
    """Correlation is what pairing buys."""
    paired, apart = newcombe_paired(30, 8, 2, 30), newcombe(38, 70, 32, 70)
    assert paired.high - paired.low < apart.high - apart.low


@pytest.mark.parametrize("pairs", [(0, 0, 0, 0), (-1, 1, 1, 1), (1, float("nan"), 1, 1)])
def test_pairs_that_are_no_counts_are_refused(pairs):
    """No unit, a negative one, none at all."""
    with pytest.raises(ValueError):
        newcombe_paired(*pairs)
