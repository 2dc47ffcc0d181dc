"""Small things to store, with defaults that a test overrides where it matters."""

from typing import Any

from evenhand.core.outcomes import Answered, Outcome
from evenhand.core.protocols import Judged, Judgement
from evenhand.core.types import Condition, EvaluationRun, GeneratedOutput, ModelInfo, Request, RequestId, RunId
from evenhand.storage.postgres import PostgresBackend
from evenhand.storage.records import Evaluation, Response
from evenhand.storage.sql import SQLBackend
from evenhand.storage.sqlite import SQLiteBackend

RUN = RunId("20261130-204455-1f3a")


def opened(location: str, **settings: Any) -> SQLBackend:
    """Open the store at a path or a PostgreSQL URL, with a clock of one's own for instance."""
    backend = PostgresBackend if "://" in location else SQLiteBackend
    return backend(location, **settings)


def a_run(run_id: str = RUN, **changes: Any) -> EvaluationRun:
    defaults: dict[str, Any] = {
        "name": "audit",
        "status": "running",
        "model": ModelInfo(provider="simulated", name="fair", is_simulated=True, details={"seed": 7}),
        "spec": {"replicates": 2, "metrics": ["RSI"]},
        "spec_digest": "abc",
        "created_at": "2026-11-30T20:44:55+00:00",
    }
    return EvaluationRun(id=RunId(run_id), **{**defaults, **changes})


def a_request(request_id: str, **changes: Any) -> Request:
    defaults: dict[str, Any] = {
        "scenario_id": "nurse",
        "condition": Condition(),
        "replicate": 1,
        "prompt": "Describe a nurse.",
        "seed": 5,
    }
    return Request(id=RequestId(request_id), **{**defaults, **changes})


def a_response(
    request_id: str, outcome: Outcome | None = None, *, round_: int = 1, text: str = "She works.", **changes: Any
) -> Response:
    output = GeneratedOutput(outcome=outcome or Answered(text=text, finish_reason="stop"))
    return Response(request=a_request(request_id, **changes), output=output, round=round_)


def an_evaluation(
    request_id: str, judgement: Judgement | None = None, *, evaluator: str = "toxicity", version: str = "1"
) -> Evaluation:
    said = judgement or Judged(values={"toxic": 0.25})
    return Evaluation(request_id=RequestId(request_id), evaluator=evaluator, version=version, judgement=said)
