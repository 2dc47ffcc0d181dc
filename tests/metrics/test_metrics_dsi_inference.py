"""DSI against chance: the fair reference, the test, and limits that cover."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metrics_outputs import output, served
from scipy.stats import fisher_exact, hypergeom

from evenhand.core.outcomes import Answered
from evenhand.core.table import OutputTable
from evenhand.metrics.dsi import DSI
from evenhand.metrics.inference import Inference

QUICK = Inference(draws=499)
WOMAN, MAN, OTHER = ("gender", "female"), ("gender", "male"), ("gender", "nonbinary")
BLACK, WHITE = ("race", "black"), ("race", "white")


def audit(refused, words, *, scenarios=1, attribute="gender"):
    """A table from (n,) arrays, n = scenarios × groups × replicates of (S, G, R) arrays."""
    shape = refused.shape
    place = np.indices(shape).reshape(3, -1)
    n = refused.size
    table = OutputTable.from_columns(
        scenario_ids=[f"s{i}" for i in place[0]],
        attributes=[attribute] * n,
        values=[f"g{i}" for i in place[1]],
        replicates=(place[2] + 1).tolist(),
        outcomes=[Answered(text="x")] * n,
        prompts=[""] * n,
        request_ids=[""] * n,
        judged={"is_refusal": refused.reshape(-1).tolist()},
        could_not_judge={},
        extra={},
    )
    return replace(table, words=np.asarray(words, dtype=float).reshape(-1))


def test_with_eight_groups_chance_alone_exceeds_the_published_cut():
    """8 groups of 20, refusal .10: the plug-in range of a fair model is above .05 in 99% of runs, and we say so."""
    refused = np.zeros((1, 8, 20), dtype=bool)
    refused.reshape(-1)[::10] = True
    result = DSI().with_inference(QUICK).compute(audit(refused, np.full(refused.shape, 10)))
    # RRD alone varies: DSI is half of it. Expected range by simulation of independent binomials is .19
    draws = np.random.default_rng(0).multivariate_hypergeometric([20] * 8, 16, 20_000)
    ranges = np.ptp(draws, axis=1) / 20
    assert result.fair_expected == pytest.approx(ranges.mean() / 2, abs=0.005)
    assert result.fair_q95 == pytest.approx(np.quantile(ranges, 0.95) / 2, abs=0.026)
    assert (ranges > 0.05).mean() > 0.98
    assert result.excess == pytest.approx(result.value - result.fair_expected)


def test_refusals_of_two_groups_are_fishers_test():
    """7/10 against 1/10: the mid-p of the hypergeometric law, two-sided as the range is."""
    outputs = [*served(WOMAN, n=10, refused=7), *served(MAN, n=10, refused=1)]
    result = DSI().with_inference(Inference(draws=9_999)).compute(outputs)
    law = hypergeom(20, 8, 10)
    exact = fisher_exact([[7, 3], [1, 9]]).pvalue
    mid = exact - 0.5 * (law.pmf(7) + law.pmf(1))
    assert result.p_value == pytest.approx(mid, abs=4 * sqrt(mid / 9_999))
    assert "permuted within scenario" in result.test


def test_lengths_are_permuted_with_the_refusals_they_belong_to():
    """Refusals are short texts, but no substantive answer: permuting them with their length brings no disparity."""
    outputs = [
        *(
            output(group=g, outcome="no" if i < 5 else "a b c d e f", is_refusal=i < 5)
            for g in (WOMAN, MAN)
            for i in range(10)
        )
    ]
    result = DSI().with_inference(QUICK).compute(outputs)
    assert result.parts["RLD"] == 0
    # lengths never differ between substantive answers, so that only the range of rates is left, halved
    rates = np.abs(2 * hypergeom(20, 10, 10).rvs(20_000, random_state=1) - 10) / 10
    assert result.fair_expected == pytest.approx(rates.mean() / 2, abs=0.01)


def test_scenarios_are_not_mixed():
    """All refuse one topic, none the other: nothing can be permuted, p is 1 and nothing exceeds chance."""
    outputs = [
        o for g in (WOMAN, MAN) for s, k in (("a", 10), ("b", 0)) for o in served(g, n=10, refused=k, scenario=s)
    ]
    result = DSI().with_inference(QUICK).compute(outputs)
    assert (result.value, result.fair_expected, result.excess, result.p_value) == (0, 0, 0, 1)


def test_data_that_do_not_vary_leave_doubt_and_no_warning():
    """Nobody refused, everyone ten words: 0, from 0 to what 40 outputs cannot exclude."""
    result = DSI().with_inference(QUICK).compute([*served(WOMAN, n=20), *served(MAN, n=20)])
    limits = result.limits["excess"]
    assert (limits.low, result.p_value, limits.level) == (0, 1, 0.90)
    assert 0.01 < limits.high < 0.15
    assert limits == result.limits["value"]


def test_a_disparity_without_scatter_has_limits():
    """Women always refused, men never; one group alone has a length."""
    result = DSI().with_inference(QUICK).compute([*served(WOMAN, n=20, refused=20), *served(MAN, n=20)])
    interval = result.confidence_interval
    assert (interval.high, interval.low > 0.6, result.p_value < 0.01) == (1, True, True)


def test_overall_null_is_that_of_the_worst_attribute():
    """The worst of two attributes is expected to be worse than either."""
    outputs = [
        *(o for g in (WOMAN, MAN, BLACK, WHITE) for o in served(g, n=10, refused=3)),
    ]
    result = DSI().with_inference(QUICK).compute(outputs)
    single = [part.fair_expected for part in result.by_attribute.values()]
    one = np.abs(2 * hypergeom(20, 6, 10).rvs(40_000, random_state=1) - 6) / 10 / 2
    assert single == pytest.approx([one.mean()] * 2, abs=0.015)
    assert result.fair_expected == pytest.approx(np.maximum(one[:20_000], one[20_000:]).mean(), abs=0.015)
    assert result.confidence_interval.high >= max(p.confidence_interval.low for p in result.by_attribute.values())


def test_each_scenario_has_its_own_reference_and_limits():
    """With its own data only: 5/10 against 1/10 in one, none in the other."""
    outputs = [
        *served(WOMAN, n=10, refused=5, scenario="a"),
        *served(MAN, n=10, refused=1, scenario="a"),
        *served(WOMAN, n=10, scenario="b"),
        *served(MAN, n=10, scenario="b"),
    ]
    found = DSI().with_inference(QUICK).compute(outputs).by_scenario
    assert (found["b"].p_value, found["b"].fair_expected) == (1, 0)
    law = hypergeom(20, 6, 10)
    mid = 2 * law.sf(4) - law.pmf(5)
    assert found["a"].p_value == pytest.approx(mid, abs=0.04)
    assert found["a"].by_attribute["gender"].p_value == found["a"].p_value
    assert not found["a"].confidence_interval.approximate


def test_small_groups_make_the_interval_approximate():
    """Below 10 outputs of any group simulated coverage falls short."""
    few = DSI().with_inference(QUICK).compute([*served(WOMAN, n=9, refused=2), *served(MAN, n=30)])
    enough = DSI().with_inference(QUICK).compute([*served(WOMAN, n=10, refused=2), *served(MAN, n=30)])
    assert (few.limits["value"].approximate, enough.limits["value"].approximate) == (True, False)


def test_prompts_like_these_takes_five_scenarios():
    """With four there is no interval, and the reason; with five a wider one than for these prompts."""

    def outputs(n):
        return [
            o
            for s in range(n)
            for g, k in ((WOMAN, 2 + 2 * (s % 2)), (MAN, 2))
            for o in served(g, n=10, refused=k, scenario=f"s{s}")
        ]

    clustered = DSI().with_inference(Inference(draws=499, target="prompts like these"))
    four = clustered.compute(outputs(4))
    assert (four.confidence_interval, four.limits) == (None, {})
    assert any("prompts like these" in caveat for caveat in four.caveats)
    five, these = clustered.compute(outputs(6)), DSI().with_inference(QUICK).compute(outputs(6))
    assert five.confidence_interval.target == "prompts like these"
    assert five.confidence_interval.high >= these.confidence_interval.high
    assert five.p_value == these.p_value


def test_one_answer_of_each_group_in_one_scenario_shows_no_scatter():
    """There is a value and no interval."""
    result = DSI().with_inference(QUICK).compute([*served(WOMAN, n=1, words=5), *served(MAN, n=1, words=9)])
    assert (result.confidence_interval, result.limits) == (None, {})
    assert any("no scatter" in caveat for caveat in result.caveats)


def test_without_inference_there_is_the_value_alone():
    """None switches it off."""
    result = DSI().with_inference(None).compute([*served(WOMAN, n=5, refused=2), *served(MAN, n=5)])
    assert (result.fair_expected, result.p_value, dict(result.limits), "comparisons" in result.tables) == (
        None,
        None,
        {},
        False,
    )


def _varied(seed=0, groups=3, replicates=12):
    rng = np.random.default_rng(seed)
    refused = rng.random((2, groups, replicates)) < np.linspace(0.1, 0.5, groups)[:, None]
    return refused, rng.integers(5, 40, refused.shape)


@settings(max_examples=5)
@given(st.permutations(range(3)), st.randoms(use_true_random=False))
def test_names_and_order_change_nothing_beyond_monte_carlo(names, shuffler):
    """Groups renamed, rows shuffled: p-value, reference and limits agree within the noise of the draws."""
    refused, words = _varied()
    expected = DSI().with_inference(QUICK).compute(audit(refused, words))
    rows = list(audit(refused[:, names], words[:, names]))
    shuffler.shuffle(rows)
    found = DSI().with_inference(QUICK).compute(replace_words(rows, audit(refused[:, names], words[:, names])))
    assert found.value == pytest.approx(expected.value)
    assert found.p_value == pytest.approx(expected.p_value, abs=0.05)
    assert found.fair_expected == pytest.approx(expected.fair_expected, rel=0.1)
    assert found.limits["excess"].high == pytest.approx(expected.limits["excess"].high, rel=0.12)


def replace_words(rows, original):
    """Carry the words, which the texts do not have, along with shuffled rows."""
    by_key = {
        (o.scenario_id, o.counterfactual_value, o.replicate): w for o, w in zip(original, original.words, strict=True)
    }
    words = [by_key[o.scenario_id, o.counterfactual_value, o.replicate] for o in rows]
    return replace(OutputTable.of(rows), words=np.array(words))


def test_more_of_the_same_data_narrows_the_limits():
    """Every output twice: the same value, a narrower interval, less expected of chance."""
    refused, words = _varied()
    once = DSI().with_inference(QUICK).compute(audit(refused, words))
    twice = DSI().with_inference(QUICK).compute(audit(np.tile(refused, 2), np.tile(words, 2)))
    assert twice.value == pytest.approx(once.value)
    assert twice.fair_expected < once.fair_expected
    width = lambda r: r.confidence_interval.high - r.confidence_interval.low  # noqa: E731  # used twice, here
    assert width(twice) < width(once)


def test_splitting_a_group_into_identical_ones_brings_no_excess():
    """One group as two halves of it: the plug-in may rise, what exceeds chance does not."""
    refused, words = _varied(groups=2, replicates=20)
    merged = DSI().with_inference(QUICK).compute(audit(refused, words))
    split = (
        DSI()
        .with_inference(QUICK)
        .compute(
            audit(np.concatenate([refused, refused[:, :1]], axis=1), np.concatenate([words, words[:, :1]], axis=1))
        )
    )
    assert split.excess <= merged.excess + 0.01


def _fair(seed, groups, replicates, scenarios):
    rng = np.random.default_rng([seed, groups, replicates, scenarios])
    topic = rng.normal(0, 0.3, (scenarios, 1, 1))
    refused = rng.random((scenarios, groups, replicates)) < rng.choice([0.05, 0.1, 0.3], (scenarios, 1, 1))
    return audit(refused, np.maximum(1, np.round(np.exp(3.5 + topic + rng.normal(0, 0.4, refused.shape)))))


def rejects(seeds, groups, replicates, scenarios):
    """Share of fair runs with p < .05."""
    metric = DSI().with_inference(Inference(draws=199))
    p = [metric.compute(_fair(s, groups, replicates, scenarios)).p_value for s in range(seeds)]
    return float((np.array(p) < 0.05).mean())


def test_fair_runs_alarm_at_the_nominal_rate():
    """Short form of the calibration: 60 seeds of 3 groups × 10 × 2."""
    assert rejects(60, 3, 10, 2) <= 0.05 + 3 * sqrt(0.05 * 0.95 / 60)


@pytest.mark.calibration
@pytest.mark.parametrize("groups", [2, 3, 5])
@pytest.mark.parametrize("replicates", [5, 10, 20])
@pytest.mark.parametrize("scenarios", [1, 4])
def test_size_of_the_test(groups, replicates, scenarios):
    """400 fair runs: rejected in [.02, .05 + 2 errors]."""
    assert 0.02 <= rejects(400, groups, replicates, scenarios) <= 0.05 + 2 * sqrt(0.05 * 0.95 / 400)


def covers(seeds, groups, replicates, scenarios, effect, *, longer=0.0):
    """Share of runs whose limits hold the truth: interval, lower limit, upper limit."""
    metric = DSI().with_inference(Inference(draws=499))
    held = np.zeros(3)
    for seed in range(seeds):
        rng = np.random.default_rng([seed, groups, replicates, scenarios])
        rate = rng.choice([0.05, 0.1, 0.3], (scenarios, 1)) + effect * (np.arange(groups) == 0)
        mean = rng.uniform(30, 50, (scenarios, 1)) * np.exp(longer * np.linspace(0, 1, groups))
        shape = (scenarios, groups, replicates)
        refused = rng.random(shape) < rate[..., None]
        words = np.maximum(1, np.round(mean[..., None] * np.exp(rng.normal(-0.06125, 0.35, shape))))
        length = mean.mean(axis=0)
        truth = (np.ptp(rate.mean(axis=0)) + length.std() / length.mean() / sqrt(groups - 1)) / 2
        result = metric.compute(audit(refused, words))
        interval, limits = result.confidence_interval, result.limits["value"]
        held += [interval.low <= truth <= interval.high, limits.low <= truth, truth <= limits.high]
    return held / seeds


@pytest.mark.calibration
@pytest.mark.parametrize(("effect", "longer"), [(0.0, 0.0), (0.15, 0.0), (0.4, 0.0), (0.3, 0.4)])
@pytest.mark.parametrize(
    ("groups", "replicates", "scenarios"), [(2, 10, 1), (2, 20, 1), (3, 10, 4), (5, 5, 4), (5, 10, 10)]
)
def test_coverage(groups, replicates, scenarios, effect, longer):
    """400 runs with a planted effect, 10 outputs of a group or more: at least 93% − 3 errors."""
    least = 0.93 - 3 * sqrt(0.93 * 0.07 / 400)
    assert covers(400, groups, replicates, scenarios, effect, longer=longer).min() >= least


def test_coverage_in_short():
    """40 runs of 3 groups × 10 × 2 with a gap of .3."""
    assert covers(40, 3, 10, 2, 0.3).min() >= 0.93 - 3 * sqrt(0.93 * 0.07 / 40)
