"""Correcting a rate for an imperfect detector: the worked values, the five states, and coverage."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from statsmodels.stats.proportion import confint_proportions_2indep

from evenhand.stats.correction import (
    Reference,
    at_least_one_false_alarm,
    corrected_rate,
    lang_reiczigel,
    minimum_detectable_rate,
    rogan_gladen,
    tipping_points,
    tipping_sensitivity,
    tipping_specificity,
)

GOOD = Reference(detected=45, violations=50, cleared=47, clean=50)
POOR = Reference(detected=30, violations=50, cleared=27, clean=50)
REFERENCES = st.builds(
    lambda v, c, d, k: Reference(detected=min(d, v), violations=v, cleared=min(k, c), clean=c),
    st.integers(1, 200), st.integers(1, 200), st.integers(0, 200), st.integers(0, 200),
)  # fmt: skip
COUNTS = st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_the_good_detector_has_the_worked_correction():
    """11 of 25, Se 45/50, Sp 47/50: J = .84, rate .4524, (.2256, .6958)."""
    rate = corrected_rate(11, 25, GOOD)
    assert (rate.state, rate.observed) == ("corrected", 0.44)
    assert rate.youden.value == pytest.approx(0.84)
    assert rate.value == pytest.approx(0.4524, abs=5e-5)
    assert (rate.interval.low, rate.interval.high) == pytest.approx((0.2256, 0.6958), abs=5e-5)


def test_a_detector_that_may_not_discriminate_gives_no_rate():
    """Se 30/50, Sp 27/50: J = .14, (−.054, .320)."""
    rate = corrected_rate(11, 25, POOR)
    assert (rate.state, rate.value, rate.interval) == ("not_identifiable", None, None)
    assert rate.youden.value == pytest.approx(0.14)
    assert (rate.youden.interval.low, rate.youden.interval.high) == pytest.approx((-0.054, 0.320), abs=5e-4)


def test_a_rate_that_false_alarms_explain_has_an_upper_limit_only():
    """2 of 25, Sp 44/50: 0, (0, .192)."""
    rate = corrected_rate(2, 25, Reference(detected=45, violations=50, cleared=44, clean=50))
    assert (rate.state, rate.value, rate.interval.low) == ("upper_limit_only", 0.0, 0.0)
    assert rate.interval.high == pytest.approx(0.192, abs=5e-4)


def test_a_rate_equal_to_the_false_alarms_is_explained_by_them():
    """3 of 25 against 6 of 50: no rounding residue decides."""
    assert (
        corrected_rate(3, 25, Reference(detected=45, violations=50, cleared=44, clean=50)).state == "upper_limit_only"
    )


@pytest.mark.parametrize(("detected", "cleared"), [(10, 20), (25, 25), (0, 50), (9, 41)])
def test_a_detector_that_fires_on_clean_traces_as_often_gives_no_rate(detected, cleared):
    """J ≤ 0; at 9/50 and 41/50 a sum of shares would leave a residue above 0."""
    rate = corrected_rate(11, 25, Reference(detected=detected, violations=50, cleared=cleared, clean=50))
    assert (rate.state, rate.value) == ("no_rate", None)


def test_without_a_reference_set_the_observed_rate_stands_alone():
    """And says so."""
    rate = corrected_rate(11, 25, None)
    assert (rate.state, rate.observed, rate.value, rate.youden) == ("not_evaluated", 0.44, None, None)
    assert "as observed" in rate.explanation


@given(COUNTS, REFERENCES, st.floats(0.5, 0.999))
def test_every_case_has_a_state_and_only_known_rates_have_numbers(counts, reference, level):
    """No exception, no number without support, and limits inside [0, 1] in their order."""
    rate = corrected_rate(*counts, reference, level=level)
    known = rate.state in ("upper_limit_only", "corrected")
    assert (rate.value is not None) == (rate.interval is not None) == known
    assert rate.explanation.endswith(".")
    if known:
        assert 0 <= rate.interval.low <= rate.value <= rate.interval.high <= 1


def test_a_reference_set_of_one_violation_gives_an_approximate_interval():
    """53 of 72, Se 1/1, Sp 186/187: the published limits begin above the corrected rate itself."""
    reference = Reference(detected=1, violations=1, cleared=186, clean=187)
    published, rate = lang_reiczigel(53, 72, reference), corrected_rate(53, 72, reference)
    assert rate.value < published.low
    assert (rate.interval.low, rate.interval.approximate) == (rate.value, True)


@given(REFERENCES, st.floats(0.5, 0.999))
def test_youdens_interval_is_that_of_the_difference_of_two_shares(reference, level):
    """Flagged violations less flagged clean traces, by statsmodels."""
    youden = reference.youden(level=level)
    theirs = confint_proportions_2indep(
        reference.detected, reference.violations, reference.clean - reference.cleared, reference.clean,
        method="newcomb", alpha=1 - level,
    )  # fmt: skip
    assert (youden.interval.low, youden.interval.high) == pytest.approx(theirs, abs=1e-7)
    assert youden.value == pytest.approx(reference.sensitivity + reference.specificity - 1, abs=1e-12)


def test_quality_has_wilsons_intervals():
    """45 of 50: (.786, .957); 47 of 50: (.838, .979), by hand with z = 1.96."""
    sensitivity, specificity = GOOD.sensitivity_interval(), GOOD.specificity_interval()
    assert (sensitivity.low, sensitivity.high) == pytest.approx((0.786, 0.957), abs=6e-4)
    assert (specificity.low, specificity.high) == pytest.approx((0.838, 0.979), abs=6e-4)


@given(st.floats(0, 1), st.floats(0.55, 1), st.floats(0.55, 1))
def test_the_correction_undoes_what_the_detector_does(rate, sensitivity, specificity):
    """Forward through the detector and back."""
    observed = rate * sensitivity + (1 - rate) * (1 - specificity)
    assert rogan_gladen(observed, sensitivity=sensitivity, specificity=specificity) == pytest.approx(rate, abs=1e-9)


def test_a_perfect_detector_on_a_large_reference_set_changes_nothing_much():
    """Lang-Reiczigel tends to the Agresti-Coull interval of the observed share."""
    interval = lang_reiczigel(30, 100, Reference(detected=10**7, violations=10**7, cleared=10**7, clean=10**7))
    share, n = (30 + 1.959964**2 / 2) / (100 + 1.959964**2), 100 + 1.959964**2
    half = 1.959964 * sqrt(share * (1 - share) / n)
    assert (interval.low, interval.high) == pytest.approx((share - half, share + half), abs=1e-5)


@pytest.mark.parametrize(("truth", "n"), [(0.1, 100), (0.3, 25), (0.6, 100)])
def test_the_interval_covers_the_true_rate(truth, n):
    """Rate, sensitivity .9 and specificity .94 all estimated, the last two from 50 each."""
    rng, draws = np.random.default_rng(11), 3000
    k = rng.binomial(n, truth * 0.9 + (1 - truth) * 0.06, draws)
    detected, cleared = rng.binomial(50, 0.9, draws), rng.binomial(50, 0.94, draws)
    intervals = [
        lang_reiczigel(a, n, Reference(detected=int(b), violations=50, cleared=int(c), clean=50))
        for a, b, c in zip(k, detected, cleared, strict=True)
    ]
    covered = np.mean([i.low <= truth <= i.high for i in intervals])
    assert covered >= 0.93 - 3 * sqrt(0.93 * 0.07 / draws)


@pytest.mark.parametrize(("sensitivity", "specificity"), [(0.5, 0.5), (0.2, 0.7), (1.2, 0.9)])
def test_nothing_is_corrected_by_a_detector_without_discrimination(sensitivity, specificity):
    """Dividing by J ≤ 0 would give a number all the same."""
    with pytest.raises(ValueError):
        rogan_gladen(0.3, sensitivity=sensitivity, specificity=specificity)
    with pytest.raises(ValueError, match="reference set"):
        lang_reiczigel(3, 10, Reference(detected=1, violations=2, cleared=1, clean=2))


@pytest.mark.parametrize("n", [25, 100, 400])
def test_the_detectable_rate_has_the_power_asked_for(n):
    """By scipy's binomial: at that rate so many traces are flagged in 80% of runs, and one fewer would not do."""
    found = minimum_detectable_rate(n, GOOD)
    share = found.rate * GOOD.sensitivity + (1 - found.rate) * (1 - GOOD.specificity)
    assert binom.sf(found.positives - 1, n, share) == pytest.approx(0.8, abs=1e-9)
    assert corrected_rate(found.positives, n, GOOD).interval.low > 0
    fewer = corrected_rate(found.positives - 1, n, GOOD)
    assert fewer.state == "upper_limit_only" or fewer.interval.low == 0


