"""HSI against chance: limits of the level, tests of the gap, and what masking decides."""

from math import sqrt

import numpy as np
import pytest
from metrics_outputs import HARMLESS, output
from scipy.stats import permutation_test

from evenhand.metrics.hsi import HSI
from evenhand.metrics.inference import Inference

QUICK = Inference(draws=499)
WOMAN, MAN = ("gender", "female"), ("gender", "male")


def harming(group, scores, *, masked=None, scenario="nurse"):
    """Outputs with these severities of hate; masked ones where given."""
    texts = [{**HARMLESS, "identity_attack": float(x)} for x in scores]
    hidden = [None] * len(texts) if masked is None else [{**HARMLESS, "identity_attack": float(x)} for x in masked]
    return [
        output(scenario, group=group, toxicity=t, **({} if m is None else {"toxicity_masked": m}))
        for t, m in zip(texts, hidden, strict=True)
    ]


def test_a_level_has_no_fair_reference():
    """No test, no p-value, and a caveat saying so; limits all the same."""
    result = HSI().with_inference(QUICK).compute(harming(WOMAN, [0.1, 0.2, 0.0, 0.4]))
    assert (result.p_value, result.fair_expected, result.excess, result.test) == (None, None, None, "")
    assert any("not applicable" in caveat for caveat in result.caveats)
    assert result.limits["value"].low < result.value < result.limits["value"].high


def test_limits_never_collapse():
    """Forty harmless answers: up to what forty cannot exclude; forty of .95 likewise downwards."""
    none = HSI().with_inference(QUICK).compute(harming(WOMAN, [0.0] * 40)).confidence_interval
    assert (none.low, 0.03 < none.high < 0.10) == (0, True)
    all_ = HSI().with_inference(QUICK).compute(harming(WOMAN, [0.95] * 40)).confidence_interval
    assert 0.8 < all_.low < 0.95 < all_.high <= 1


def test_differences_between_prompts_are_no_scatter_of_these_prompts():
    """Two prompts of .1 and .5 without scatter inside are as narrow as one prompt; mixed inside they are not."""
    metric = HSI().with_inference(QUICK)
    apart = metric.compute([*harming(WOMAN, [0.1] * 20), *harming(MAN, [0.5] * 20)]).confidence_interval
    mixed = metric.compute([*harming(WOMAN, [0.1, 0.5] * 10), *harming(MAN, [0.1, 0.5] * 10)]).confidence_interval
    assert apart.high - apart.low < mixed.high - mixed.low


def test_the_gap_has_the_p_value_of_a_permutation_test():
    """One scenario, two groups: scipy's permutation test of the absolute difference of means."""
    rng = np.random.default_rng(3)
    a, b = rng.beta(1, 4, 15), rng.beta(1, 2.5, 15)
    result = HSI().with_inference(Inference(draws=4_999)).compute([*harming(WOMAN, a), *harming(MAN, b)])
    expected = permutation_test(
        (a, b),
        lambda x, y, axis: np.abs(x.mean(axis=axis) - y.mean(axis=axis)),
        n_resamples=9_999,
        alternative="greater",
        vectorized=True,
        rng=np.random.default_rng(0),
    )
    parts = result.by_attribute["gender"].parts
    assert parts["group_gap"] == pytest.approx(abs(a.mean() - b.mean()))
    assert parts["group_gap_p"] == pytest.approx(expected.pvalue, abs=0.02)
    assert parts["group_gap_fair"] == pytest.approx(expected.null_distribution.mean(), rel=0.05)
    assert parts["group_gap_unmasked_p"] == parts["group_gap_p"]
    assert result.parts["group_gap_p"] == parts["group_gap_p"]


def test_a_gap_that_masking_removes_is_inconclusive():
    """As written the word for a group scores .7; masked there is nothing."""
    rng = np.random.default_rng(0)
    noise = rng.beta(1, 9, 40)
    result = (
        HSI()
        .with_inference(QUICK)
        .compute(
            [
                *harming(WOMAN, 0.3 + noise[:20], masked=noise[:20]),
                *harming(MAN, noise[20:], masked=noise[20:]),
            ]
        )
    )
    gender = result.by_attribute["gender"]
    assert gender.parts["group_gap_p"] >= 0.05 > gender.parts["group_gap_unmasked_p"]
    assert gender.verdict == "inconclusive"
    assert "without identity words masked" in gender.reason
    assert any("without identity words masked" in caveat for caveat in result.caveats)
    assert result.verdict is None


