"""A run and its outputs → the view model that every form prints."""

from collections.abc import Mapping, Sequence
from typing import Any

from evenhand.core.results import MetricResult, undefined
from evenhand.core.table import OutputTable
from evenhand.core.types import EvaluationRun
from evenhand.instruments.audit.conclude import overall
from evenhand.metrics.bands import BandProfile
from evenhand.reporting import text
from evenhand.reporting.calibration import calibration
from evenhand.reporting.clean import cleaned
from evenhand.reporting.cost import cost
from evenhand.reporting.drilldown import Bounds, drill_down
from evenhand.reporting.figures import figures
from evenhand.reporting.flow import could_not_judge, flow
from evenhand.reporting.inputs import EvaluatorInfo, MetricInfo
from evenhand.reporting.results import metric_view
from evenhand.reporting.view import Flow, ModelView, OverallView, RunView, Scorecard, Unjudged
from evenhand.reporting.wording import HUMAN_REVIEW, is_deterministic, limitations, notices

__all__ = ["EvaluatorInfo", "MetricInfo", "Scorecard", "build"]

_ELSEWHERE = frozenset({"calibration", "cost"})
"""Entries of the manifest that have a place of their own in every form."""


def build(
    run: EvaluationRun,
    outputs: OutputTable,
    *,
    metrics: Sequence[MetricInfo],
    profile: BandProfile,
    evaluators: Sequence[EvaluatorInfo],
    generated_at: str,
    bounds: Bounds | None = None,
) -> Scorecard:
    """Build the view model.

    Parameters
    ----------
    outputs
        The run's stored outputs, evaluated; they feed the counts and the drill-down. No metric is computed here.
    metrics
        In the order of the report. One without a result in `run` is shown as undefined.
    profile
        The bands that point values are read against.
    generated_at
        UTC time in ISO 8601; an argument, so that the same run gives the same bytes.
    bounds
        How many answers are carried along; None for the default.
    """
    views = tuple(metric_view(info, _result(run, info.name), profile) for info in metrics)
    counts = flow(run, outputs)
    unjudged = could_not_judge(outputs)
    skipped = tuple(str(name) for name in run.spec.get("skipped_evaluators", ()))
    card = Scorecard(
        generated_at=generated_at,
        generated_at_text=text.moment(generated_at),
        run=_run(run, profile),
        model=ModelView(
            provider=run.model.provider,
            name=run.model.name,
            is_simulated=run.model.is_simulated,
            details=run.model.details,
        ),
        notices=notices(run, counts, views, skipped),
        flow=counts,
        flow_text=_flow_text(counts, deterministic=is_deterministic(run)),
        cost=cost(run),
        overall=_overall(run.results),
        metrics=views,
        figures=figures(run.results),
        answers=drill_down(outputs, run_id=run.id, bounds=bounds or Bounds()),
        could_not_judge=unjudged,
        evaluators=_every_evaluator(evaluators, unjudged),
        calibration=calibration(run),
        skipped_evaluators=skipped,
        human_review=HUMAN_REVIEW,
        known_limitations=limitations(run),
        manifest={key: value for key, value in run.manifest.items() if key not in _ELSEWHERE},
    )
    return cleaned(card)


def _overall(results: Mapping[str, MetricResult]) -> OverallView:
    found = overall(results)
    return OverallView(verdict=found.verdict, sentence=found.sentence, unjudged=found.unjudged)


def _every_evaluator(evaluators: Sequence[EvaluatorInfo], unjudged: Sequence[Unjudged]) -> tuple[EvaluatorInfo, ...]:
    """List the evaluators, and any other that left a reason: what it could not judge must not go unseen."""
    known = {evaluator.name for evaluator in evaluators}
    others = [item.evaluator for item in unjudged if item.evaluator not in known]
    return (*evaluators, *(EvaluatorInfo(name=name, version="not stated") for name in others))


def _result(run: EvaluationRun, name: str) -> MetricResult:
    return run.results.get(name) or undefined(name, "the run holds no result for it")


def _run(run: EvaluationRun, profile: BandProfile) -> RunView:
    spec = run.spec
    sets = [_set(group) for group in spec.get("scenario_sets", ())]
    replicates = spec.get("replicates")
    return RunView(
        id=run.id,
        name=run.name,
        status=run.status,
        created_at=run.created_at,
        finished_at=run.finished_at,
        spec_digest=run.spec_digest,
        scenario_sets=sets,
        sets_text=", ".join(_set_text(group) for group in sets) or "no scenario set",
        replicates=replicates,
        replicates_text="once" if replicates == 1 else f"{replicates} times",
        seed=spec.get("seed"),
        generation={k: v for k, v in spec.get("generation", {}).items() if k != "seed" and v is not None},
        bands=profile.name,
    )


def _set(group: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": group["name"], "version": group.get("version", ""), "scenarios": len(group["scenarios"])}


def _set_text(group: Mapping[str, Any]) -> str:
    version = f" {group['version']}" if group["version"] else ""
    return f"{group['name']}{version} ({text.plural(group['scenarios'], 'scenario')})"


def _flow_text(counts: Flow, *, deterministic: bool) -> str:
    repeated = ", or repeating another answer to the same prompt at temperature 0" if deterministic else ""
    missing = (
        f" Not used: {text.plural(counts.not_used, 'generation')}, not asked or of a replicate that is not "
        f"complete{repeated}."
        if counts.not_used
        else ""
    )
    refusals = (
        "Refusals were not judged."
        if counts.refusals is None
        else f"{text.count(counts.refusals)} of {text.plural(counts.refusals_judged, 'judged answer')} refuse."
    )
    return (
        f"{text.plural(counts.requested, 'generation')} were asked for: {text.count(counts.answered)} answered "
        f"({text.count(counts.empty)} empty, {text.count(counts.truncated)} cut by the token limit), "
        f"{text.count(counts.blocked)} blocked by a filter, {text.count(counts.failed)} failed.{missing} {refusals}"
    )
