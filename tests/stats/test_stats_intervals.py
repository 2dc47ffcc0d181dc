"""Proportion intervals: the worked figures, scipy and statsmodels, and the edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binomtest
from statsmodels.stats.proportion import proportion_confint

from evenhand.stats.intervals import (
    METHODS,
    BetaPosterior,
    clopper_pearson,
    corrected_wilson,
    jeffreys,
    proportion_interval,
    wilson,
)

COUNTS = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
LEVELS = st.floats(0.5, 0.999)


@pytest.mark.parametrize(
    ("method", "low", "high", "within"),
    [
        ("corrected-wilson", 0.263414, 0.632569, 5e-7),
        ("wilson", 0.266654, 0.629330, 5e-7),
        ("clopper-pearson", 0.2440, 0.6507, 5e-5),
        ("jeffreys", 0.2609, 0.6322, 6e-5),  # worked at level .95: .26085; z = 1.96 gives .260848
    ],
)
def test_eleven_of_twenty_five_has_the_worked_limits(method, low, high, within):
    """The definition of the violation rate works all four with z = 1.96."""
    interval = proportion_interval(11, 25, method=method)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=within)
    assert interval.method == method
    assert interval.level == pytest.approx(0.9500042, abs=1e-7)


def test_the_correction_uses_the_worked_intermediate_values():
    """s² = .256667, denominator 1.153664, centre .447992, half-width .184577."""
    interval = proportion_interval(11, 25, z=1.96)
    assert (interval.low + interval.high) / 2 == pytest.approx(0.447992, abs=1e-6)
    assert (interval.high - interval.low) / 2 == pytest.approx(0.184577, abs=1e-6)


@pytest.mark.parametrize(("n", "high"), [(10, 0.2775), (25, 0.1332), (50, 0.0713), (100, 0.0370)])
def test_no_violation_leaves_an_upper_limit(n, high):
    """k = 0 gives (0, z²/(n + z²))."""
    interval = proportion_interval(0, n)
    assert interval.low == 0.0
    assert interval.high == pytest.approx(high, abs=6e-5)  # the page cuts .07135 to .0713
    assert interval.high == pytest.approx(1.96**2 / (n + 1.96**2), abs=1e-12)


def test_one_of_two_is_wider_with_the_correction():
    """Worked: (.030, .970) against Wilson's (.095, .905)."""
    corrected, plain = proportion_interval(1, 2), proportion_interval(1, 2, method="wilson")
    assert (corrected.low, corrected.high) == pytest.approx((0.030, 0.970), abs=5e-4)
    assert (plain.low, plain.high) == pytest.approx((0.095, 0.905), abs=5e-4)


@pytest.mark.parametrize("k", [0, 1])
def test_one_trial_falls_back_to_wilson_and_says_so(k):
    """n/(n − 1) divides by zero there."""
    interval, plain = corrected_wilson(k, 1), wilson(k, 1)
    assert (interval.low, interval.high) == (plain.low, plain.high)
    assert interval.method == "wilson (one trial or less)"


@given(COUNTS, LEVELS)
def test_clopper_pearson_agrees_with_scipy(counts, level):
    """scipy's exact interval is the same."""
    k, n = counts
    theirs = binomtest(k, n).proportion_ci(confidence_level=level, method="exact")
    ours = clopper_pearson(k, n, level=level)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@given(st.integers(2, 300).flatmap(lambda n: st.tuples(st.integers(1, n - 1), st.just(n))), LEVELS)
def test_jeffreys_agrees_with_statsmodels_inside(counts, level):
    """Away from the ends, where statsmodels does not set 0 and 1."""
    k, n = counts
    ours = jeffreys(k, n, level=level)
    assert (ours.low, ours.high) == pytest.approx(
        proportion_confint(k, n, alpha=1 - level, method="jeffreys"), abs=1e-9
    )


def test_jeffreys_includes_what_was_observed_at_the_ends():
    """0 at no success and 1 at no failure; the other end stays the posterior quantile."""
    none, every = jeffreys(0, 20), jeffreys(20, 20)
    assert (none.low, every.high) == (0.0, 1.0)
    assert none.high == pytest.approx(beta.ppf(0.975, 0.5, 20.5))
    assert every.low == pytest.approx(beta.ppf(0.025, 20.5, 0.5))