def test_a_gap_seen_both_ways_stands():
    """Masking changes nothing."""
    scores = np.linspace(0, 0.2, 20)
    result = (
        HSI()
        .with_inference(QUICK)
        .compute([*harming(WOMAN, 0.3 + scores, masked=0.3 + scores), *harming(MAN, scores, masked=scores)])
    )
    assert (result.by_attribute["gender"].verdict, result.by_attribute["gender"].parts["group_gap_p"]) == (
        None,
        pytest.approx(0.001),
    )


def test_prompts_like_these_cluster_on_scenarios():
    """Fewer than five: none; ten that differ: wider than for these prompts."""
    like = HSI().with_inference(Inference(draws=499, target="prompts like these"))
    outputs = [o for s in range(10) for o in harming(WOMAN, [0.05 * s, 0.05 * s + 0.02] * 10, scenario=f"s{s}")]
    few = like.compute(outputs[:80])
    assert few.confidence_interval is None
    assert any("at least 5 scenarios" in caveat for caveat in few.caveats)
    wide, these = (
        like.compute(outputs).confidence_interval,
        HSI().with_inference(QUICK).compute(outputs).confidence_interval,
    )
    assert wide.target == "prompts like these"
    assert wide.low < these.low < these.high < wide.high


def test_single_answers_count_what_lies_between_prompts():
    """R = 1: scatter within prompts cannot be seen, so that between them counts; the limits of plain outputs."""
    outputs = [o for s in range(12) for o in harming(WOMAN, [0.05 * s], scenario=f"s{s}")]
    result = HSI().with_inference(QUICK).compute(outputs)
    assert result.confidence_interval.low < 0.2 < result.confidence_interval.high - 0.05
    assert result.by_scenario["s3"].confidence_interval.high == 1


def test_more_of_the_same_data_narrows_the_limits():
    """Every output twice."""
    x = np.linspace(0, 0.5, 20)
    once, twice = (HSI().with_inference(QUICK).compute(harming(WOMAN, np.tile(x, k))) for k in (1, 2))
    assert twice.confidence_interval.high < once.confidence_interval.high
    assert twice.value == pytest.approx(once.value)


def alarms(seeds, groups, replicates, scenarios):
    """Share of fair runs in which the gap has p < .05: skewed severities, scenarios that differ."""
    metric = HSI().with_inference(Inference(draws=199))
    found = []
    for seed in range(seeds):
        rng = np.random.default_rng([seed, groups, replicates, scenarios])
        outputs = [
            o
            for s, b in enumerate(rng.uniform(5, 40, scenarios))
            for g in range(groups)
            for o in harming(("gender", f"g{g}"), rng.beta(1, b, replicates), scenario=f"s{s}")
        ]
        found.append(metric.compute(outputs).parts["group_gap_p"])
    return float((np.array(found) < 0.05).mean())


def test_fair_gaps_alarm_at_the_nominal_rate():
    """Short form of the calibration: 60 seeds of 3 groups × 5 × 2."""
    assert alarms(60, 3, 5, 2) <= 0.05 + 3 * sqrt(0.05 * 0.95 / 60)


@pytest.mark.calibration
@pytest.mark.parametrize("groups", [2, 3, 5])
@pytest.mark.parametrize("replicates", [5, 10, 20])
def test_size_of_the_gap_test(groups, replicates):
    """400 fair runs: rejected in [.02, .05 + 2 errors]."""
    assert 0.02 <= alarms(400, groups, replicates, 2) <= 0.05 + 2 * sqrt(0.05 * 0.95 / 400)


def test_names_and_order_change_nothing_beyond_monte_carlo():
    """Groups swapped, rows reversed."""
    rng = np.random.default_rng(5)
    a, b = rng.beta(1, 5, 12), rng.beta(1, 3, 12)
    one = HSI().with_inference(QUICK).compute([*harming(WOMAN, a), *harming(MAN, b)])
    other = HSI().with_inference(QUICK).compute([*harming(MAN, a), *harming(WOMAN, b)][::-1])
    assert other.parts["group_gap_p"] == pytest.approx(one.parts["group_gap_p"], abs=0.05)
    assert other.confidence_interval.high == pytest.approx(one.confidence_interval.high)
