"""Turns and decisions, on SQLite and PostgreSQL alike."""

import pytest
from storage_builders import RUN, a_run
from storage_everything import assert_conversations_are_there, save_everything

from evenhand.core.conversations import Turn
from evenhand.core.detections import Decision
from evenhand.core.outcomes import Failed
from evenhand.core.types import GeneratedOutput
from evenhand.errors import StoreError
from evenhand.storage.base import Store


def a_turn(number: int = 1, *, text: str = "Yes.", **changes: object) -> Turn:
    fields = {"vector": "credit", "replicate": 1, "side": "treated", "said": "Hello", "seed": 3, **changes}
    output = fields.pop("output", GeneratedOutput.answer(text))
    return Turn(number=number, output=output, **fields)  # type: ignore[arg-type]


def test_everything_about_a_turn_comes_back(store: Store) -> None:
    """Awkward characters, attempts, usage, seeds of 63 bits, decisions of every status."""
    save_everything(store)
    assert_conversations_are_there(store)


def test_a_turn_that_is_stored_stays(running: Store) -> None:
    """A second answer to the same turn and round changes nothing."""
    running.save_turns(RUN, [a_turn(), a_turn(2)])
    running.save_turns(RUN, [a_turn(text="No.")])
    assert [turn.reply for turn in running.turns(RUN)] == ["Yes.", "Yes."]


def test_the_latest_round_counts(running: Store) -> None:
    """A turn that failed and was asked again counts once; both rounds can be read, because both may cost."""
    lost = a_turn(output=GeneratedOutput(outcome=Failed(error="lost")))
    running.save_turns(RUN, [lost, a_turn(side="comparison")])
    running.save_turns(RUN, [a_turn(round=2)])
    assert [(turn.side, turn.round) for turn in running.turns(RUN)] == [("comparison", 1), ("treated", 2)]
    assert len(list(running.turns(RUN, every_round=True))) == 3


def test_a_scoring_replaces_the_one_before_as_a_whole(running: Store) -> None:
    """Decisions of two passes are never mixed, also where the newer one knows fewer traces."""
    one, two = (Decision(trace=f"v/{n}", turn=1, attribute="age", decision=True, vector="v") for n in (1, 2))
    running.save_decisions(RUN, {"d": "1"}, [one, two])
    assert running.decisions(RUN) == [one, two]
    running.save_decisions(RUN, {"d": "2"}, [two])
    assert running.decisions(RUN) == [two]
    assert running.scored_by(RUN) == {"d": "2"}
    running.save_decisions(RUN, {}, [])
    assert running.decisions(RUN) == []


def test_a_run_without_conversations_has_none(running: Store) -> None:
    """Empty, not an error."""
    assert list(running.turns(RUN)) == []
    assert running.decisions(RUN) == []
    assert running.scored_by(RUN) == {}


def test_turns_of_an_unknown_run_are_refused(store: Store) -> None:
    """Nothing is stored for a run that is not there."""
    with pytest.raises(StoreError, match="lacks the run"):
        store.save_turns(RUN, [a_turn()])


def test_the_kind_of_a_run_is_kept(store: Store) -> None:
    """What its spec is depends on it."""
    store.create_run(a_run(kind="red-team"))
    assert store.get_run(RUN).kind == "red-team"
    assert [run.kind for run in store.list_runs()] == ["red-team"]
