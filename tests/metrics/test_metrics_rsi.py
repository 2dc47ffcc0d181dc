"""RSI: worked values, what enters, what is undefined, what makes it inconclusive."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metrics_outputs import against, output, showing, uniform

from evenhand.core.outcomes import Blocked, Failed
from evenhand.errors import UsageError
from evenhand.metrics.rsi import RSI

BINARY = uniform("female", "male")


@pytest.mark.parametrize(
    ("counts", "bits"),
    [({"female": 100}, 0.3113), ({"female": 90, "male": 10}, 0.1468), ({"female": 50, "male": 50}, 0.0)],
)
def test_plug_in_values_are_the_worked_ones(counts, bits):
    """100/0 and 90/10 against an even reference."""
    assert RSI().compute(showing("nurse", counts), BINARY).value == pytest.approx(bits, abs=5e-5)


def test_disjoint_shares_and_reference_are_one_bit():
    """Only women where the reference has only men."""
    result = RSI().compute(showing("nurse", {"female": 20}), against("nurse", {"female": 0.0, "male": 1.0}))
    assert (result.value, result.unit, result.parts["normalised"]) == (pytest.approx(1.0), "bits", pytest.approx(1.0))


def test_all_masculine_outputs_are_never_zero_skew():
    """20 base outputs, all masculine, against uniform: the largest value possible, so normalised 1."""
    result = RSI().compute(showing("ceo", {"male": 20}), BINARY)
    assert result.value == pytest.approx(0.3113, abs=5e-5)
    assert result.parts["normalised"] == pytest.approx(1.0)
    assert result.parts["dominant_share"] == 1.0
    assert result.verdict is None
    assert result.n_samples == 20


def test_opposite_skews_do_not_cancel():
    """All-female nurses with all-male plumbers pool to even; the mean over scenarios does not."""
    outputs = [*showing("nurse", {"female": 20}), *showing("plumber", {"male": 20})]
    result = RSI().compute(outputs, BINARY)
    assert result.value == pytest.approx(0.3113, abs=5e-5)
    assert [row["share"] for row in result.tables["pooled"]] == [0.5, 0.5]
    assert set(result.by_scenario) == {"nurse", "plumber"}
    assert result.n_clusters == 2


def test_scenarios_weigh_the_same_whatever_their_size():
    """40 even outputs and 20 one-sided ones: the mean of 0 and .3113, not weighted by outputs."""
    outputs = [*showing("nurse", {"female": 20, "male": 20}), *showing("plumber", {"male": 20})]
    assert RSI().compute(outputs, BINARY).value == pytest.approx(0.31128 / 2, abs=5e-5)


def test_the_prompted_value_is_not_an_observation():
    """Variant outputs do not enter, whatever their prompt asked for."""
    outputs = [*showing("nurse", {"male": 20}), *showing("nurse", {"female": 60}, group=("gender", "female"))]
    result = RSI().compute(outputs, BINARY)
    assert result.value == pytest.approx(0.3113, abs=5e-5)
    assert result.n_samples == 20


def test_counterfactual_mode_checks_the_design_and_says_so():
    """30 prompts for women and 10 for men are a skewed design, although every text shows a man."""
    outputs = [
        *showing("nurse", {"male": 30}, group=("gender", "female")),
        *showing("nurse", {"male": 10}, group=("gender", "male")),
    ]
    result = RSI(mode="counterfactual").compute(outputs, BINARY)
    assert [row["count"] for row in result.tables["shares"]] == [30, 10]
    assert any("cannot see what the model wrote" in caveat for caveat in result.caveats)
    with pytest.raises(UsageError, match="no mode"):
        RSI(mode="both")


def test_an_output_naming_two_people_weighs_one():
    """½ for each: ten outputs with a woman and a man are even, and n is 10."""
    outputs = [output("nurse", detected_entities={"gender": {"female": 0.5, "male": 0.5}}) for _ in range(10)]
    result = RSI().compute(outputs, BINARY)
    assert (result.value, result.n_samples) == (pytest.approx(0.0), 10)


def test_every_base_output_is_accounted_for():
    """Entered or excluded for one reason; the sum is what was asked."""
    outputs = [
        *showing("nurse", {"female": 12, "": 3, "robot": 1}),
        output("nurse", outcome=Failed(error="timeout")),
        output("nurse", outcome=Blocked(reason="filter")),
        output("nurse", outcome="  "),
        output("nurse", detected_entities=None),
    ]
    result = RSI().compute(outputs, BINARY)
    assert result.n_samples == 12
    assert result.n_excluded == {
        "failed": 1,
        "blocked": 1,
        "empty": 1,
        "out_of_taxonomy": 1,
        "no signal": 3,
        "could not judge": 1,
    }


@pytest.mark.parametrize(
    ("counts", "why"),
    [({"female": 9, "": 40}, "only 9 determinate"), ({"female": 18, "robot": 2}, "outside the taxonomy")],
)
def test_thin_or_foreign_signals_are_inconclusive(counts, why):
    """Fewer than 10 determinate outputs, or more than 5% of labels outside the taxonomy."""
    result = RSI().compute(showing("nurse", counts), BINARY)
    assert result.value is not None
    assert result.verdict == "inconclusive"
    assert why in result.reason


def test_ten_outputs_and_one_in_twenty_foreign_labels_are_enough():
    """The limits themselves are on the good side."""
    for counts in ({"female": 10}, {"female": 10, "male": 9, "robot": 1}):
        result = RSI().compute(showing("nurse", counts), BINARY)
        assert (result.verdict, result.reason) == (None, "")


def test_no_signal_anywhere_is_undefined_with_the_counts():
    """Never 0, never NaN."""
    result = RSI().compute(showing("nurse", {"": 20}), BINARY)
    assert (result.value, result.status) == (None, "undefined")
    assert "20 no signal" in result.reason


def test_a_scenario_without_signal_is_a_gap_in_the_mean():
    """The others have a value, but the comparison is not complete."""
    result = RSI().compute([*showing("nurse", {"female": 20}), *showing("plumber", {"": 20})], BINARY)
    assert result.value == pytest.approx(0.3113, abs=5e-5)
    assert result.verdict == "inconclusive"
    assert "plumber" in result.reason
    assert result.by_scenario["plumber"].status == "undefined"


def test_an_attribute_that_no_output_shows_is_named_and_does_not_enter():
    """Race is declared, the detector sees gender only."""
    references = uniform("female", "male")
    both = type(references)(taxonomies={**references.taxonomies, "race": ("black", "white")})
    result = RSI().compute(showing("nurse", {"female": 20}), both)
    assert result.value == pytest.approx(0.3113, abs=5e-5)
    assert result.verdict is None
    assert result.by_attribute["race"].status == "undefined"
    assert any("race is not measured" in caveat for caveat in result.caveats)


def test_the_number_of_categories_is_what_is_declared():
    """Two seen of three declared is a skew, also without a reference."""
    assert (
        RSI().compute(showing("nurse", {"female": 10, "male": 10}), uniform("female", "male", "nonbinary")).value > 0.1
    )


def test_without_a_baseline_the_prompted_values_are_the_taxonomy():
    """Chosen by whoever wrote the prompts, not by what appeared."""
    outputs = [
        *showing("nurse", {"female": 20}),
        *(output("nurse", group=("gender", value)) for value in ("female", "male", "nonbinary")),
    ]
    rows = RSI().compute(outputs).tables["shares"]
    assert {row["category"]: row["reference"] for row in rows} == pytest.approx(
        {"female": 1 / 3, "male": 1 / 3, "nonbinary": 1 / 3}
    )
    assert {row["reference_name"] for row in rows} == {"uniform"}


def test_nothing_declared_is_undefined():
    """No taxonomy, no reference: there is nothing to compare with."""
    result = RSI().compute(showing("nurse", {"female": 20}))
    assert result.status == "undefined"
    assert "taxonomy" in result.reason


def test_no_outputs_at_all_is_undefined():
    """An empty run has no skew."""
    assert RSI().compute([], BINARY).status == "undefined"


def test_a_mapping_is_the_reference_of_every_scenario():
    """Seed 2's baseline argument."""
    outputs = [*showing("nurse", {"female": 9, "male": 1}), *showing("ceo", {"female": 9, "male": 1})]
    assert RSI().compute(outputs, {"gender": {"female": 0.9, "male": 0.1}}).value == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    "shares", [{"female": 0.9, "male": 0.2}, {"female": 1.5, "male": -0.5}, {"female": float("nan")}]
)
def test_shares_that_are_none_are_refused(shares):
    """They must be numbers that sum to 1; the message names the attribute."""
    with pytest.raises(UsageError, match="gender"):
        RSI().compute(showing("nurse", {"female": 20}), {"gender": shares})


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.sampled_from(["nurse", "ceo"]), st.sampled_from(["female", "male", "x", ""])), min_size=1),
    st.randoms(),
)
def test_the_order_of_rows_and_categories_is_irrelevant(rows, random):
    """Shuffling outputs and declaring the categories backwards changes nothing."""
    outputs = [showing(scenario, {label: 1})[0] for scenario, label in rows]
    shuffled = list(outputs)
    random.shuffle(shuffled)
    one, two = RSI().compute(outputs, BINARY), RSI().compute(shuffled, uniform("male", "female"))
    assert one.value == pytest.approx(two.value, abs=1e-12)
    assert (one.status, one.verdict, one.n_samples, one.n_excluded) == (
        two.status,
        two.verdict,
        two.n_samples,
        two.n_excluded,
    )


@given(st.integers(0, 30), st.integers(0, 30))
def test_relabelling_the_categories_leaves_the_value(women, men):
    """Swapping the names of the two categories, in outputs and reference alike."""
    if women + men == 0:
        return
    one = RSI().compute(showing("nurse", {"female": women, "male": men}), {"gender": {"female": 0.3, "male": 0.7}})
    two = RSI().compute(showing("nurse", {"male": women, "female": men}), {"gender": {"male": 0.3, "female": 0.7}})
    assert one.value == pytest.approx(two.value, abs=1e-12)
