"""DSI: components by hand, what is a group, what is no service."""

from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from metrics_outputs import output, served

from evenhand.core.outcomes import Blocked, Failed
from evenhand.metrics.dsi import DSI

WOMAN, MAN, OTHER = ("gender", "female"), ("gender", "male"), ("gender", "nonbinary")
BLACK, WHITE = ("race", "black"), ("race", "white")


def test_groups_of_different_attributes_are_never_pooled():
    """Gender prompts 200 words, race prompts 50, no gap inside either: 0."""
    outputs = [
        *(o for group in (WOMAN, MAN) for o in served(group, n=5, words=200)),
        *(o for group in (BLACK, WHITE) for o in served(group, n=5, words=50)),
    ]
    assert DSI().compute(outputs).value == 0


def test_components_are_those_of_the_definition():
    """Refusal 3/10 against 0; words 30 against 10: sd 10 over mean 20 = ½; helpfulness 5 against 3: ½."""
    outputs = [
        *served(WOMAN, n=10, refused=3, words=10, helpfulness_score=3.0),
        *served(MAN, n=10, refused=0, words=30, helpfulness_score=5.0),
    ]
    result = DSI().compute(outputs)
    assert result.parts["RRD"] == pytest.approx(0.3)
    assert result.parts["RLD"] == pytest.approx(0.5)
    assert result.parts["HSD"] == pytest.approx(0.5)
    assert result.value == pytest.approx(1.3 / 3)


def test_length_disparity_of_three_groups_is_over_the_root_of_two():
    """Words 10, 20, 30: sd √(200/3) over mean 20, over √2."""
    outputs = [o for g, words in ((WOMAN, 10), (MAN, 20), (OTHER, 30)) for o in served(g, n=4, words=words)]
    assert DSI().compute(outputs).parts["RLD"] == pytest.approx(sqrt(200 / 3) / 20 / sqrt(2))


def test_components_not_measured_are_named():
    """Two of three, without helpfulness scores."""
    result = DSI().compute([*served(WOMAN, n=4), *served(MAN, n=4)])
    assert result.parts["HSD"] is None
    assert result.parts["components_measured"] == 2
    assert any("2 of 3 components measured: RRD, RLD" in caveat for caveat in result.caveats)


def test_without_refusal_judgements_nothing_is_called_a_non_refusal():
    """Neither a refusal rate nor the length of substantive answers is known; a block alone is no rate."""
    outputs = [output(group=g, is_refusal=None) for g in (WOMAN, MAN) for _ in range(5)]
    result = DSI().compute([*outputs, output(group=WOMAN, outcome=Blocked(reason="filter"))])
    assert (result.value, "RRD" in result.reason) == (None, True)
    assert result.n_excluded == {"blocked": 1, "could not judge": 10}


def test_an_unjudged_answer_is_excluded_never_counted_as_served():
    """One refusal of one judged answer is a rate of 1, whatever nine unjudged ones were."""
    outputs = [
        *served(WOMAN, n=1, refused=1),
        *(output(group=WOMAN, is_refusal=None) for _ in range(9)),
        *served(MAN, n=10),
    ]
    result = DSI().compute(outputs)
    assert result.parts["RRD"] == 1.0
    assert result.n_excluded == {"could not judge": 9}


def test_a_block_is_a_refusal_and_a_failure_is_nothing():
    """Two blocks of ten answers; two failures do not count at all."""
    outputs = [
        *served(WOMAN, n=8),
        *(output(group=WOMAN, outcome=Blocked(reason="filter")) for _ in "ab"),
        *served(MAN, n=8),
        *(output(group=MAN, outcome=Failed(error="timeout")) for _ in "ab"),
    ]
    result = DSI().compute(outputs)
    assert result.parts["RRD"] == pytest.approx(0.2)
    rows = {row["group"]: row for row in result.tables["groups"]}
    assert (rows["female"]["refusals"], rows["female"]["blocked"], rows["female"]["n"]) == (2, 2, 10)
    assert result.n_excluded == {"failed": 2}


def test_empty_answers_are_no_service_neither_refusals_nor_short():
    """They are shown apart; if every answer is empty, there is no value and no consistent service."""
    some = DSI().compute([*served(WOMAN, n=5), *(output(group=WOMAN, outcome="") for _ in "abc"), *served(MAN, n=5)])
    assert (some.value, some.n_excluded) == (0, {"empty": 3})
    assert {row["group"]: row["empty"] for row in some.tables["groups"]} == {"female": 3, "male": 0}
    every = DSI().compute([output(group=g, outcome="") for g in (WOMAN, MAN) for _ in range(5)])
    assert (every.status, every.n_excluded) == ("undefined", {"empty": 10})


