"""One run that uses every column: what each released schema has to keep."""

import numpy as np
from storage_builders import RUN, a_response, a_run, an_evaluation

from evenhand.core.conversations import Turn
from evenhand.core.detections import Decision
from evenhand.core.outcomes import Answered, Attempt, Blocked, Failed, Usage
from evenhand.core.protocols import CouldNotJudge, Judged
from evenhand.core.results import Interval, MetricResult
from evenhand.core.types import Condition, GeneratedOutput
from evenhand.storage.base import Store
from evenhand.storage.records import Response

AWKWARD = "NUL \x00, half a pair \ud83d, a quote ', 😀\n\x1a0000"

RUN_RECORD = a_run(
    name=AWKWARD,
    spec={"replicates": 2, "text": AWKWARD},
    manifest={"answered": 2},
    finished_at="2026-11-30T21:00:00+00:00",
    results={
        "RSI": MetricResult(
            metric="RSI",
            value=0.3113,
            unit="bits",
            confidence_interval=Interval(low=0.1, high=0.5, level=0.95, method="exact"),
            tables={"shares": ({"label": "she", "share": 0.5}, {"label": "he", "share": None})},
        )
    },
)

FAILED = a_response("r1", Failed(error="timed out", kind="OverloadedError", traceback=AWKWARD))
ANSWERED = Response(
    request=a_response("r1").request,
    output=GeneratedOutput(
        outcome=Answered(text=AWKWARD, finish_reason="length"),
        model="snapshot-1",
        usage=Usage(input_tokens=12, output_tokens=60),
        latency_s=0.25,
        provider_request_id="req-9",
        attempts=(Attempt(status="ok", started_at="t1", latency_s=0.25, http_status=200, provider_request_id="req-9"),),
    ),
    round=2,
)
BLOCKED = a_response(
    "r2",
    Blocked(reason="moderation"),
    condition=Condition(attribute="gender", value="female"),
    seed=2**62,
    replicate=2,
)

EVALUATIONS = [
    an_evaluation("r1", Judged(vectors={"plain": np.array([1.0, -0.5], dtype=np.float32)}), evaluator="embeddings"),
    an_evaluation("r1", Judged(values={"toxic": 0.25, "labels": [AWKWARD, None]})),
    an_evaluation("r2", CouldNotJudge(reason="no answer")),
]

LOST_TURN = Turn(vector=AWKWARD, replicate=2, side="treated", number=3, said=AWKWARD, seed=2**62, output=FAILED.output)
TURN = Turn(
    vector=AWKWARD, replicate=2, side="treated", number=3, said=AWKWARD, seed=2**62, output=ANSWERED.output, round=2
)
DECISIONS = [
    Decision(trace="v/1", turn=1, attribute=AWKWARD, decision=True, vector="v", replicate=1, reason=AWKWARD),
    Decision(trace="v/1", turn=2, attribute=AWKWARD, decision=None, status="censored", vector="v", replicate=1),
    Decision(trace="v/1", turn=3, attribute=AWKWARD, decision=False, vector="v", replicate=1),
]


def save_everything(store: Store) -> None:
    """Store it, through the front door."""
    store.create_run(RUN_RECORD)
    store.claim(RUN)
    store.save_responses(RUN, [FAILED, BLOCKED])
    store.save_responses(RUN, [ANSWERED])
    store.save_evaluations(RUN, [an_evaluation("r1", version="0"), *EVALUATIONS])
    store.save_turns(RUN, [LOST_TURN])
    store.save_turns(RUN, [TURN])
    store.save_decisions(RUN, {"denial": "0"}, DECISIONS[:1])
    store.save_decisions(RUN, {"denial": AWKWARD}, DECISIONS)
    store.release(RUN)


def assert_everything_is_there(store: Store) -> None:
    """Read it all back."""
    assert store.get_run(RUN) == RUN_RECORD
    assert list(store.responses(RUN)) == [ANSWERED, BLOCKED]
    assert list(store.superseded(RUN)) == [FAILED]
    assert list(store.evaluations(RUN, {"toxicity": "0"})) == [an_evaluation("r1", version="0")]
    embedded, *judged = store.evaluations(RUN)
    assert judged == [EVALUATIONS[2], EVALUATIONS[1]]  # in the order of the responses that count
    assert isinstance(embedded.judgement, Judged)
    assert embedded.judgement.vectors["plain"].tolist() == [1.0, -0.5]
    assert store.newest_unfinished(RUN_RECORD.spec_digest) == RUN
    store.claim(RUN)
    store.save_responses(RUN, [a_response("r3")])
    assert len(store.latest_outcomes(RUN)) == 3


def assert_conversations_are_there(store: Store) -> None:
    """Read back what stores of schema 0002 and later hold."""
    assert list(store.turns(RUN)) == [TURN]
    assert list(store.turns(RUN, every_round=True)) == [LOST_TURN, TURN]
    assert store.decisions(RUN) == DECISIONS
    assert store.scored_by(RUN) == {"denial": AWKWARD}
