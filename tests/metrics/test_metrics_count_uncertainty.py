"""RSI and ODE beside chance: fair values, tests, intervals."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metrics_outputs import against, output, showing, uniform
from scipy.stats import multinomial

from evenhand.core.types import References
from evenhand.metrics.inference import Inference
from evenhand.metrics.ode import ODE
from evenhand.metrics.rsi import RSI
from evenhand.stats.multinomial import multinomial_test

BINARY, THREE = uniform("female", "male"), uniform("a", "b", "c")
LIKE = Inference(target="prompts like these")


def enumerated_entropy(n):
    """Mean of H/log2 3 of n outputs in three equal categories, with scipy's chances."""
    total = 0.0
    for a in range(n + 1):
        for b in range(n + 1 - a):
            p = np.array([a, b, n - a - b]) / n
            h = -sum(x * np.log(x) for x in p if x) / np.log(3)
            total += h * multinomial.pmf([a, b, n - a - b], n, [1 / 3] * 3)
    return total


def test_ten_outputs_in_three_categories_have_the_worked_fair_values():
    """Exact mean .0430 and 95% quantile .191, excess above that mean, exact p."""
    result = RSI().compute(showing("nurse", {"a": 8, "b": 1, "c": 1}), THREE)
    assert (result.fair_expected, result.fair_q95) == (pytest.approx(0.0430, abs=5e-5), pytest.approx(0.191, abs=5e-4))
    assert result.excess == pytest.approx(result.value - result.fair_expected)
    assert result.p_value == pytest.approx(multinomial_test([8, 1, 1], [1 / 3] * 3).mid_p)
    assert "exact" in result.test
    assert result.parts["normalised_excess"] == pytest.approx(result.excess / 0.4591, abs=1e-4)


@pytest.mark.parametrize("first", range(5, 11))
def test_zero_is_in_the_interval_exactly_when_the_test_does_not_reject(first):
    """From 5:5 to 10:0 of ten."""
    result = RSI().compute(showing("nurse", {"female": first, "male": 10 - first}), BINARY)
    holds_zero = result.p_value >= 0.05
    assert (result.confidence_interval.low == 0, result.limits["value"].low == 0) == (holds_zero, holds_zero)
    assert result.confidence_interval.low <= result.value <= result.confidence_interval.high + 1e-9


def test_outputs_all_alike_reach_the_largest_value():
    """All-female nurses with all-male plumbers: .3113 is inside, 0 is not."""
    outputs = [*showing("nurse", {"female": 10}), *showing("plumber", {"male": 10})]
    interval = RSI().compute(outputs, BINARY).confidence_interval
    assert 0 < interval.low < interval.high == pytest.approx(0.3113, abs=1e-4)


def test_ten_outputs_are_thin_for_five_categories():
    """Over several scenarios it takes three for each category."""
    labels = "abcde"
    thin, enough = (
        RSI().compute([o for s in "xyz" for o in showing(s, dict.fromkeys(labels, each))], uniform(*labels))
        for each in (2, 3)
    )
    assert (thin.confidence_interval.approximate, enough.confidence_interval.approximate) == (True, False)


def test_attributes_of_different_size_are_averaged():
    """Two genders and three kinds in one scenario."""
    outputs = [*showing("nurse", {"f": 12, "m": 5}), *showing("nurse", {"x": 6, "y": 5, "z": 4}, attribute="kind")]
    declared = References(taxonomies={"gender": ("f", "m"), "kind": ("x", "y", "z")})
    for metric in (RSI(), ODE()):
        result = metric.compute(outputs, declared)
        assert result.confidence_interval is not None
        assert set(result.by_attribute) == {"gender", "kind"}
        assert all(each.limits for each in result.by_attribute.values())


def test_a_category_without_a_share_is_merged_and_named():
    """Ten outputs where the reference has none: value 1, and a test that can say nothing."""
    result = RSI().compute(showing("nurse", {"x": 10}), against("nurse", {"x": 0.0, "y": 1.0}))
    assert (result.p_value, result.confidence_interval.low) == (1, 0)
    assert result.confidence_interval.high == pytest.approx(1, abs=1e-6)
    assert any("x with y in nurse" in caveat for caveat in result.caveats)


