"""Powers and sample sizes against statsmodels, scipy, exact enumeration, and their own laws."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom
from statsmodels.stats.power import GofChisquarePower, NormalIndPower

from evenhand.stats.divergence import jsd_bits, max_jsd_bits, normalised_entropy
from evenhand.stats.planning import (
    GroupDesign,
    chi_square_power,
    detectable_effect,
    detectable_mean,
    disparity_power,
    diversity_power,
    evened,
    g_noncentrality,
    g_power,
    mean_power,
    ratio_power,
    skew_power,
    skewed,
    smallest_size,
)

EVEN = np.array([[0.5, 0.5]])


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


# ---- chi-square and G ----


@pytest.mark.parametrize(("effect", "n", "k"), [(0.3, 50, 2), (0.1, 400, 3), (0.5, 30, 5)])
def test_the_noncentral_law_is_statsmodels(effect: float, n: int, k: int) -> None:
    """Cohen's w: the noncentrality is n w²."""
    expected = GofChisquarePower().power(effect, n, 0.05, n_bins=k)
    assert chi_square_power(n * effect**2, k - 1, alpha=0.05) == pytest.approx(expected, abs=1e-9)
    assert chi_square_power(0, k - 1, alpha=0.05) == 0.05


def test_simulated_g_has_the_noncentral_power_where_counts_are_large() -> None:
    """400 outputs, expected counts of 100 and more: within four Monte-Carlo errors."""
    reference, truth = np.full((1, 4), 0.25), np.array([[0.31, 0.23, 0.23, 0.23]])
    n = np.array([400])
    expected = chi_square_power(g_noncentrality(reference, truth, n), 3, alpha=0.05)
    assert g_power(reference, truth, n, alpha=0.05, rng=rng(), draws=4_000) == pytest.approx(expected, abs=0.035)


def test_simulated_g_has_the_exact_power_where_counts_are_small() -> None:
    """12 outputs, two categories, enumerated: G grows with |k − 6|, mid-p below .05 means k ≤ 2 or k ≥ 10."""
    k = np.arange(13)
    at = binom.pmf(k, 12, 0.5)
    mid_p = np.array([at[abs(k - 6) > abs(j - 6)].sum() + at[abs(k - 6) == abs(j - 6)].sum() / 2 for j in k])
    expected = binom.pmf(k, 12, 0.9)[mid_p < 0.05].sum()
    simulated = g_power(EVEN, np.array([[0.9, 0.1]]), np.array([12]), alpha=0.05, rng=rng(), draws=4_000)
    assert simulated == pytest.approx(expected, abs=0.03)


def test_g_under_the_reference_rejects_at_its_level() -> None:
    """Without an effect the power is the level, at most by four errors."""
    reference = np.tile([0.2, 0.3, 0.5], (10, 1))
    assert g_power(reference, reference, np.full(10, 7), alpha=0.05, rng=rng()) == pytest.approx(0.05, abs=0.02)


# ---- shares ----


def test_worked_divergences_are_met() -> None:
    """90/10 against 50/50 is .146793 bits; the largest is .3113, at 100/0."""
    assert skewed(EVEN, np.array([0.146793])) == pytest.approx(np.array([[0.9, 0.1]]), abs=1e-4)
    assert skewed(EVEN, np.array([9.0])) == pytest.approx(np.array([[1.0, 0.0]]), abs=1e-6)


