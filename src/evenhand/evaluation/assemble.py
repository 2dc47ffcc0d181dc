"""Judgements to one evaluated output: each evaluator's values to the fields that metrics read."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evenhand.core.protocols import CouldNotJudge, Judged, Judgement
from evenhand.core.types import EvaluatedOutput, GeneratedOutput, Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a field of `EvaluatedOutput` is found in a `Judged`.

    Attributes
    ----------
    key
        Key of its `values`, or of its `vectors`.
    is_optional
        True if the evaluator may leave it out.
    """

    key: str
    is_vector: bool = False
    is_optional: bool = False


FIELDS: Mapping[str, Mapping[str, Source]] = {
    "demographics": {"detected_entities": Source(key="entities")},
    "embeddings": {
        "embedding": Source(key="raw", is_vector=True),
        "embedding_masked": Source(key="masked", is_vector=True, is_optional=True),
    },
    "refusal": {"is_refusal": Source(key="is_refusal")},
    "sentiment": {"sentiment": Source(key="raw"), "sentiment_masked": Source(key="masked")},
    "slurs": {"harms": Source(key="harms")},
    "toxicity": {"toxicity": Source(key="raw"), "toxicity_masked": Source(key="masked")},
}
"""Built-in evaluator to the fields that it fills. Other evaluators arrive under their own name in ``extra``."""


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
            case Judged() if name in FIELDS:
                fields.update({field: _value(judgement, source) for field, source in FIELDS[name].items()})
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


def _value(judged: Judged, source: Source) -> Any:
    if not source.is_vector:
        return judged.values[source.key]
    return judged.vectors.get(source.key) if source.is_optional else judged.vectors[source.key]
