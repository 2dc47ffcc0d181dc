"""Evaluations: one per latest response, evaluator and version; versions are never mixed."""

import numpy as np
import pytest
from storage_builders import RUN, a_response, an_evaluation

from evenhand.core.outcomes import Failed
from evenhand.core.protocols import CouldNotJudge, Judged
from evenhand.errors import StoreError
from evenhand.storage.base import Store
from evenhand.storage.records import EvaluationCounts


@pytest.fixture
def answered(running: Store) -> Store:
    running.save_responses(RUN, [a_response(f"r{i}") for i in range(1, 5)])
    return running


def test_both_kinds_of_judgement_come_back(answered: Store) -> None:
    """A value and a "could not judge" are two things; an empty value is still a judgement."""
    given = [
        an_evaluation("r1", Judged(values={"toxic": 0.5, "labels": ["a", None]})),
        an_evaluation("r2", CouldNotJudge(reason="too long")),
        an_evaluation("r3", Judged()),
        an_evaluation("r4", CouldNotJudge(reason="")),
    ]
    answered.save_evaluations(RUN, given)
    assert list(answered.evaluations(RUN)) == given
    columns = answered.evaluations_by(RUN, "toxicity")
    assert list(columns.request_ids) == ["r1", "r2", "r3", "r4"]
    assert list(columns.reasons) == [None, "too long", None, ""]
    assert list(columns.values) == [{"toxic": 0.5, "labels": ["a", None]}, {}, {}, {}]
    assert answered.counts(RUN).evaluations == {"toxicity": EvaluationCounts(version="1", judged=2, could_not_judge=2)}


def test_vectors_come_back_bit_for_bit(answered: Store) -> None:
    """float32 is stored as it is; a response without a vector has a NaN row among the columns."""
    plain = np.array([1.0, -0.0, 1e-45, 3.4e38], dtype=np.float32)
    masked = np.array([0.1, 0.2], dtype=np.float32)
    answered.save_evaluations(
        RUN,
        [
            an_evaluation("r1", Judged(vectors={"plain": plain, "masked": masked})),
            an_evaluation("r2", CouldNotJudge(reason="empty")),
            an_evaluation("r3", Judged(vectors={"masked": masked})),
        ],
    )
    first, _, third = answered.evaluations(RUN)
    assert isinstance(first.judgement, Judged)
    assert isinstance(third.judgement, Judged)
    assert list(first.judgement.vectors) == ["plain", "masked"]
    assert first.judgement.vectors["plain"].tobytes() == plain.tobytes()
    assert list(third.judgement.vectors) == ["masked"]
    vectors = answered.evaluations_by(RUN, "toxicity").vectors
    assert vectors["plain"].dtype == np.float32
    np.testing.assert_array_equal(vectors["plain"], np.stack([plain, np.full(4, np.nan), np.full(4, np.nan)]))
    np.testing.assert_array_equal(vectors["masked"], np.stack([masked, np.full(2, np.nan), masked]))


@pytest.mark.parametrize(
    ("vector", "complaint"),
    [
        (np.array([1.0, np.nan], dtype=np.float32), "NaN or infinity"),
        (np.array([np.inf], dtype=np.float32), "NaN or infinity"),
        (np.array([1.0]), "float64"),
        (np.ones((2, 2), dtype=np.float32), "shape"),
    ],
)
def test_a_vector_that_is_none_is_refused(answered: Store, vector: np.ndarray, complaint: str) -> None:
    """The message names evaluator, request and vector; nothing of the save is kept."""
    bad = an_evaluation("r2", Judged(vectors={"embedding": vector}))
    with pytest.raises(StoreError, match=rf"'toxicity', request r2: the vector 'embedding'.*{complaint}"):
        answered.save_evaluations(RUN, [an_evaluation("r1"), bad])
    assert list(answered.evaluations(RUN)) == []


