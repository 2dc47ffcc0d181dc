"""Uncertainty of CDS: its permutation test, its fair reference, its limits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metrics_outputs import CALM, HARMLESS, direction, output, showing, uniform
from scipy import stats

from evenhand.core.table import OutputTable
from evenhand.metrics.cds import CDS
from evenhand.metrics.conditions import conditions_of
from evenhand.metrics.distance import measured
from evenhand.metrics.divergence_blocks import blocks, mean_distances, row_distances
from evenhand.metrics.divergence_null import CAPS, FEWEST_DRAWS, plan
from evenhand.metrics.inference import Inference

WOMAN, MAN, OLD = ("gender", "female"), ("gender", "male"), ("age", "old")


def _run(seed, *, shift=0.0, n=6, scenarios=3, groups=(WOMAN, MAN, OLD), moved=(WOMAN,), **facts):
    """Answers around one direction per scenario; those of `moved` groups are pushed aside by `shift`."""
    rng = np.random.default_rng(seed)
    outputs = []
    for scenario in range(scenarios):
        centre = rng.normal(size=8)
        for group in (None, *groups):
            for _ in range(n):
                vector = centre + rng.normal(size=8) + (shift if group in moved else 0) * np.eye(8)[0]
                outputs.append(output(f"s{scenario}", group=group, embedding=direction(*vector), **facts))
    return outputs


def _cds(outputs, **settings_):
    return CDS().with_inference(Inference(**{"draws": 299, **settings_})).compute(outputs)


def test_a_planted_effect_is_found_and_limited_from_below():
    """One group of three answered elsewhere: a small p, the lower limit of the excess above 0, the other half left."""
    result = _cds(_run(0, shift=6.0, n=10))
    assert result.p_value < 0.01
    assert result.by_attribute["gender"].p_value < 0.01
    assert result.by_attribute["age"].p_value > 0.05
    assert 0 < result.limits["excess"].low < result.excess < result.limits["excess"].high
    assert result.value > result.fair_q95
    assert result.test == "condition labels permuted within scenario, 299 draws, mid-p"


def test_answers_of_one_law_are_left_alone():
    """Over 150 fair runs about one in twenty has p below .05 (binomial: 1 to 17), and excess 0 lies in its limits."""
    results = [_cds(_run(seed, n=4, scenarios=2, groups=(WOMAN, MAN)), draws=99) for seed in range(150)]
    assert 1 <= sum(r.p_value < 0.05 for r in results) <= 17
    assert np.mean([r.excess for r in results]) == pytest.approx(0, abs=0.01)
    assert np.mean([r.limits["excess"].low <= 0 <= r.limits["excess"].high for r in results]) > 0.9
    assert np.mean([r.value > r.fair_q95 for r in results]) == pytest.approx(0.05, abs=0.05)


@given(st.permutations(_run(3, shift=1.0, scenarios=1)))
@settings(max_examples=10)
def test_the_order_of_rows_is_irrelevant(outputs):
    """Intervals to rounding, tests to the error of their draws."""
    one, two = _cds(_run(3, shift=1.0, scenarios=1)), _cds(outputs)
    assert two.excess == pytest.approx(one.excess, abs=1e-6)
    assert two.limits["excess"].low == pytest.approx(one.limits["excess"].low, rel=0.1, abs=0.01)
    assert two.p_value == pytest.approx(one.p_value, abs=0.1)


def test_the_names_of_groups_are_irrelevant():
    """Women called men, men called women."""
    swapped = {WOMAN: MAN, MAN: WOMAN}
    one = _run(4, shift=1.0)
    groups = [None if o.attribute is None else (o.attribute, o.counterfactual_value) for o in one]
    two = [
        output(o.scenario_id, group=swapped.get(g, g), embedding=o.embedding) for o, g in zip(one, groups, strict=True)
    ]
    first, second = _cds(one, draws=1_999), _cds(two, draws=1_999)
    assert second.excess == pytest.approx(first.excess, abs=1e-6)
    assert second.p_value == pytest.approx(first.p_value, abs=0.03)
    assert second.fair_q95 == pytest.approx(first.fair_q95, abs=0.005)


def test_a_group_that_answers_like_another_changes_nothing_but_the_certainty():
    """The same answers under two names have the value and the excess of one."""
    one = _run(5, shift=1.0, groups=(WOMAN,))
    again = [output(o.scenario_id, group=MAN, embedding=o.embedding) for o in one if o.attribute]
    first, second = _cds(one), _cds([*one, *again])
    assert (second.value, second.excess) == pytest.approx((first.value, first.excess), abs=1e-6)


def test_more_of_the_same_narrows_the_interval():
    """Four times the answers, about half the width."""
    first, second = (_cds(_run(6, shift=2.0, n=n, scenarios=6)).confidence_interval for n in (6, 24))
    assert second.high - second.low < 0.7 * (first.high - first.low)


def test_one_answer_to_each_prompt_has_no_test():
    """No replicates, no noise to compare with."""
    result = _cds(_run(7, n=1))
    assert (result.p_value, result.confidence_interval, result.verdict) == (None, None, "inconclusive")


def test_answers_without_any_variation_have_an_approximate_interval():
    """A width of 0 is not certainty."""
    same = [output("s", group=g, embedding=direction(1, 0)) for g in (None, WOMAN) for _ in range(5)]
    result = _cds(same)
    assert result.p_value == 1
    assert result.confidence_interval.approximate
    assert result.limits["excess"].approximate


def test_few_scenarios_of_repeating_answers_have_an_approximate_interval():
    """Three kinds of answers of which one is most: simulated coverage falls short below four scenarios."""
    ways = [(1, 0)] * 8 + [(0, 1), (1, 1)]

    def repeating(scenarios):
        return [output(s, group=g, embedding=direction(*way)) for s in scenarios for g in (None, WOMAN) for way in ways]

    assert _cds(repeating("abc")).confidence_interval.approximate
    four = _cds(repeating("abcd"))
    assert not four.confidence_interval.approximate
    assert four.by_scenario["a"].confidence_interval.approximate


def test_prompts_like_these_are_a_sample_of_scenarios():
    """Scipy's t interval of the scenario means; below five scenarios none, and a word about it."""
    result = _cds(_run(8, shift=1.0, scenarios=6), target="prompts like these")
    means = [each.value for each in result.by_scenario.values()]
    expected = stats.t.interval(0.95, 5, loc=np.mean(means), scale=stats.sem(means))
    assert (result.confidence_interval.low, result.confidence_interval.high) == pytest.approx(expected, abs=1e-6)
    assert result.limits["excess"].target == "prompts like these"
    assert (result.confidence_interval.approximate, result.limits["excess"].approximate) == (False, True)
    few = _cds(_run(8, scenarios=4), target="prompts like these")
    assert (few.confidence_interval, dict(few.limits)) == (None, {})
    assert any("4 scenarios say nothing about prompts like these" in caveat for caveat in few.caveats)
    assert few.p_value is not None