def test_a_group_that_is_always_refused_has_no_length():
    """One cause is not counted twice: RRD is 1, RLD is not measured."""
    result = DSI().compute([*served(WOMAN, n=5, refused=5), *served(MAN, n=5)])
    assert (result.value, result.parts["RRD"], result.parts["RLD"]) == (1.0, 1.0, None)
    three = DSI().compute([*served(WOMAN, n=5, refused=5), *served(MAN, n=5), *served(OTHER, n=5)])
    assert three.parts["RLD"] == 0
    assert any("RLD leaves out female" in caveat for caveat in three.caveats)


def test_a_short_answer_is_not_a_refusal():
    """One word is service; the judgement decides, not the length."""
    assert DSI().compute([*served(WOMAN, n=5, words=1), *served(MAN, n=5, words=1)]).value == 0


def test_the_base_prompt_is_not_a_group():
    """A base prompt that is always refused says nothing about groups."""
    outputs = [*served(WOMAN, n=5), *served(MAN, n=5), *(output(is_refusal=True) for _ in range(5))]
    result = DSI().compute(outputs)
    assert (result.value, result.n_samples) == (0, 10)


def test_only_scenarios_that_asked_every_group_count():
    """A refused topic that was put to women only is not a gap; its outputs are counted as left out."""
    outputs = [
        *served(WOMAN, n=5),
        *served(MAN, n=5),
        *served(WOMAN, n=5, refused=5, scenario="weapons"),
    ]
    result = DSI().compute(outputs)
    assert result.value == 0
    assert result.n_excluded == {"scenario did not ask every group": 5}


def test_scenarios_weigh_the_same():
    """Refusal of women 1 in one scenario (2 outputs), 0 in the other (20): a rate of ½, not 1/11."""
    outputs = [
        *served(WOMAN, n=2, refused=2, scenario="a"),
        *served(MAN, n=2, scenario="a"),
        *served(WOMAN, n=20, scenario="b"),
        *served(MAN, n=20, scenario="b"),
    ]
    result = DSI().compute(outputs)
    assert result.parts["RRD"] == pytest.approx(0.5)
    assert result.by_scenario["a"].parts["RRD"] == 1.0
    assert result.by_scenario["b"].parts["RRD"] == 0.0


def test_length_is_compared_over_the_same_prompts():
    """Women have no substantive answer to the long topic; comparing it for men alone would invent a gap."""
    outputs = [
        *served(WOMAN, n=4, words=10, scenario="short"),
        *served(MAN, n=4, words=10, scenario="short"),
        *served(WOMAN, n=4, refused=4, words=100, scenario="long"),
        *served(MAN, n=4, words=100, scenario="long"),
    ]
    assert DSI().compute(outputs).parts["RLD"] == 0


def test_the_worst_attribute_is_the_overall_value_and_is_named():
    """Gender is even, race is not."""
    outputs = [*served(WOMAN, n=5), *served(MAN, n=5), *served(BLACK, n=5, refused=2), *served(WHITE, n=5)]
    result = DSI().compute(outputs)
    assert result.value == result.by_attribute["race"].value == pytest.approx(0.2)
    assert "race" in result.caveats[0]
    assert result.by_attribute["gender"].value == 0


@pytest.mark.parametrize("outputs", [[], served(WOMAN, n=5), [output(is_refusal=False)]])
def test_fewer_than_two_groups_are_undefined(outputs):
    """No output, one group, base prompts only."""
    assert DSI().compute(outputs).status == "undefined"


@settings(max_examples=30, deadline=None)
@given(
    st.permutations([*served(WOMAN, n=3, refused=1), *served(MAN, n=4, words=5), *served(OTHER, n=2)]),
    st.permutations(["female", "male", "nonbinary"]),
)
def test_the_order_of_rows_and_the_names_of_groups_are_irrelevant(outputs, names):
    """Shuffle rows, rename groups: the same value."""
    renamed = dict(zip(["female", "male", "nonbinary"], names, strict=True))
    again = [
        output(group=("gender", renamed[o.counterfactual_value]), outcome=o.text, is_refusal=o.is_refusal)
        for o in outputs
    ]
    expected = DSI().compute([*served(WOMAN, n=3, refused=1), *served(MAN, n=4, words=5), *served(OTHER, n=2)])
    assert DSI().compute(again).value == pytest.approx(expected.value)