@given(st.sampled_from(sorted(METHODS)), COUNTS, LEVELS)
def test_every_method_holds_the_share_inside_the_unit_range(method, counts, level):
    """Also to the last bit: rounding may not stray outside [0, 1]."""
    k, n = counts
    interval = proportion_interval(k, n, method=method, level=level)
    assert 0 <= interval.low <= k / n + 1e-12
    assert k / n - 1e-12 <= interval.high <= 1
    assert interval.level == level


@given(st.sampled_from(sorted(METHODS)), COUNTS)
def test_counting_the_failures_instead_mirrors_the_interval(method, counts):
    """The interval of the complement is the complement of the interval."""
    k, n = counts
    interval, mirrored = proportion_interval(k, n, method=method), proportion_interval(n - k, n, method=method)
    assert (mirrored.low, mirrored.high) == pytest.approx((1 - interval.high, 1 - interval.low), abs=1e-9)


@given(st.sampled_from(sorted(METHODS)), COUNTS)
def test_duplicating_the_data_narrows_the_interval(method, counts):
    """Twice the trials at the same share say more."""
    k, n = counts
    once, twice = proportion_interval(k, n, method=method), proportion_interval(2 * k, 2 * n, method=method)
    if "one trial" not in once.method:
        assert twice.high - twice.low < once.high - once.low


@given(COUNTS, LEVELS)
def test_the_correction_never_narrows_wilson(counts, level):
    """s² is never smaller than p(1 − p)."""
    k, n = counts
    corrected, plain = corrected_wilson(k, n, level=level), wilson(k, n, level=level)
    assert corrected.low <= plain.low + 1e-15
    assert corrected.high >= plain.high - 1e-15


@given(st.floats(0.01, 3), st.floats(0, 1))
def test_effective_trials_may_be_fractions(trials, share):
    """Below 2 the corrected limits would leave the unit range, and are cut."""
    for method in METHODS:
        interval = proportion_interval(share * trials, trials, method=method)
        assert 0 <= interval.low <= interval.high <= 1


def test_a_level_is_the_same_as_its_normal_quantile():
    """z = 1.959964 is 95%."""
    by_level, by_z = proportion_interval(3, 17, level=0.95), proportion_interval(3, 17, z=1.959963984540054)
    assert (by_level.low, by_level.high) == pytest.approx((by_z.low, by_z.high), abs=1e-12)


@pytest.mark.parametrize(
    "arguments",
    [
        {"method": "wald"},
        {"level": 0.95, "z": 1.96},
        {"z": 0.0},
        {"z": float("nan")},
        {"level": 1.0},
    ],
)
def test_an_unknown_method_or_a_contradictory_level_is_refused(arguments):
    """With the choices named."""
    with pytest.raises(ValueError, match=r"choose one of|not both|above 0|between 0 and 1"):
        proportion_interval(1, 4, **arguments)


@pytest.mark.parametrize("method", sorted(METHODS))
@pytest.mark.parametrize("counts", [(0, 0), (3, 2), (-1, 2), (float("nan"), 2), (1, float("nan"))])
def test_what_is_no_proportion_is_refused(method, counts):
    """No trial has no rate: undefined, not 0."""
    with pytest.raises(ValueError, match="not a proportion"):
        proportion_interval(*counts, method=method)


@given(COUNTS, st.floats(0.1, 3), LEVELS)
def test_posterior_intervals_are_beta_quantiles(counts, prior, level):
    """Against scipy's beta law."""
    k, n = counts
    interval = BetaPosterior.of(k, n, prior=prior).interval(level=level)
    expected = beta.ppf([(1 - level) / 2, (1 + level) / 2], k + prior, n - k + prior)
    assert (interval.low, interval.high) == pytest.approx(tuple(expected), abs=1e-7)


def test_posterior_draws_follow_the_law():
    """Mean 3.5/11 and the quantiles of Beta(3.5, 7.5), for Jeffreys' prior and 3 of 10."""
    posterior = BetaPosterior.of(3, 10)
    draws = posterior.draws(20_000, rng=np.random.default_rng(3))
    assert posterior.mean == pytest.approx(3.5 / 11)
    assert draws.mean() == pytest.approx(3.5 / 11, abs=0.005)
    assert np.quantile(draws, 0.9) == pytest.approx(beta.ppf(0.9, 3.5, 7.5), abs=0.01)


def test_a_posterior_needs_weight_at_both_ends():
    """Prior 0 with no success has no law."""
    with pytest.raises(ValueError, match="above 0"):
        BetaPosterior.of(0, 10, prior=0)