def test_every_scenario_and_attribute_has_its_own_test_from_the_same_draws():
    """Unless only the whole is wanted."""
    result = _cds(_run(9))
    inner = result.by_scenario["s1"]
    assert inner.p_value is not None
    assert inner.by_attribute["age"].p_value is not None
    assert inner.fair_q95 > inner.fair_expected
    alone = _cds([o for o in _run(9) if o.scenario_id == "s1"])
    assert alone.p_value == inner.p_value
    whole = _cds(_run(9), parts=False)
    assert (whole.by_scenario["s1"].p_value, whole.p_value) == (None, result.p_value)


def test_a_part_of_the_outputs_has_the_fair_quantile_of_all(monkeypatch):
    """A large run is tested on some of its answers, says so, and still states the scatter of all of them."""
    outputs = _run(10, n=40, scenarios=2, groups=(WOMAN, MAN))
    whole = _cds(outputs)
    monkeypatch.setattr("evenhand.metrics.divergence_null.WORK", 1e7)
    part = _cds(outputs)
    assert part.test == "condition labels permuted within scenario, 299 draws, mid-p, at most 15 outputs of a prompt"
    assert part.fair_q95 - part.fair_expected == pytest.approx(whole.fair_q95 - whole.fair_expected, rel=0.4)
    assert (part.value, part.excess) == (whole.value, whole.excess)
    assert part.confidence_interval.high == pytest.approx(whole.confidence_interval.high, rel=0.02)


