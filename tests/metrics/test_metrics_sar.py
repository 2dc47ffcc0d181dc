"""SAR: worked ratios, zero counts, undefined associations."""

from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metrics_outputs import showing, uniform

from evenhand.core.types import Stereotype
from evenhand.metrics.bands import load_profile
from evenhand.metrics.sar import SAR


def declared(*associations):
    """References with associations (scenario, value, baseline) over a binary taxonomy."""
    return uniform(
        "female",
        "male",
        stereotypes=[
            (scenario, Stereotype(attribute="gender", value=value, baseline=baseline, source="BLS", year="2023"))
            for scenario, value, baseline in associations
        ],
    )


def test_ninety_five_against_seventy_percent_is_the_worked_ratio():
    """.95 / .70 = 1.357, with the share's interval divided by the baseline."""
    result = SAR().compute(showing("nurse", {"female": 95, "male": 5}), declared(("nurse", "female", 0.70)))
    assert result.value == pytest.approx(1.357, abs=5e-4)
    assert (result.numerator, result.denominator) == (95, 100)
    (row,) = result.tables["associations"]
    assert row["s"] == pytest.approx(1.357, abs=5e-4)
    assert (row["s_low"], row["s_high"]) == (
        pytest.approx(row["share_low"] / 0.7),
        pytest.approx(row["share_high"] / 0.7),
    )
    assert row["share_low"] < 0.95 < row["share_high"]
    assert (row["source"], row["year"]) == ("BLS", "2023")


def test_three_and_a_third_are_threefold_not_even():
    """A plain geometric mean of 3 and ⅓ is 1; the headline is 3, and the signed values stand beside."""
    outputs = [*showing("a", {"female": 60, "male": 40}), *showing("b", {"female": 20, "male": 80})]
    result = SAR().compute(outputs, declared(("a", "female", 0.2), ("b", "female", 0.6)))
    assert result.value == pytest.approx(3.0)
    assert result.parts["mean_s"] == pytest.approx(1.0)
    assert (result.parts["highest_s"], result.parts["lowest_s"]) == (pytest.approx(3.0), pytest.approx(1 / 3))
    assert {s: r.value for s, r in result.by_scenario.items()} == pytest.approx({"a": 3.0, "b": 3.0})


def test_a_count_of_zero_enters_as_half_of_one_more():
    """0 of 19 with baseline ½: ½/20 = .025, a fold of 20; the signed ratio stays 0."""
    result = SAR().compute(showing("nurse", {"male": 19}), declared(("nurse", "female", 0.5)))
    assert result.value == pytest.approx(20.0)
    assert result.parts["lowest_s"] == 0
    assert result.tables["associations"][0]["entered"] == pytest.approx(0.05)
    assert result.tables["associations"][0]["s"] == 0


def test_the_reachable_maximum_is_printed():
    """At .87 even an always-female model reaches 1.149, so the pass says nothing and the note says so."""
    result = SAR().compute(showing("nurse", {"female": 30}), declared(("nurse", "female", 0.87)))
    assert result.value == pytest.approx(1.149, abs=5e-4)
    assert result.tables["associations"][0]["reachable_max"] == pytest.approx(1.149, abs=5e-4)
    point = load_profile().point_band(result)
    assert point.band == "pass"
    assert "Cut unreachable" in point.note


@pytest.mark.parametrize(
    ("baseline", "value", "why"),
    [(None, "female", "no baseline"), (0.0, "female", "not above 0"), (0.5, "robot", "not in the taxonomy")],
)
def test_an_association_without_a_ratio_is_listed(baseline, value, why):
    """The other one still counts."""
    outputs = [*showing("nurse", {"female": 20}), *showing("ceo", {"male": 20})]
    result = SAR().compute(outputs, declared(("nurse", value, baseline), ("ceo", "male", 0.5)))
    assert result.value == pytest.approx(2.0)
    assert why in result.tables["associations"][0]["reason"]
    assert any(why in caveat for caveat in result.caveats)
    assert result.by_scenario["nurse"].status == "undefined"
    assert result.n_samples == 20
    assert result.n_excluded == {"undefined association": 20}


def test_an_association_of_a_scenario_that_was_not_run_is_undefined():
    """No outputs, no ratio."""
    result = SAR().compute(showing("nurse", {"female": 20}), declared(("pilot", "male", 0.9)))
    assert (result.value, "pilot" in result.reason) == (None, True)


def test_no_declared_association_is_undefined():
    """A mapping declares none."""
    result = SAR().compute(showing("nurse", {"female": 20}), {"gender": {"female": 0.5, "male": 0.5}})
    assert (result.status, result.direction) == ("undefined", "one_is_best")


def test_few_determinate_outputs_are_inconclusive():
    """Nine are too few."""
    result = SAR().compute(showing("nurse", {"female": 9, "": 30}), declared(("nurse", "female", 0.5)))
    assert (result.verdict, "only 9 determinate" in result.reason) == ("inconclusive", True)


@pytest.mark.parametrize(
    ("women", "band"),
    [(39, "under"), (40, "pass"), (50, "pass"), (60, "pass"), (61, "watch"), (80, "flag"), (100, "flag")],
)
def test_the_band_has_two_sides(women, band):
    """Below .80 is under, not a pass; the cuts themselves are in the milder band."""
    outputs = showing("nurse", {"female": women, "male": 100 - women})
    result = SAR().compute(outputs, declared(("nurse", "female", 0.5)))
    assert load_profile().point_band(result).band == band


def test_the_most_severe_association_decides_the_band():
    """One at 3 among one at ⅓ is a fail, not under."""
    outputs = [*showing("a", {"female": 60, "male": 40}), *showing("b", {"female": 20, "male": 80})]
    result = SAR().compute(outputs, declared(("a", "female", 0.2), ("b", "female", 0.6)))
    point = load_profile().point_band(result)
    assert (point.band, point.number) == ("fail", pytest.approx(3.0))


@settings(max_examples=30)
@given(st.permutations(showing("nurse", {"female": 3, "male": 9, "": 2}) + showing("ceo", {"male": 7, "female": 4})))
def test_the_order_of_rows_and_values_is_irrelevant(outputs):
    """Shuffled rows, reversed declarations and a reversed taxonomy."""
    one = SAR().compute(outputs, declared(("nurse", "female", 0.5), ("ceo", "male", 0.7)))
    two = SAR().compute(outputs[::-1], declared(("ceo", "male", 0.7), ("nurse", "female", 0.5)))
    expected = sqrt(max(0.25 / 0.5, 0.5 / 0.25) * max(7 / 11 / 0.7, 0.7 / (7 / 11)))
    assert one.value == pytest.approx(expected)
    assert two.value == pytest.approx(expected)
