"""A stored run → its results. Needs no model, so that anyone can recompute every number."""

from collections.abc import Sequence

from evenhand.core.outcomes import Failed, Outcome
from evenhand.core.spec import AuditSpec
from evenhand.core.table import OutputTable
from evenhand.core.types import EvaluationRun, References, RunId, RunStatus
from evenhand.engine.clock import Clock, timestamp
from evenhand.engine.judging import judge_all, unjudged
from evenhand.engine.loading import count_outcomes, read_outputs
from evenhand.engine.manifest import manifest, summarise
from evenhand.engine.prepare import Prepared
from evenhand.engine.pricing import cost_of
from evenhand.engine.unfinished import cap_verdicts
from evenhand.errors import UsageError
from evenhand.evaluation.calibration import calibrate
from evenhand.evaluation.masking import mask_version
from evenhand.evaluation.pipeline import EvaluationPipeline
from evenhand.evaluation.registry import load_evaluators, provided_fields
from evenhand.instruments.audit.conclude import conclude
from evenhand.instruments.audit.score import score
from evenhand.metrics.bands import load_profile
from evenhand.metrics.base import Metric
from evenhand.metrics.inference import Inference
from evenhand.storage.base import Store


def load_outputs(store: Store, run: EvaluationRun) -> OutputTable:
    """Read a run's outputs, those of complete replicates alone if the run stopped early."""
    return read_outputs(store, run.id, AuditSpec.from_json(run.spec))


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
    run = store.get_run(run_id)
    spec = AuditSpec.from_json(run.spec)
    outputs = read_outputs(store, run_id, spec)
    skipped = {name: provided_fields(name) for name in spec.skipped_evaluators}
    inference = Inference(seed=spec.seed, target=spec.target)
    prepared = [metric.with_inference(inference) for metric in metrics]
    results = score(outputs, prepared, References.of(spec.scenario_sets), skipped=skipped)
    results = conclude(results, load_profile(spec.bands), replicates=replicates_in(outputs))
    store.save_results(run_id, cap_verdicts(results, run.status))
    return outputs


def close_run(store: Store, run_id: RunId, prepared: Prepared, clock: Clock) -> None:
    """Write the manifest and the final status of a run that was asked to its end, or to the end of its budget."""
    run = store.get_run(run_id)
    responses = list(store.responses(run_id))
    outcomes = [response.output.outcome for response in responses]
    requested = len(prepared.plan.requests)
    store.set_status(
        run_id,
        _final_status(outcomes, requested),
        finished_at=timestamp(clock()),
        manifest=manifest(
            seed=prepared.spec.seed,
            spec_digest=run.spec_digest,
            outcomes=count_outcomes(outcomes),
            usage=summarise(response.output for response in responses),
            requested=requested,
            cost={
                **cost_of([*responses, *store.superseded(run_id)], prepared.pricing),
                "budget_usd": prepared.budget_usd,
            },
            calibration=calibrate(prepared.evaluators),
        ),
    )


def replicates_in(outputs: OutputTable) -> int:
    """Return the largest replicate number; at least 1."""
    return int(outputs.replicate.max(initial=1))


def _final_status(outcomes: Sequence[Outcome], requested: int) -> RunStatus:
    if all(isinstance(outcome, Failed) for outcome in outcomes):
        return "failed"
    return "complete" if len(outcomes) == requested else "partial"
