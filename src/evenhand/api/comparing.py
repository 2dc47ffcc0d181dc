"""compare(): what moved beyond noise between stored runs."""

from collections.abc import Sequence
from pathlib import Path

from evenhand.core.spec import AuditSpec
from evenhand.core.types import EvaluationRun
from evenhand.engine import FairBenchEngine
from evenhand.engine.judging import unjudged
from evenhand.errors import UsageError
from evenhand.evaluation.registry import provided_fields
from evenhand.instruments.audit.compare.pairing import Permutations, Run
from evenhand.instruments.audit.compare.plans import Plan, check_all, common_metrics, common_prompts, references_for
from evenhand.instruments.audit.compare.question import Question
from evenhand.instruments.audit.compare.result import Comparison, Side
from evenhand.instruments.audit.compare.several import compare_runs
from evenhand.storage.base import Store

DRAWS = 499


def compare(
    runs: Sequence[str],
    *,
    store: Store | str | Path | None = None,
    common: bool = False,
    draws: int = DRAWS,
    seed: int = 0,
) -> Comparison:
    """Compare stored runs of one plan, prompt by prompt.

    Parameters
    ----------
    runs
        Ids, unambiguous beginnings of ids, or ``"latest"``; at least two different runs. Of two, the first is the old
        one; more are compared in the order of time.
    common
        Compare runs with different plans in the prompts and metrics that they have in common.
    draws
        Most permutations of a metric's test, at least 99. The smallest p-value is 1/(draws + 1).
    seed
        Of the permutations: the same runs and seed give the same numbers.

    Raises
    ------
    UnknownNameError
        If there is no such run.
    UsageError
        If runs cannot be compared; it says why, and what to do.
    """
    if draws < 99:
        raise UsageError(f"draws must be at least 99, not {draws}: fewer can tell nothing from noise.")
    engine = FairBenchEngine(store)
    try:
        found = _different([engine.get_run(name) for name in runs])
        for run in found:
            _check(engine.store, run)
        plans = [Plan(run_id=run.id, spec=AuditSpec.from_json(run.spec)) for run in found]
        differing = check_all(plans, common=common)
        loaded = [_load(engine, run, plan) for run, plan in zip(found, plans, strict=True)]
        question = _question(engine, found[0], plans)
    finally:
        engine.close()
    permutations = Permutations(draws=draws, seed=seed)
    return compare_runs(loaded, question, common_prompts(*plans), permutations, differing=differing)


def _different(runs: Sequence[EvaluationRun]) -> list[EvaluationRun]:
    """Return two runs as given, more in the order of time."""
    if len(runs) < 2:
        raise UsageError("A comparison needs two runs or more; `evenhand runs` lists them.")
    ids = [run.id for run in runs]
    twice = next((run_id for run_id in ids if ids.count(run_id) > 1), None)
    if twice is not None:
        raise UsageError(f"Run {twice} is named twice; a comparison needs different runs.")
    # times are whole seconds: runs of one second stay in the order given
    return list(runs) if len(runs) == 2 else sorted(runs, key=lambda run: run.created_at)


def _check(store: Store, run: EvaluationRun) -> None:
    if run.kind != "audit":
        raise UsageError(f"Run {run.id} is a {run.kind} run; only audits are compared.")
    if run.status == "failed":
        raise UsageError(f"Run {run.id} failed for every request, so there is nothing to compare.")
    if run.status in {"running", "interrupted"}:
        waiting = len(unjudged(store, run.id, store.responses(run.id), AuditSpec.from_json(run.spec).evaluators))
        if waiting:
            raise UsageError(
                f"Run {run.id} is {run.status}, and {waiting} of its answers are not judged yet. "
                f"Judge them with: evenhand score {run.id}"
            )


def _load(engine: FairBenchEngine, run: EvaluationRun, plan: Plan) -> Run:
    outputs = engine.outputs(run.id)
    if not len(outputs):
        raise UsageError(
            f"Run {run.id} is {run.status} and has no complete replicate yet. "
            "Go on with it by calling `evenhand run` again as before."
        )
    side = Side(
        run_id=run.id,
        name=run.name,
        model=plan.spec.model,
        is_simulated=run.model.is_simulated,
        status=run.status,
        created_at=run.created_at,
        prompts=len(plan.prompts()),
        outputs=len(outputs),
    )
    return Run(side=side, outputs=outputs)


def _question(engine: FairBenchEngine, first: EvaluationRun, plans: Sequence[Plan]) -> Question:
    spec, names = plans[0].spec, common_metrics(*plans)
    return Question(
        metrics=[metric for metric in engine.metrics_of(first) if metric.name in names],
        references=references_for(plans[0], common_prompts(*plans)),
        skipped={name: provided_fields(name) for name in spec.skipped_evaluators},
        target=spec.target,
    )
