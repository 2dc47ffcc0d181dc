"""A stored run → its results. Needs no model, so that anyone can recompute every number."""

from collections.abc import Sequence

from evenhand.core.outcomes import Failed
from evenhand.core.spec import AuditSpec
from evenhand.core.table import OutputTable
from evenhand.core.types import References, RunId, RunStatus
from evenhand.engine.clock import Clock, timestamp
from evenhand.engine.judging import judge_all, unjudged
from evenhand.engine.loading import count_outcomes, in_plan_order, to_outputs
from evenhand.engine.manifest import manifest, summarise
from evenhand.errors import UsageError
from evenhand.evaluation.masking import mask_version
from evenhand.evaluation.pipeline import EvaluationPipeline
from evenhand.evaluation.registry import load_evaluators, provided_fields
from evenhand.instruments.audit.plan import plan
from evenhand.instruments.audit.score import score
from evenhand.metrics.base import Metric
from evenhand.storage.base import Store
from evenhand.storage.records import Response


def load_outputs(store: Store, run_id: RunId) -> OutputTable:
    """Read a run's outputs, those of complete replicates alone if the run stopped early."""
    spec = AuditSpec.from_json(store.get_run(run_id).spec)
    responses = in_plan_order(store.responses(run_id), spec)
    return to_outputs(store, run_id, spec, _balanced(responses, spec))


def judge_missing(store: Store, run_id: RunId) -> int:
    """Judge the answers that an interrupted run left unjudged; return their number.

    Raises
    ------
    UsageError
        If an evaluator is installed in another version than the run was begun with.
    """
    spec = AuditSpec.from_json(store.get_run(run_id).spec)
    waiting = unjudged(store, run_id, store.responses(run_id), spec.evaluators)
    if not waiting:
        return 0
    evaluators = load_evaluators(skip=spec.skipped_evaluators)
    installed = {"masking": mask_version(), **{evaluator.name: evaluator.version for evaluator in evaluators}}
    begun_with = {"masking": spec.masking, **spec.evaluators}
    changed = [name for name, version in begun_with.items() if installed.get(name) != version]
    if changed:
        raise UsageError(
            f"{len(waiting)} answers of run {run_id} are not judged yet, and {', '.join(changed)} is installed in "
            "another version than the run was begun with; two versions must not be mixed within a run"
        )
    judge_all(store, run_id, EvaluationPipeline(evaluators), waiting)
    return len(waiting)


def score_run(store: Store, run_id: RunId, metrics: Sequence[Metric]) -> OutputTable:
    """Compute `metrics` from what is stored, and store the results.

    Returns
    -------
    OutputTable
        The outputs that the results were computed from.
    """
    spec = AuditSpec.from_json(store.get_run(run_id).spec)
    outputs = load_outputs(store, run_id)
    skipped = {name: provided_fields(name) for name in spec.skipped_evaluators}
    store.save_results(run_id, score(outputs, metrics, References.of(spec.scenario_sets), skipped=skipped))
    return outputs


def close_run(store: Store, run_id: RunId, clock: Clock) -> None:
    """Write the manifest and the final status of a run whose every request was asked."""
    run = store.get_run(run_id)
    spec = AuditSpec.from_json(run.spec)
    responses = list(store.responses(run_id))
    outcomes = [response.output.outcome for response in responses]
    status: RunStatus = "failed" if all(isinstance(outcome, Failed) for outcome in outcomes) else "complete"
    store.set_status(
        run_id,
        status,
        finished_at=timestamp(clock()),
        manifest=manifest(
            seed=spec.seed,
            spec_digest=run.spec_digest,
            outcomes=count_outcomes(outcomes),
            usage=summarise(response.output for response in responses),
            requested=len(plan(spec).requests),
        ),
    )


def _balanced(responses: Sequence[Response], spec: AuditSpec) -> Sequence[Response]:
    """Keep complete replicates, so that no prompt counts more often than another."""
    planned = plan(spec)
    asked = [0] * (spec.replicates + 1)
    for response in responses:
        asked[response.request.replicate] += 1
    complete = {r for r, count in enumerate(asked) if count == len(planned.prompts)}
    return [response for response in responses if response.request.replicate in complete]