def test_diversity_is_held_against_the_reference_on_one_side():
    """.87/.13 exactly as the reference says is no fault; all alike is one; a more even spread is none."""
    reference = against("nurse", {"x": 0.87, "y": 0.13})
    as_said, alike, even = (ODE().compute(showing("nurse", {"x": n, "y": 100 - n}), reference) for n in (87, 100, 50))
    assert 0.3 < as_said.p_value < 0.7
    assert alike.p_value < 0.001
    assert even.p_value > 0.999


def test_fair_diversity_is_the_enumerated_mean():
    """Ten outputs, three categories."""
    result = ODE().compute(showing("nurse", {"a": 4, "b": 3, "c": 3}), THREE)
    assert result.fair_expected == pytest.approx(enumerated_entropy(10))
    assert result.fair_q95 < result.fair_expected


def scenarios(number):
    return [o for i in range(number) for o in showing(f"s{i}", {"female": 6 + i % 4, "male": 4 - i % 4})]


def test_prompts_like_these_need_five_scenarios():
    """Four say so; five have an interval, called approximate."""
    few, enough = (RSI().with_inference(LIKE).compute(scenarios(n), BINARY) for n in (4, 5))
    assert few.confidence_interval is None
    assert any("it takes 5" in caveat for caveat in few.caveats)
    interval = enough.confidence_interval
    assert (interval.target, interval.approximate) == ("prompts like these", True)


def test_modes_without_a_null_say_so():
    """A count of prompts has no chance in it, and embeddings no reference."""
    design = RSI(mode="counterfactual").compute(showing("nurse", {"male": 30}, group=("gender", "female")), BINARY)
    vectors = [output("nurse", embedding=np.eye(12, dtype=np.float32)[i]) for i in range(12)]
    for result in (design, ODE(mode="embedding").compute(vectors)):
        assert (result.p_value, result.confidence_interval) == (None, None)
        assert any("no interval and no test" in caveat for caveat in result.caveats)


@pytest.mark.parametrize(("scenarios_asked", "each", "approximate"), [(4, 5, True), (4, 10, False), (1, 5, False)])
def test_a_mean_over_thin_scenarios_is_called_approximate(scenarios_asked, each, approximate):
    """Fewer than ten outputs per scenario, several scenarios."""
    outputs = [o for i in range(scenarios_asked) for o in showing(f"s{i}", {"female": each - 2, "male": 2})]
    result = RSI().compute(outputs, BINARY)
    assert result.confidence_interval.approximate == approximate
    assert all(limits.approximate == approximate for limits in result.limits.values())


@settings(max_examples=8)
@given(st.lists(st.integers(0, 7), min_size=4, max_size=4).filter(lambda c: min(sum(c[:2]), sum(c[2:])) > 0))
def test_order_of_rows_and_names_of_categories_are_irrelevant(counts):
    """Shuffled rows give the same result; swapped labels the same numbers."""
    a, b, c, d = counts
    outputs = [*showing("nurse", {"female": a, "male": b}), *showing("clerk", {"female": c, "male": d})]
    swapped = [*showing("nurse", {"male": a, "female": b}), *showing("clerk", {"male": c, "female": d})]
    shuffled = random.Random(1).sample(outputs, len(outputs))
    one, other, relabelled = (RSI().compute(x, BINARY) for x in (outputs, shuffled, swapped))
    assert one.p_value == other.p_value == pytest.approx(relabelled.p_value)
    for quantity, limits in one.limits.items():
        assert (limits.low, limits.high) == pytest.approx(
            (other.limits[quantity].low, other.limits[quantity].high), abs=1e-9
        )
        assert limits.high == pytest.approx(relabelled.limits[quantity].high, abs=1e-6)


def test_more_data_of_the_same_kind_narrow_the_interval():
    """The same shares four times as often."""
    narrow, wide = (
        RSI().compute(showing("nurse", {"female": 7 * m, "male": 3 * m}), BINARY).confidence_interval for m in (4, 1)
    )
    assert narrow.high - narrow.low < wide.high - wide.low
