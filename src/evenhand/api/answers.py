"""Every answer of a run as JSON lines: what was asked, what came back, what was said about it."""

from collections.abc import Iterator
from typing import Any

import orjson

from evenhand.core.outcomes import Answered, Blocked
from evenhand.core.table import OutputTable
from evenhand.core.types import EvaluatedOutput
from evenhand.errors import UnknownNameError


def answer_rows(outputs: OutputTable, *, scenario: str | None = None) -> Iterator[str]:
    """Yield one JSON object an output, in plan order; embeddings are left out.

    Raises
    ------
    UnknownNameError
        If the run has no such scenario.
    """
    if scenario is not None and scenario not in outputs.scenario_ids:
        raise UnknownNameError("scenario in this run", scenario, outputs.scenario_ids)
    for output in outputs:
        if scenario is None or output.scenario_id == scenario:
            yield orjson.dumps(_row(output)).decode()


def _row(output: EvaluatedOutput) -> dict[str, Any]:
    return {
        "scenario": output.scenario_id,
        "attribute": output.attribute,
        "value": output.counterfactual_value,
        "replicate": output.replicate,
        "prompt": output.prompt,
        **_outcome(output),
        "is_refusal": output.is_refusal,
        "detected_entities": output.detected_entities,
        "toxicity": output.toxicity,
        "toxicity_masked": output.toxicity_masked,
        "sentiment": output.sentiment,
        "sentiment_masked": output.sentiment_masked,
        "harms": output.harms,
        "helpfulness_score": output.helpfulness_score,
        "could_not_judge": output.could_not_judge,
        "request_id": output.request_id,
    }


def _outcome(output: EvaluatedOutput) -> dict[str, Any]:
    match output.outcome:
        case Answered() as answer:
            return {"outcome": "answered", "text": answer.text, "finish_reason": answer.finish_reason}
        case Blocked() as blocked:
            return {"outcome": "blocked", "reason": blocked.reason}
        case failed:
            return {"outcome": "failed", "reason": failed.error}