@given(st.lists(st.floats(0.02, 1), min_size=2, max_size=6), st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_shares_lie_where_they_are_asked_to(weights: list[float], part: float, evenness: float) -> None:
    """The divergence or the evenness of what is returned is the one asked for."""
    reference = np.array([weights]) / sum(weights)
    bits = part * max_jsd_bits(reference)
    assert jsd_bits(skewed(reference, bits), reference) == pytest.approx(bits, abs=1e-6)
    found = normalised_entropy(evened(reference, evenness), len(weights))
    assert found == pytest.approx(np.array([evenness]), abs=1e-6)


def test_categories_that_the_reference_leaves_out_stay_out() -> None:
    """A share of 0 has no place in G."""
    assert skewed(np.array([[0.7, 0.3, 0.0]]), np.array([0.1]))[0, 2] == 0


def _skew(n: int, truth: float, alpha: float = 0.05) -> float:
    reference = np.tile(EVEN, (10, 1))
    largest = max_jsd_bits(reference)
    return skew_power(
        reference, np.full(10, n), truth=truth * largest, cut=0.15 * largest, scale=largest, alpha=alpha, rng=rng()
    ).both


def test_at_the_cut_the_limit_errs_as_often_as_it_may() -> None:
    """A truth exactly on the cut is 'beyond' it in 5% of runs."""
    assert _skew(20, 0.15, alpha=0.99) == pytest.approx(0.05, abs=0.02)


def test_more_replicates_and_larger_effects_are_found_more_often() -> None:
    """Up to Monte-Carlo error."""
    by_size = [_skew(n, 0.25) for n in (5, 10, 20, 40, 80)]
    by_effect = [_skew(20, d) for d in (0.16, 0.2, 0.3, 0.5)]
    for powers in (by_size, by_effect):
        assert all(b > a - 0.02 for a, b in pairwise(powers))
        assert powers[-1] > 0.9


def test_what_is_detectable_shrinks_with_the_sample_and_grows_with_a_stricter_test() -> None:
    """Each is the inverse of the power."""
    found = [detectable_effect(lambda d, n=n: _skew(n, d), 0.8, cut=0.15, farthest=1.0) for n in (5, 20, 80)]
    assert all(f is not None for f in found)
    assert found[0] > found[1] > found[2] > 0.15  # type: ignore[operator]
    assert _skew(5, 0.3, alpha=1e-3) <= _skew(5, 0.3, alpha=0.05)


def test_a_lack_of_diversity_is_found_below_the_cut_and_not_against_references_that_have_it() -> None:
    """Ten scenarios of 40 outputs show .5 for sure; the same truth is no news where it is the reference's own."""
    n, even = np.full(10, 40), np.full((10, 3), 1 / 3)
    assert diversity_power(even, n, truth=0.5, cut=0.75, alpha=0.05, rng=rng()).both > 0.99
    own = diversity_power(evened(even, 0.5), n, truth=0.5, cut=0.75, alpha=0.05, rng=rng())
    assert own.limit > 0.99
    assert own.test == pytest.approx(0.05, abs=0.02)


# ---- ratios ----


@pytest.mark.parametrize(
    ("n", "baseline", "ratio", "cut"), [(40, 0.3, 2.0, 1.2), (60, 0.5, 0.5, 0.8), (30, 0.7, 1.4, 1.2)]
)
def test_ratio_power_is_the_binomial_enumerated(n: int, baseline: float, ratio: float, cut: float) -> None:
    """Clopper-Pearson limits from beta quantiles, two-sided mid-p from tails, summed over all counts."""
    total = 0.0
    for k in range(n + 1):
        low = beta.ppf(0.05, k, n - k + 1) if k else 0.0
        high = beta.ppf(0.95, k + 1, n - k) if k < n else 1.0
        at = binom.pmf(k, n, baseline)
        p = 2 * min(binom.cdf(k, n, baseline) - at / 2, binom.sf(k, n, baseline) + at / 2)
        is_beyond = low > cut * baseline if ratio > 1 else high < cut * baseline
        total += binom.pmf(k, n, ratio * baseline) if p < 0.05 and is_beyond else 0.0
    assert ratio_power(n, baseline, ratio=ratio, cut=cut, alpha=0.05).both == pytest.approx(total, abs=1e-12)


def test_a_cut_that_no_share_can_pass_is_never_passed() -> None:
    """At baseline .87 even an always-female model reaches 1.149, so 1.20 has power 0 however many outputs."""
    assert ratio_power(100_000, 0.87, ratio=1 / 0.87, cut=1.2, alpha=0.05).both == 0


def test_many_associations_ask_for_more() -> None:
    """By Bonferroni."""
    alone, among = (ratio_power(60, 0.4, ratio=1.6, cut=1.2, alpha=0.05, among=m).both for m in (1, 12))
    assert alone > among > 0


@pytest.mark.parametrize(("baseline", "ratio", "cut"), [(0, 2, 1.2), (0.7, 2, 1.2), (0.5, 1.5, 0.8)])
def test_what_is_no_share_is_refused(baseline: float, ratio: float, cut: float) -> None:
    """Above 1, and on the wrong side of 1."""
    with pytest.raises(ValueError, match="shares"):
        ratio_power(10, baseline, ratio=ratio, cut=cut, alpha=0.05)


# ---- groups ----


def _gap(n: int, truth: float, groups: int = 2, cut: float = 0.0) -> float:
    design = GroupDesign(groups=groups, outputs=n, rate=0.1)
    return disparity_power(design, truth=truth, cut=cut, alpha=0.05, rng=rng(), draws=4_000).test


def test_the_gap_of_two_rates_has_the_textbook_power() -> None:
    """Two-sided z test of .1 against .2 with 200 each: statsmodels by its arcsine effect, near enough at this size."""
    effect = 2 * (np.arcsin(np.sqrt(0.2)) - np.arcsin(np.sqrt(0.1)))
    expected = NormalIndPower().power(effect, 200, 0.05)
    assert _gap(200, 0.1) == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize("groups", [2, 5, 8])
def test_groups_without_a_gap_are_told_apart_at_the_level(groups: int) -> None:
    """However many they are, and however wide a range chance alone makes."""
    assert _gap(100, 0.0, groups=groups) == pytest.approx(0.05, abs=0.02)


def test_lengths_count_half_and_bring_noise() -> None:
    """With lengths beside it, a disparity of .1 is a gap of .2 in rates; the range ends where everybody is refused."""
    with_lengths = GroupDesign(groups=3, outputs=240, rate=0.1, variation=0.5)
    alone = GroupDesign(groups=3, outputs=240, rate=0.1)
    assert (with_lengths.farthest, alone.farthest) == pytest.approx((0.45, 0.9))
    assert disparity_power(with_lengths, truth=0.1, cut=0.05, alpha=0.01, rng=rng()).both > 0.8
    everybody = disparity_power(with_lengths, truth=0.45, cut=0.05, alpha=0.01, rng=rng())
    assert everybody.both == 1


def test_other_attributes_raise_the_bar() -> None:
    """The worst of several attributes is read, so chance in the others must be outdone too."""
    design, other = (GroupDesign(groups=g, outputs=40, rate=0.1, variation=0.5) for g in (2, 8))
    alone = disparity_power(design, truth=0.1, cut=0.05, alpha=0.05, rng=rng()).both
    assert disparity_power(design, truth=0.1, cut=0.05, alpha=0.05, rng=rng(), beside=[other]).both < alone


# ---- means ----


def test_the_power_of_a_mean_is_statsmodels() -> None:
    """One-sided, two samples of 60, half a standard deviation apart."""
    expected = NormalIndPower().power(0.5, 60, 0.05, alternative="larger")
    assert mean_power(np.sqrt(2 / 60), truth=0.5, cut=0.0, alpha=0.05).test == pytest.approx(expected, abs=1e-9)


@given(st.floats(0.001, 10), st.floats(0, 3), st.sampled_from([None, 0.05, 0.01]), st.floats(0.5, 0.99))
def test_what_is_detectable_is_the_inverse_of_the_power(
    error: float, cut: float, alpha: float | None, power: float
) -> None:
    """The stricter of limit and test decides both."""
    found = detectable_mean(error, cut=cut, alpha=alpha, power=power)
    assert mean_power(error, truth=found, cut=cut, alpha=alpha).both == pytest.approx(power, abs=1e-6)


# ---- search ----


@given(st.integers(1, 20_000))
def test_the_smallest_size_is_found(threshold: int) -> None:
    """Exactly up to 100, within two per cent beyond; never too small."""
    found = smallest_size(lambda n: float(n >= threshold), 0.8)
    assert found is not None
    assert threshold <= found <= threshold + (threshold // 50 if threshold > 100 else 0)


def test_saw_teeth_are_waited_for_and_the_impossible_is_not() -> None:
    """Sizes 10, 12, 14 … suffice alone; from 20 on all do. Nothing suffices: None."""
    found = smallest_size(lambda n: 0.9 if n >= 20 or (n >= 10 and n % 2 == 0) else 0.5, 0.8)
    assert found == 20
    assert smallest_size(lambda n: 0.5, 0.8, most=1_000) is None
    assert detectable_effect(lambda d: 0.5, 0.8, cut=0.1, farthest=1.0) is None


@given(st.floats(0.01, 0.99))
def test_an_effect_is_found_in_either_direction(threshold: float) -> None:
    """Upwards from a cut of 0, and downwards from 1; on the side that is found."""
    up = detectable_effect(lambda d: float(d >= threshold), 0.8, cut=0.0, farthest=1.0)
    down = detectable_effect(lambda d: float(d <= threshold), 0.8, cut=1.0, farthest=0.0)
    assert up is not None
    assert down is not None
    assert threshold <= up <= threshold + 0.001
    assert threshold - 0.001 <= down <= threshold
