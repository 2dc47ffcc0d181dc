"""Rates over clusters: design effects by hand, the rules at the edges, and coverage."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from evenhand.stats.intervals import METHODS, design_effect, korn_graubard, proportion_interval

CLUSTERS = st.lists(
    st.integers(1, 30).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=1, max_size=12
)


def test_the_design_effect_by_hand():
    """2, 4, 9 of 10: p = ½, between = 3/2 · (9 + 1 + 16)/900, independent = ¼/29, ratio 5.0267."""
    assert design_effect([2, 4, 9], [10, 10, 10]) == pytest.approx(1.5 * 26 / 900 / (0.25 / 29), abs=1e-12)


def test_clusters_of_one_trial_are_independent_trials():
    """Exactly 1, whatever the outcomes."""
    assert design_effect([1, 0, 0, 1, 1, 0, 0], [1] * 7) == pytest.approx(1, abs=1e-12)


def test_clusters_more_alike_than_chance_gain_nothing():
    """A design effect below 1 is taken as 1."""
    assert design_effect([5, 5, 5, 5], [10, 10, 10, 10]) == 1.0


def test_the_interval_is_that_of_the_effective_trials():
    """n_eff = n/deff · (t(n − 1)/t(m − 1))², worked with scipy's t."""
    k, n = [2, 4, 9], [10, 10, 10]
    rate = korn_graubard(k, n, level=0.95)
    effective = 30 / (1.5 * 26 / 900 / (0.25 / 29)) * (t.ppf(0.975, 29) / t.ppf(0.975, 2)) ** 2
    assert rate.n_effective == pytest.approx(effective, rel=1e-9)
    at = proportion_interval(effective / 2, effective, level=0.95)
    assert (rate.interval.low, rate.interval.high) == pytest.approx((at.low, at.high), abs=1e-9)
    assert (rate.interval.target, rate.n_clusters, rate.n_trials) == ("prompts like these", 3, 30)


@pytest.mark.parametrize(
    "k",
    [
        pytest.param([0, 0, 0, 0], id="no violation"),
        pytest.param([0, 7, 0, 0], id="violations in one cluster"),
        pytest.param([10, 10, 10, 10], id="violations throughout"),
        pytest.param([10, 10, 3, 10], id="the rest in one cluster"),
    ],
)
def test_what_is_confined_to_one_cluster_counts_clusters(k):
    """n_eff = m: one vector does not say how often others do it."""
    rate = korn_graubard(k, [10] * 4)
    at = proportion_interval(sum(k) / 40 * 4, 4)
    assert rate.n_effective == 4
    assert (rate.interval.low, rate.interval.high) == pytest.approx((at.low, at.high), abs=1e-12)


def test_one_cluster_has_no_interval():
    """Undefined, with the reason; the share is still told."""
    rate = korn_graubard([11], [25])
    assert (rate.share, rate.interval, rate.n_effective) == (0.44, None, None)
    assert "one cluster" in rate.undefined


@given(CLUSTERS, st.sampled_from(sorted(METHODS)), st.randoms(use_true_random=False))
def test_the_order_of_clusters_does_not_matter(clusters, method, random):
    """And the interval holds the pooled share, resting on no more trials than there are."""
    rate = korn_graubard(*zip(*clusters, strict=True), method=method)
    shuffled = random.sample(clusters, len(clusters))
    other = korn_graubard(*zip(*shuffled, strict=True), method=method)
    assert rate.share == pytest.approx(other.share)
    if rate.interval is None:
        assert len(clusters) == 1
        return
    assert (rate.interval.low, rate.interval.high) == pytest.approx((other.interval.low, other.interval.high), abs=1e-9)
    assert rate.interval.low - 1e-9 <= rate.share <= rate.interval.high + 1e-9
    assert 0 < rate.n_effective <= rate.n_trials + 1e-9
    assert rate.deff is None or rate.deff >= 1


def test_pooling_correlated_replicates_covers_half_and_the_clustered_interval_covers():
    """Five vectors of 25 with intra-class correlation .3: about 49% against the promised 95%."""
    rng, draws, truth = np.random.default_rng(4), 1500, 0.3
    of_vector = rng.beta(truth * (1 / 0.3 - 1), (1 - truth) * (1 / 0.3 - 1), (draws, 5))
    k = rng.binomial(25, of_vector)
    pooled = [proportion_interval(successes, 125) for successes in range(126)]
    naive = np.mean([pooled[total].low <= truth <= pooled[total].high for total in k.sum(axis=1)])
    clustered = [korn_graubard(row, [25] * 5).interval for row in k]
    error = sqrt(0.5 * 0.5 / draws)
    assert naive == pytest.approx(0.49, abs=3 * error)
    assert np.mean([i.low <= truth <= i.high for i in clustered]) >= 0.93 - 3 * sqrt(0.93 * 0.07 / draws)


@pytest.mark.parametrize("clusters", [([], []), ([1, 2], [3]), ([1, 0], [2, 0]), ([3], [2]), ([float("nan")], [2])])
def test_counts_that_are_no_clusters_are_refused(clusters):
    """None, unequal numbers of them, an empty one, more successes than trials."""
    with pytest.raises(ValueError, match="cluster"):
        korn_graubard(*clusters)