def test_small_runs_get_every_draw_and_large_ones_are_bounded():
    """Ten scenarios of six prompts in full; a hundred thousand outputs in part."""
    small = plan([np.full(6, 10)] * 10, 1_999)
    assert (small.draws, small.most) == (1_999, None)
    large = plan([np.full(4, 100)] * 250, 1_999)
    assert large.most in CAPS
    assert FEWEST_DRAWS <= large.draws < 1_999
    huge = plan([np.full(50, 1_000)] * 1_000, 1_999)
    assert (huge.draws, huge.most) == (FEWEST_DRAWS, min(CAPS))
    assert plan([np.full(400, 3)] * 100, 1_999).most is None  # nothing to leave out


def test_mean_distances_need_no_matrix():
    """With it or without it, for all three parts."""
    rng = np.random.default_rng(11)
    scored = [
        output(
            "s",
            group=group,
            embedding=direction(*rng.normal(size=5)),
            sentiment=dict(zip(CALM, rng.random(3), strict=True)),
            toxicity=dict(zip(HARMLESS, rng.random(6), strict=True)),
        )
        for group in (None, WOMAN, MAN)
        for _ in range(7)
    ]
    table = OutputTable.of(scored)
    what = measured(table, masked=True)
    (block,) = blocks(table, conditions_of(table), np.arange(len(table)))
    with_matrix = mean_distances(what, block, row_distances(what, block.rows))
    assert mean_distances(what, block, None) == pytest.approx(with_matrix, abs=1e-5)


def test_what_is_shown_has_a_fair_reference():
    """Base {A 1, B 9} against group {B 10}: .052 bits, and whichever prompt shows the A, it is .052 again."""
    black = ("race", "black")
    outputs = [*showing("nurse", {"A": 1, "B": 9}), *showing("nurse", {"B": 10}, group=black)]
    rng = np.random.default_rng(12)
    embedded = [
        output(
            o.scenario_id,
            group=(o.attribute, o.counterfactual_value) if o.attribute else None,
            detected_entities=o.detected_entities,
            embedding=direction(*rng.normal(size=3)),
        )
        for o in outputs
    ]
    result = CDS().with_inference(Inference(draws=99)).compute(embedded, uniform("A", "B"))
    assert result.parts["distributional"] == pytest.approx(0.0519, abs=5e-5)
    assert result.parts["distributional_fair"] == pytest.approx(0.0519, abs=5e-5)
    assert result.parts["distributional_prompted_fair"] is None
    row = result.tables["distributional"][0]
    assert (row["p_value"], row["fair_expected"]) == (1.0, pytest.approx(0.0519, abs=5e-5))


def test_two_people_in_one_answer_move_together():
    """Answers that show both count half for each, and change sides as one: the exact law of three against three."""

    def people(*labels):
        return {"gender": dict.fromkeys(labels, 1.0)}

    rng = np.random.default_rng(13)
    shown = {None: [people("A")] * 3, ("race", "black"): [people("A", "B")] * 3}
    outputs = [
        output("s", group=g, detected_entities=d, embedding=direction(*rng.normal(size=3)))
        for g, entities in shown.items()
        for d in entities
    ]
    result = CDS().with_inference(Inference(draws=99)).compute(outputs, uniform("A", "B"))
    assert result.tables["distributional"][0]["p_value"] == pytest.approx(1 / 20)  # two of twenty, counted half
