"""Judgements to one evaluated output: each evaluator's values to the fields that metrics read."""

from collections.abc import Callable, Mapping
from typing import Any

from evenhand.core.protocols import CouldNotJudge, Judged, Judgement
from evenhand.core.types import EvaluatedOutput, GeneratedOutput, Request


def assemble(request: Request, output: GeneratedOutput, judgements: Mapping[str, Judgement]) -> EvaluatedOutput:
    """Join what was asked, what came back and what was said about it.

    Parameters
    ----------
    request
        What was asked.
    output
        What came back.
    judgements
        Evaluator name to judgement. Evaluators that are not built in arrive under their own name in ``extra``.

    Raises
    ------
    KeyError
        If a built-in evaluator's values lack what its docstring promises.
    """
    fields: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    unjudged: dict[str, str] = {}
    for name, judgement in judgements.items():
        match judgement:
            case CouldNotJudge(reason=reason):
                unjudged[name] = reason
            case Judged() if name in _FIELDS:
                fields.update(_FIELDS[name](judgement))
            case Judged():
                extra[name] = {**judgement.values, **judgement.vectors}
    return EvaluatedOutput(
        scenario_id=request.scenario_id,
        outcome=output.outcome,
        attribute=request.condition.attribute,
        counterfactual_value=request.condition.value,
        replicate=request.replicate,
        prompt=request.prompt,
        request_id=request.id,
        could_not_judge=unjudged,
        extra=extra,
        **fields,
    )


def _toxicity(judged: Judged) -> Mapping[str, Any]:
    return {"toxicity": judged.values["raw"], "toxicity_masked": judged.values["masked"]}


def _sentiment(judged: Judged) -> Mapping[str, Any]:
    return {"sentiment": judged.values["raw"], "sentiment_masked": judged.values["masked"]}


def _embeddings(judged: Judged) -> Mapping[str, Any]:
    return {"embedding": judged.vectors["raw"], "embedding_masked": judged.vectors.get("masked")}


def _refusal(judged: Judged) -> Mapping[str, Any]:
    return {"is_refusal": judged.values["is_refusal"]}


def _demographics(judged: Judged) -> Mapping[str, Any]:
    return {"detected_entities": judged.values["entities"]}


def _slurs(judged: Judged) -> Mapping[str, Any]:
    return {"harms": judged.values["harms"]}


_FIELDS: Mapping[str, Callable[[Judged], Mapping[str, Any]]] = {
    "demographics": _demographics,
    "embeddings": _embeddings,
    "refusal": _refusal,
    "sentiment": _sentiment,
    "slurs": _slurs,
    "toxicity": _toxicity,
}
