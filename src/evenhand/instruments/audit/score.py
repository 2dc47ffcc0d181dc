"""Evaluated outputs → metric results. A metric that cannot be computed is undefined with its reason, never 0."""

from collections.abc import Iterable, Mapping, Sequence

from evenhand.core.results import MetricResult, undefined
from evenhand.core.table import OutputTable
from evenhand.core.types import References
from evenhand.metrics.base import Metric


def score(
    outputs: OutputTable,
    metrics: Iterable[Metric],
    references: References,
    *,
    skipped: Mapping[str, Sequence[str]],
) -> dict[str, MetricResult]:
    """Compute each metric.

    Parameters
    ----------
    skipped
        Evaluator that was left out → the fields of `EvaluatedOutput` that are therefore empty.

    Returns
    -------
    dict
        Metric name to result, in the order of `metrics`.
    """
    return {metric.name: _one(outputs, metric, references, skipped) for metric in metrics}


def _one(
    outputs: OutputTable, metric: Metric, references: References, skipped: Mapping[str, Sequence[str]]
) -> MetricResult:
    missing = [evaluator for evaluator, fields in skipped.items() if set(fields) & set(metric.requires)]
    if missing:
        return undefined(metric.name, f"the evaluator {' and '.join(missing)} was skipped on request")
    try:
        result: object = metric.compute(outputs, references)
    except Exception as error:  # noqa: BLE001 - plugin boundary: one broken metric must not cost the others
        return undefined(metric.name, f"the metric raised {type(error).__name__}: {error}")
    if not isinstance(result, MetricResult):
        return undefined(metric.name, f"the metric returned {type(result).__name__} instead of a MetricResult")
    return result