def test_nan_among_values_is_refused(answered: Store) -> None:
    """orjson alone would write null, which says "not measured"."""
    bad = an_evaluation("r1", Judged(values={"scores": {"toxic": float("nan")}}))
    with pytest.raises(StoreError, match=r"\['scores'\]\['toxic'\] is NaN or infinite"):
        answered.save_evaluations(RUN, [bad])


def test_saving_twice_keeps_the_first(answered: Store) -> None:
    """An evaluator that runs again after a crash does no harm."""
    answered.save_evaluations(RUN, [an_evaluation("r1", Judged(values={"toxic": 0.1}))])
    answered.save_evaluations(RUN, [an_evaluation("r1", Judged(values={"toxic": 0.9})), an_evaluation("r2")])
    columns = answered.evaluations_by(RUN, "toxicity")
    assert [value["toxic"] for value in columns.values] == [0.1, 0.25]
    assert answered.evaluated(RUN, "toxicity", "1") == {"r1", "r2"}


def test_the_version_that_began_last_hides_the_older_whole(answered: Store) -> None:
    """Half of version 2 is not filled up with version 1; asked for by name, version 1 is there."""
    answered.save_evaluations(RUN, [an_evaluation("r1"), an_evaluation("r2"), an_evaluation("r1", evaluator="length")])
    answered.save_evaluations(RUN, [an_evaluation("r2", Judged(values={"toxic": 0.75}), version="2")])
    answered.save_evaluations(RUN, [an_evaluation("r3", version="1")])
    seen = [(each.evaluator, each.version, each.request_id) for each in answered.evaluations(RUN)]
    assert seen == [("length", "1", "r1"), ("toxicity", "2", "r2")]
    older = [(each.version, each.request_id) for each in answered.evaluations(RUN, {"toxicity": "1"})]
    assert older == [("1", "r1"), ("1", "r2"), ("1", "r3")]
    assert list(answered.evaluations_by(RUN, "toxicity", "1").request_ids) == ["r1", "r2", "r3"]
    assert answered.evaluations_by(RUN, "toxicity").version == "2"
    assert answered.evaluated(RUN, "toxicity", "2") == {"r2"}


def test_a_new_round_is_judged_anew(answered: Store) -> None:
    """An evaluation is about a text; another text has not been judged yet."""
    answered.save_responses(RUN, [a_response("r9", Failed(error="down"))])
    answered.save_evaluations(RUN, [an_evaluation("r9", CouldNotJudge(reason="no answer"))])
    answered.save_responses(RUN, [a_response("r9", round_=2)])
    assert answered.evaluated(RUN, "toxicity", "1") == set()
    assert list(answered.evaluations(RUN)) == []
    answered.save_evaluations(RUN, [an_evaluation("r9")])
    assert list(answered.evaluations(RUN)) == [an_evaluation("r9")]


def test_an_evaluation_of_nothing_is_refused(answered: Store) -> None:
    """Responses are stored before they are judged."""
    with pytest.raises(StoreError, match="no response to request never asked"):
        answered.save_evaluations(RUN, [an_evaluation("never asked")])


def test_an_evaluator_that_said_nothing_has_empty_columns(answered: Store) -> None:
    """Absence is empty, not an error."""
    columns = answered.evaluations_by(RUN, "unknown")
    assert (columns.version, list(columns.request_ids), dict(columns.vectors)) == (None, [], {})
    assert answered.evaluated(RUN, "unknown", "1") == set()


def test_vectors_of_different_lengths_are_rows_not_columns(answered: Store) -> None:
    """They can be stored and streamed; a matrix of them would be a lie."""
    for request_id, length in (("r1", 2), ("r2", 3)):
        vector = np.ones(length, dtype=np.float32)
        answered.save_evaluations(RUN, [an_evaluation(request_id, Judged(vectors={"v": vector}))])
    assert len(list(answered.evaluations(RUN))) == 2
    with pytest.raises(StoreError, match=r"2 and 3"):
        answered.evaluations_by(RUN, "toxicity")
