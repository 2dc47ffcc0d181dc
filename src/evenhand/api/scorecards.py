"""A stored run → its scorecard: the wiring between metrics, evaluators and reporting."""

from collections.abc import Sequence

from evenhand.core.spec import AuditSpec
from evenhand.core.table import OutputTable
from evenhand.core.types import EvaluationRun
from evenhand.engine.clock import Clock, timestamp, utc_now
from evenhand.evaluation.registry import blind_spots
from evenhand.metrics.bands import load_profile
from evenhand.metrics.base import Metric
from evenhand.reporting.inputs import EvaluatorInfo, MetricInfo
from evenhand.reporting.scorecard import Scorecard, build


def scorecard(
    run: EvaluationRun, outputs: OutputTable, metrics: Sequence[Metric], *, clock: Clock = utc_now
) -> Scorecard:
    """Build the scorecard of a run from its stored results."""
    spec = AuditSpec.from_json(run.spec)
    return build(
        run,
        outputs,
        metrics=[_metric_info(metric, run) for metric in metrics if metric.name in run.results],
        profile=load_profile(spec.bands),
        evaluators=[
            EvaluatorInfo(name=name, version=version, blind_spots=tuple(blind_spots(name)))
            for name, version in spec.evaluators.items()
        ],
        generated_at=timestamp(clock()),
    )


def _metric_info(metric: Metric, run: EvaluationRun) -> MetricInfo:
    return MetricInfo(
        name=metric.name,
        long_name=metric.long_name,
        description=metric.description,
        formula=metric.formula,
        source=metric.source,
        limits=tuple(metric.limits),
        interpretation=metric.interpret(run.results[metric.name]),
    )