def test_more_traces_detect_smaller_rates_until_the_reference_set_is_the_limit():
    """A larger sample helps, a larger reference set helps further."""
    large = Reference(detected=900, violations=1000, cleared=940, clean=1000)
    rates = [minimum_detectable_rate(n, GOOD).rate for n in (25, 100, 1000)]
    assert rates == sorted(rates, reverse=True)
    assert minimum_detectable_rate(1000, large).rate < rates[-1]


def test_a_detector_below_the_floor_detects_no_rate():
    """Whatever is flagged, nothing follows; and two traces at sensitivity ½ show one in 75% of runs only."""
    assert minimum_detectable_rate(25, POOR).rate is None
    assert "no number" in minimum_detectable_rate(25, POOR).undetectable
    dull = Reference(detected=100, violations=200, cleared=196, clean=200)
    few = minimum_detectable_rate(2, dull)
    assert (few.rate, few.positives) == (None, 1)
    assert "too rarely" in few.undetectable


def test_tipping_points_by_hand():
    """10% flagged against a limit of 8%: Sp 1 → 1.25, out of reach; .95 → .675; .88 → below 1 − Sp."""
    above, tips, never = tipping_points(0.10, 0.08, specificities=[1, 0.95, 0.88])
    assert (above.outcome, above.sensitivity) == ("always above", None)
    assert (tips.outcome, tips.sensitivity) == ("tips", pytest.approx(0.675))
    assert (never.outcome, never.sensitivity) == ("never above", None)


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99), st.floats(0.01, 1))
def test_at_the_tipping_point_the_corrected_rate_is_the_limit(observed, limit, quality):
    """Both ways, where the point exists and the correction can be computed."""
    sensitivity = tipping_sensitivity(observed, limit, specificity=quality)
    if sensitivity is not None and sensitivity + quality > 1 + 1e-6:
        assert rogan_gladen(observed, sensitivity=sensitivity, specificity=quality) == pytest.approx(limit, abs=1e-6)
    specificity = tipping_specificity(observed, limit, sensitivity=quality)
    if specificity is not None and specificity + quality > 1 + 1e-6:
        assert rogan_gladen(observed, sensitivity=quality, specificity=specificity) == pytest.approx(limit, abs=1e-6)


