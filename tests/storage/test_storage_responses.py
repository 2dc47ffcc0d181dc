"""Responses: append-only, the first answer of a round stays, the latest round counts."""

import pytest
from storage_builders import RUN, a_request, a_response, a_run

from evenhand.core.outcomes import Answered, Attempt, Blocked, Failed, Usage
from evenhand.core.types import Condition, GeneratedOutput, RunId
from evenhand.errors import StoreError
from evenhand.storage.base import Store
from evenhand.storage.records import Counts, Response

TIMED_OUT = Failed(error="timed out", kind="OverloadedError", traceback="Traceback …")


def test_a_response_comes_back_with_every_attempt(running: Store) -> None:
    """Nothing that the adapter reported is lost."""
    response = Response(
        request=a_request("r1", condition=Condition(attribute="gender", value="female"), replicate=3, seed=2**62),
        output=GeneratedOutput(
            outcome=Answered(text="Sie arbeitet.", finish_reason="length"),
            model="snapshot-1",
            usage=Usage(input_tokens=12, output_tokens=60),
            latency_s=0.25,
            provider_request_id="req-9",
            attempts=(
                Attempt(status="RateLimitedError", started_at="t0", latency_s=0.1, detail="wait", http_status=429),
                Attempt(status="ok", started_at="t1", latency_s=0.25, http_status=200, provider_request_id="req-9"),
            ),
        ),
    )
    running.save_responses(RUN, [response])
    assert list(running.responses(RUN)) == [response]


@pytest.mark.parametrize("outcome", [Answered(text=""), Blocked(reason="moderation"), TIMED_OUT], ids=type)
def test_each_outcome_keeps_its_type(running: Store, outcome: Answered | Blocked | Failed) -> None:
    """An empty answer, a block and a failure are three things."""
    running.save_responses(RUN, [a_response("r1", outcome)])
    assert [response.output.outcome for response in running.responses(RUN)] == [outcome]
    assert list(running.response_columns(RUN).outcomes) == [outcome]


def test_the_first_answer_of_a_round_stays(running: Store) -> None:
    """A request answered twice, for instance after a lost acknowledgement, is stored once."""
    running.save_responses(RUN, [a_response("r1", text="first"), a_response("r1", text="in the same save")])
    running.save_responses(RUN, [a_response("r1", text="later"), a_response("r2", text="other")])
    assert [response.output.text for response in running.responses(RUN)] == ["first", "other"]


def test_the_latest_round_counts_and_the_earlier_row_stays(running: Store) -> None:
    """A failed request may be asked again; the failure remains on record."""
    running.save_responses(RUN, [a_response("r1", TIMED_OUT), a_response("r2", Blocked(reason="filter"))])
    assert running.latest_outcomes(RUN) == {"r1": "failed", "r2": "blocked"}
    running.save_responses(RUN, [a_response("r1", round_=2)])
    assert running.latest_outcomes(RUN) == {"r1": "answered", "r2": "blocked"}
    assert {r.request.id: (r.round, r.output.text) for r in running.responses(RUN)} == {
        "r1": (2, "She works."),
        "r2": (1, None),
    }
    assert running.counts(RUN) == Counts(answered=1, blocked=1, superseded=1)
    assert running.counts(RUN).total == 2


def test_responses_come_by_replicate_then_as_stored(running: Store) -> None:
    """The plan's order: a run stopped early is balanced, and reads so."""
    order = [("d", 2), ("a", 1), ("c", 2), ("b", 1)]
    running.save_responses(RUN, [a_response(request_id, replicate=replicate) for request_id, replicate in order])
    assert [response.request.id for response in running.responses(RUN)] == ["a", "b", "d", "c"]
    assert list(running.response_columns(RUN).request_ids) == ["a", "b", "d", "c"]


def test_columns_say_the_same_as_rows(running: Store) -> None:
    """Two ways to read, one content."""
    female = Condition(attribute="gender", value="female")
    running.save_responses(
        RUN,
        [
            a_response("r1", replicate=2, prompt="Ünï\x00"),
            a_response("r2", TIMED_OUT, condition=female),
            a_response("r2", condition=female, round_=2),
        ],
    )
    rows, columns = list(running.responses(RUN)), running.response_columns(RUN)
    assert list(columns.request_ids) == [row.request.id for row in rows]
    assert list(columns.scenario_ids) == [row.request.scenario_id for row in rows]
    assert list(columns.attributes) == [row.request.condition.attribute for row in rows]
    assert list(columns.values) == [row.request.condition.value for row in rows]
    assert list(columns.replicates) == [row.request.replicate for row in rows]
    assert list(columns.prompts) == [row.request.prompt for row in rows]
    assert list(columns.outcomes) == [row.output.outcome for row in rows]


def test_runs_do_not_see_each_other(running: Store) -> None:
    """The same request may be part of several runs."""
    running.create_run(a_run("other"))
    running.save_responses(RUN, [a_response("r1", text="here")])
    running.save_responses(RunId("other"), [a_response("r1", text="there")])
    assert [response.output.text for response in running.responses(RUN)] == ["here"]
    assert [response.output.text for response in running.responses(RunId("other"))] == ["there"]


def test_a_save_is_all_or_nothing(running: Store) -> None:
    """One response that cannot be stored takes the whole save back."""
    bad = Response(request=a_request("r2"), output=GeneratedOutput(outcome=Answered(text=""), latency_s=float("nan")))
    with pytest.raises(StoreError, match="latency of request r2"):
        running.save_responses(RUN, [a_response("r1"), bad])
    assert running.latest_outcomes(RUN) == {}


def test_a_seed_beyond_64_bits_is_a_clear_error(running: Store) -> None:
    """The driver's own error never escapes."""
    with pytest.raises(StoreError, match=r"too large|out of range"):
        running.save_responses(RUN, [a_response("r1", seed=2**64)])


def test_responses_of_an_unknown_run_are_refused(store: Store) -> None:
    """Rows without a run could never be found again."""
    with pytest.raises(StoreError, match="lacks the run"):
        store.save_responses(RunId("nowhere"), [a_response("r1")])


def test_reading_goes_on_while_others_write(running: Store) -> None:
    """A stream shows the rows of its beginning; a writer does not wait for it, nor it for the writer."""
    running.save_responses(RUN, [a_response(f"r{i}") for i in range(5_000)])
    stream = running.responses(RUN)
    next(stream)
    running.save_responses(RUN, [a_response("late")])
    assert sum(1 for _ in stream) == 4_999
    assert len(running.latest_outcomes(RUN)) == 5_001


def test_saving_nothing_is_nothing(running: Store) -> None:
    """An empty batch is no error."""
    running.save_responses(RUN, [])
    running.save_evaluations(RUN, [])
    running.save_results(RUN, {})
    assert running.counts(RUN) == Counts()
