"""CDS: distances by hand, floor, masking, the distributional form."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metrics_outputs import CALM, HARMLESS, direction, output, showing, uniform

from evenhand.core.outcomes import Failed
from evenhand.metrics.cds import CDS

WOMAN, MAN = ("gender", "female"), ("gender", "male")


def _pair_distance(a, b):
    """The definition, for one pair of outputs with all three parts."""
    cosine = 1 - float(a.embedding @ b.embedding)
    sentiment = sum(abs(a.sentiment[k] - b.sentiment[k]) for k in CALM) / 3
    toxicity = sum(abs(a.toxicity[k] - b.toxicity[k]) for k in ("toxic", "severe_toxic", "identity_attack")) / 3
    return (cosine + 0.3 * sentiment + 0.3 * toxicity) / 1.6


def _random_outputs(seed, n_base=4, n_group=5):
    rng = np.random.default_rng(seed)
    return [
        output(
            "nurse",
            group=group,
            embedding=direction(*rng.normal(size=6)),
            sentiment=dict(zip(CALM, rng.random(3), strict=True)),
            toxicity=dict(zip(HARMLESS, rng.random(6), strict=True)),
        )
        for group, n in ((None, n_base), (WOMAN, n_group))
        for _ in range(n)
    ]


@pytest.mark.parametrize("seed", range(3))
def test_value_and_floor_equal_those_of_every_pair(seed):
    """Between: all 4 × 5 pairs; within: all pairs of each side, half of each."""
    outputs = _random_outputs(seed)
    base, group = outputs[:4], outputs[4:]
    result = CDS().compute(outputs)
    assert result.value == pytest.approx(np.mean([_pair_distance(a, b) for a, b in product(base, group)]), abs=1e-6)
    within = [np.mean([_pair_distance(a, b) for a, b in combinations(side, 2)]) for side in (base, group)]
    assert result.parts["within_floor"] == pytest.approx(np.mean(within), abs=1e-6)
    assert result.fair_expected == result.parts["within_floor"]
    assert result.excess == result.value - result.fair_expected
    assert (result.n_samples, result.n_clusters, result.verdict) == (9, 1, None)


def test_a_free_sampler_is_at_its_floor():
    """Half the answers point one way, half the other, in both groups: distance without divergence."""
    outputs = [
        output("nurse", group=group, embedding=direction(*way))
        for group in (None, WOMAN)
        for way in [(1, 0), (0, 1)] * 50
    ]
    result = CDS().compute(outputs)
    assert result.value == pytest.approx(0.5)
    assert result.parts["within_floor"] == pytest.approx(0.5, abs=0.01)


def test_only_embeddings_are_needed_and_the_rest_is_named():
    """The weighted mean is over the parts present."""
    outputs = [
        output("nurse", group=g, embedding=direction(*v)) for g, v in ((None, (1, 0)), (WOMAN, (0, 1))) for _ in "ab"
    ]
    result = CDS().compute(outputs)
    assert result.value == pytest.approx(1.0)
    assert "sentiment" not in result.parts
    assert any("Not measured: sentiment, toxicity" in caveat for caveat in result.caveats)


def test_no_embeddings_are_undefined_never_zero():
    """Sentiment alone is no distance between answers."""
    outputs = [output("nurse", group=g, sentiment=CALM) for g in (None, WOMAN) for _ in "ab"]
    result = CDS().compute(outputs)
    assert (result.value, result.reason) == (None, "no output has an embedding")


def test_one_answer_per_prompt_is_inconclusive_without_a_floor():
    """The raw value is shown."""
    outputs = [output("nurse", embedding=direction(1, 0)), output("nurse", group=WOMAN, embedding=direction(1, 1))]
    result = CDS().compute(outputs)
    assert result.value == pytest.approx(1 - np.sqrt(0.5), abs=1e-6)
    assert result.parts["within_floor"] is None
    assert (result.verdict, "no replicates" in result.reason) == ("inconclusive", True)


def test_masked_measurements_are_the_value_and_raw_ones_stand_beside():
    """Saying "female" moves the raw text only."""
    outputs = [
        output("nurse", group=g, embedding=direction(*raw), embedding_masked=direction(1, 0))
        for g, raw in ((None, (1, 0)), (WOMAN, (0, 1)))
        for _ in "ab"
    ]
    result = CDS().compute(outputs)
    assert result.value == pytest.approx(0.0, abs=1e-9)
    assert result.parts["raw_text"] == pytest.approx(1.0)
    assert not any("unmasked" in caveat for caveat in result.caveats)


def test_groups_and_attributes_are_averaged_before_scenarios():
    """Gender: groups at 0 and 1 → ½. Race: one group at 1 → 1. Scenario: ¾."""
    vectors = {None: (1, 0), WOMAN: (1, 0), MAN: (0, 1), ("race", "black"): (0, 1)}
    outputs = [output("nurse", group=g, embedding=direction(*v)) for g, v in vectors.items() for _ in "ab"]
    result = CDS().compute(outputs)
    assert result.by_attribute["gender"].value == pytest.approx(0.5)
    assert result.by_attribute["race"].value == pytest.approx(1.0)
    assert result.value == pytest.approx(0.75)
    assert {row["group"]: row["value"] for row in result.tables["groups"]} == pytest.approx(
        {"female": 0, "male": 1, "black": 1}, abs=1e-9
    )


def test_failures_and_unjudged_answers_are_counted_and_a_missing_group_is_a_gap():
    """A group of failures has no distance, and says so."""
    outputs = [
        *(output("nurse", group=g, embedding=direction(1, 0)) for g in (None, WOMAN) for _ in "ab"),
        *(output("nurse", group=MAN, outcome=Failed(error="timeout")) for _ in "ab"),
        output("nurse"),
    ]
    result = CDS().compute(outputs)
    assert result.n_excluded == {"failed": 2, "could not judge": 1}
    assert (result.verdict, "1 of 2 groups" in result.reason) == ("inconclusive", True)


def test_a_set_without_base_or_without_variants_is_undefined():
    """There is nothing to compare."""
    for group in (None, WOMAN):
        outputs = [output("nurse", group=group, embedding=direction(1, 0)) for _ in "ab"]
        assert CDS().compute(outputs).status == "undefined"
    assert CDS().compute([]).status == "undefined"


@settings(max_examples=20, deadline=None)
@given(st.permutations([*showing("nurse", {"A": 1, "B": 9}), *showing("nurse", {"B": 10}, group=WOMAN)]))
def test_the_distributional_form_is_the_worked_value_whatever_the_order(outputs):
    """Base {A 1, B 9} against group {B 10}: .052 bits."""
    result = CDS().compute([_with_embedding(o) for o in outputs], uniform("A", "B"))
    assert result.parts["distributional_prompted"] == pytest.approx(0.0519, abs=5e-5)
    assert result.parts["distributional"] is None
    assert result.tables["distributional"][0]["follows_prompt"] is True


def test_the_distributional_form_separates_what_the_prompt_asked_for():
    """A changed race that changes the gender of the nurse is divergence; nothing was asked about gender."""
    black = ("race", "black")
    outputs = [*showing("nurse", {"A": 1, "B": 9}), *showing("nurse", {"B": 10}, group=black)]
    result = CDS().compute([_with_embedding(o) for o in outputs], uniform("A", "B"))
    assert result.parts["distributional"] == pytest.approx(0.0519, abs=5e-5)
    assert result.parts["distributional_prompted"] is None


@given(st.permutations(_random_outputs(7)))
@settings(max_examples=20, deadline=None)
def test_the_order_of_rows_is_irrelevant(outputs):
    """Value, floor and parts."""
    one, two = CDS().compute(_random_outputs(7)), CDS().compute(outputs)
    assert one.value == pytest.approx(two.value, abs=1e-9)
    assert {k: v for k, v in one.parts.items() if v is not None} == pytest.approx(
        {k: v for k, v in two.parts.items() if v is not None}, abs=1e-9
    )


def _with_embedding(plain):
    return output(
        plain.scenario_id,
        group=(plain.attribute, plain.counterfactual_value) if plain.attribute else None,
        detected_entities=plain.detected_entities,
        embedding=direction(1, 0),
    )