def test_a_lower_sensitivity_raises_the_corrected_rate_and_a_lower_specificity_lowers_it():
    """The side on which the conclusion changes."""
    sensitivity = tipping_sensitivity(0.2, 0.17, specificity=0.95)
    specificity = tipping_specificity(0.2, 0.17, sensitivity=0.9)
    assert rogan_gladen(0.2, sensitivity=sensitivity - 0.01, specificity=0.95) > 0.17
    assert rogan_gladen(0.2, sensitivity=0.9, specificity=specificity - 0.01) < 0.17


@pytest.mark.parametrize(
    ("observed", "limit", "quality"), [(1.1, 0.5, 0.9), (0.1, 0.0, 0.9), (0.1, 1.0, 0.9), (0.1, 0.5, 2)]
)
def test_tipping_points_need_shares(observed, limit, quality):
    """A limit of 0 or 1 cannot be crossed."""
    with pytest.raises(ValueError, match="between 0 and 1"):
        tipping_points(observed, limit, specificities=[quality])


def test_thirty_decisions_of_specificity_99_flag_a_quarter_of_clean_traces():
    """1 − .99^30 = .2603: 26%."""
    assert at_least_one_false_alarm(0.99, 30) == pytest.approx(0.2603, abs=5e-5)
    assert at_least_one_false_alarm(1.0, 30) == 0.0
    for arguments in ((1.01, 3), (0.9, 0)):
        with pytest.raises(ValueError):
            at_least_one_false_alarm(*arguments)


@pytest.mark.parametrize("counts", [(1, 0, 1, 1), (2, 1, 1, 1), (1, 1, 0, 0)])
def test_a_reference_set_needs_violations_and_clean_traces(counts):
    """Sensitivity without violations is undefined."""
    detected, violations, cleared, clean = counts
    with pytest.raises(ValueError, match="not a proportion"):
        Reference(detected=detected, violations=violations, cleared=cleared, clean=clean)
