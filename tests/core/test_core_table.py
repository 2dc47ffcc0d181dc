import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evenhand.core.outcomes import Answered, Blocked, Failed
from evenhand.core.table import HARMS, SENTIMENT, TOXICITY, OutputTable
from evenhand.core.types import EvaluatedOutput

shares = st.floats(0, 1, width=32)
outcomes = st.one_of(
    st.builds(Answered, text=st.text(max_size=20), finish_reason=st.sampled_from(["stop", "length", "unknown"])),
    st.builds(Blocked, reason=st.text(max_size=5)),
    st.builds(Failed, error=st.text(max_size=5)),
)


def scores(names: tuple[str, ...]) -> st.SearchStrategy[dict[str, float] | None]:
    """All of a classifier's scores, or none of them."""
    return st.none() | st.fixed_dictionaries(dict.fromkeys(names, shares))


weights = st.none() | st.dictionaries(
    st.sampled_from(["gender", "race"]),
    st.dictionaries(st.sampled_from(["a", "b", "c"]), st.floats(0.1, 1), min_size=1, max_size=3),
    max_size=2,
)
conditions = st.sampled_from([(None, None), ("gender", "female"), ("gender", "male"), ("race", "black")])


@st.composite
def outputs(draw: st.DrawFn) -> EvaluatedOutput:
    attribute, value = draw(conditions)
    vector = draw(st.none() | st.lists(st.floats(-1, 1, width=32), min_size=4, max_size=4))
    return EvaluatedOutput(
        scenario_id=draw(st.sampled_from(["s1", "s2"])),
        outcome=draw(outcomes),
        attribute=attribute,
        counterfactual_value=value,
        replicate=draw(st.integers(1, 5)),
        prompt=draw(st.text(max_size=5)),
        embedding=None if vector is None else np.array(vector, dtype=np.float32),
        toxicity=draw(scores(TOXICITY)),
        sentiment_masked=draw(scores(SENTIMENT)),
        harms=draw(scores(HARMS)),
        is_refusal=draw(st.none() | st.booleans()),
        detected_entities=draw(weights),
        helpfulness_score=draw(st.none() | st.floats(1, 5)),
        could_not_judge=draw(st.just({}) | st.just({"toxicity": "no known word"})),
    )


@given(st.lists(outputs(), max_size=8))
def test_a_table_is_a_view_on_the_outputs_it_was_made_from(rows: list[EvaluatedOutput]) -> None:
    """Columns lose nothing: None stays None and is not 0, False or empty."""
    table = OutputTable.of(rows)
    assert len(table) == len(rows)
    for row, seen in zip(rows, table, strict=True):
        for name in EvaluatedOutput.__dataclass_fields__:
            before, after = getattr(row, name), getattr(seen, name)
            if name == "embedding" and before is not None:
                assert np.array_equal(before, after)
            else:
                assert before == after, name


def test_a_table_is_returned_as_it_is() -> None:
    """Built-in metrics can take columns without paying for them again."""
    table = OutputTable.of([EvaluatedOutput(scenario_id="s", outcome=Answered(text="x"))])
    assert OutputTable.of(table) is table


def test_answered_blocked_and_failed_are_three_things() -> None:
    """An empty answer is answered; neither a block nor a failure has words."""
    kinds = [Answered(text=" \n"), Answered(text="two words"), Blocked(reason="filter"), Failed(error="timeout")]
    table = OutputTable.of([EvaluatedOutput(scenario_id="s", outcome=kind) for kind in kinds])
    assert table.answered.tolist() == [True, True, False, False]
    assert table.empty.tolist() == [True, False, False, False]
    assert table.blocked.tolist() == [False, False, True, False]
    assert table.words.tolist()[:2] == [0.0, 2.0]
    assert np.isnan(table.words[2:]).all()


def test_nothing_detected_and_not_looked_at_stay_apart() -> None:
    """{} says that an evaluator looked and saw nothing; None says that none looked."""
    rows = [EvaluatedOutput(scenario_id="s", outcome=Answered(text="x"), detected_entities=e) for e in ({}, None)]
    table = OutputTable.of(rows)
    assert table.detection_judged.tolist() == [True, False]
    assert [row.detected_entities for row in table] == [{}, None]
