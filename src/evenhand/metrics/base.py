"""What a metric is: outputs in, a MetricResult out, and a sentence that says what the number does not show."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Self

from evenhand.core.results import MetricResult
from evenhand.core.types import EvaluatedOutput, References
from evenhand.metrics.inference import Inference
from evenhand.metrics.references import references_of

__all__ = ["Baseline", "Metric", "references_of"]

Baseline = References | Mapping[str, Mapping[str, float]] | None
"""What outputs are compared with: declared references, or attribute to category to share, or nothing."""


class Metric(ABC):
    """Derive from this to add a metric; `compute`, `interpret`, `name` and `description` are all it takes.

    Attributes
    ----------
    requires
        Fields of `EvaluatedOutput` without which the metric is undefined: ``("embedding",)``.
    optional
        Fields that it uses where they are filled.
    long_name
        Name in words.
    formula, source
        How the number is computed and where the definition comes from; printed in every report.
    limits
        What the metric cannot show, one sentence each; printed in every report.
    inference
        How intervals, tests and fair references are computed; None for the value alone. A metric of your own may
        leave it aside: its results then support no verdict.
    """

    requires: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    long_name: str = ""
    formula: str = ""
    source: str = ""
    limits: tuple[str, ...] = ()
    inference: Inference | None = Inference()

    def with_inference(self, inference: Inference | None) -> Self:
        """Return the same metric with other settings of its uncertainty."""
        other = copy(self)
        other.inference = inference
        return other

    @abstractmethod
    def compute(self, outputs: Sequence[EvaluatedOutput], baseline: Baseline = None) -> MetricResult:
        """Compute the metric over `outputs`.

        Parameters
        ----------
        outputs
            Any sequence; an `OutputTable` spares the built-in metrics the conversion.
        baseline
            References to compare with, or attribute to category to share, which then holds for every scenario.

        Returns
        -------
        MetricResult
            Undefined, with a reason, where there is nothing to compute from; never NaN and never a stand-in 0.
        """

    @abstractmethod
    def interpret(self, result: MetricResult) -> str:
        """Say in one or two plain sentences what was compared, over how many outputs, and what it does not show."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Short name, as in reports and on the command line."""

    @property
    @abstractmethod
    def description(self) -> str:
        """One sentence on what is measured."""
