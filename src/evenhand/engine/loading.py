"""Stored rows → evaluated outputs, in an order that does not depend on when answers arrived."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from evenhand.core.outcomes import Answered, Blocked, Outcome
from evenhand.core.protocols import Judgement
from evenhand.core.spec import AuditSpec
from evenhand.core.table import OutputTable
from evenhand.core.types import RequestId, RunId
from evenhand.evaluation.assemble import assemble
from evenhand.scenarios.generator import CounterfactualGenerator
from evenhand.storage.base import Store
from evenhand.storage.records import Response


def in_plan_order(responses: Iterable[Response], spec: AuditSpec) -> list[Response]:
    """Sort by replicate, then as the scenario sets declare their prompts."""
    generator = CounterfactualGenerator()
    prompts = [prompt for group in spec.scenario_sets for prompt in generator.expand(group)]
    position = {(prompt.scenario_id, prompt.condition): i for i, prompt in enumerate(prompts)}
    return sorted(responses, key=lambda r: (r.request.replicate, position[r.request.scenario_id, r.request.condition]))


def to_outputs(store: Store, run_id: RunId, spec: AuditSpec, responses: Sequence[Response]) -> OutputTable:
    """Join responses with what the spec's evaluators, in the spec's versions, said about them."""
    judgements: dict[RequestId, dict[str, Judgement]] = defaultdict(dict)
    for evaluation in store.evaluations(run_id, spec.evaluators):
        judgements[evaluation.request_id][evaluation.evaluator] = evaluation.judgement
    return OutputTable.of(assemble(r.request, r.output, judgements.get(r.request.id, {})) for r in responses)


def count_outcomes(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """Count what came back, by kind. ``empty`` and ``truncated`` are kinds of ``answered``."""
    counts = {"answered": 0, "empty": 0, "truncated": 0, "blocked": 0, "failed": 0}
    for outcome in outcomes:
        match outcome:
            case Answered():
                counts["answered"] += 1
                counts["empty"] += outcome.is_empty
                counts["truncated"] += outcome.finish_reason == "length"
            case Blocked():
                counts["blocked"] += 1
            case _:
                counts["failed"] += 1
    return counts
