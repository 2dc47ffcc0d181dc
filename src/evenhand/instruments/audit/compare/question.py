"""What is computed of every run that is compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.core.results import MetricResult, Target
from evenhand.core.table import Floats, OutputTable
from evenhand.core.types import References
from evenhand.instruments.audit.score import score
from evenhand.metrics.base import Metric
from evenhand.metrics.inference import Inference

QUANTITIES = ("value", "excess")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is computed of either run.

    Attributes
    ----------
    skipped
        As for `score`.
    """

    metrics: Sequence[Metric]
    references: References
    skipped: Mapping[str, Sequence[str]]
    target: Target

    @property
    def names(self) -> list[str]:
        """Names of the metrics."""
        return [metric.name for metric in self.metrics]

    def results(
        self, tables: Sequence[OutputTable], names: Sequence[str] | None = None
    ) -> list[dict[str, MetricResult]]:
        """Compute the metrics of each table, without uncertainty."""
        metrics = [m.with_inference(None) for m in self.metrics if names is None or m.name in names]
        return [score(table, metrics, self.references, skipped=self.skipped) for table in tables]

    def with_intervals(self, tables: Sequence[OutputTable], *, target: Target) -> list[dict[str, MetricResult]]:
        """Compute the metrics of each table with their uncertainty."""
        metrics = [m.with_inference(Inference(target=target)) for m in self.metrics]
        return [score(table, metrics, self.references, skipped=self.skipped) for table in tables]

    def numbers(self, tables: Sequence[OutputTable], names: Sequence[str]) -> Floats:
        """(2, metrics, 2) values and excesses of each table; NaN where undefined."""
        return as_numbers(self.results(tables, names), names)


def as_numbers(results: Sequence[Mapping[str, MetricResult]], names: Sequence[str]) -> Floats:
    """(runs, metrics, 2) values and excesses; NaN where undefined."""
    return np.array([[[_number(run[name], q) for q in QUANTITIES] for name in names] for run in results])


def _number(result: MetricResult, quantity: str) -> float:
    found = result.value if quantity == "value" else result.excess
    return np.nan if found is None else found
