"""load_run(): what is stored of a run, ready to read."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from evenhand.api.frames import Kind, metric_columns, output_columns, table_columns, to_frame
from evenhand.api.scorecards import scorecard
from evenhand.core.table import OutputTable
from evenhand.core.types import EvaluationRun
from evenhand.engine import FairBenchEngine
from evenhand.reporting.scorecard import Scorecard
from evenhand.storage.base import Store

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AuditResult:
    """A stored run with everything that a reader of it needs.

    Attributes
    ----------
    run
        The run with its metric results.
    outputs
        Its evaluated outputs, in plan order.
    scorecard
        What reports show.
    """

    run: EvaluationRun
    outputs: OutputTable
    scorecard: Scorecard

    def __repr__(self) -> str:
        # asyncio writes out a task's result, and notebooks the last line: neither wants the whole scorecard
        return f"AuditResult({self.run.id}, {self.run.status}, {self.outputs!r})"

    # Any: pandas brings no types

    @overload
    def outputs_frame(self, *, embeddings: bool = False, to: Literal["polars"] = "polars") -> "polars.DataFrame": ...
    @overload
    def outputs_frame(self, *, embeddings: bool = False, to: Literal["pandas"]) -> Any: ...
    def outputs_frame(self, *, embeddings: bool = False, to: Kind = "polars") -> Any:
        """Return the outputs as a data frame, one row each, in plan order.

        Parameters
        ----------
        embeddings
            Also the columns ``embedding`` and ``embedding_masked``, each cell a list of numbers.
        to
            ``"polars"`` or ``"pandas"``.

        Returns
        -------
        polars.DataFrame or pandas.DataFrame
            What was asked (``attribute`` and ``value`` are null for base prompts), what came back (``outcome`` is
            answered, blocked or failed; ``why_not`` says why there is no text), and what evaluators said: one
            column per score, null where nothing was judged. ``detected_ATTRIBUTE_LABEL`` holds weights from 0 to 1.

        Raises
        ------
        MissingExtraError
            If the package is not installed.
        """
        return to_frame(output_columns(self.outputs, embeddings=embeddings), to)

    @overload
    def metrics_frame(self, *, to: Literal["polars"] = "polars") -> "polars.DataFrame": ...
    @overload
    def metrics_frame(self, *, to: Literal["pandas"]) -> Any: ...
    def metrics_frame(self, *, to: Kind = "polars") -> Any:
        """Return the results as a data frame.

        Returns
        -------
        polars.DataFrame or pandas.DataFrame
            One row per metric, in which ``attribute`` and ``scenario`` are null, and one for each part of it by
            attribute and by scenario. The columns are the fields of `MetricResult`; ``value`` is null exactly where
            ``status`` is ``"undefined"``.

        Raises
        ------
        MissingExtraError
            If the package is not installed.
        """
        return to_frame(metric_columns(self.run.results), to)

    @overload
    def tables_frame(self, metric: str, table: str, *, to: Literal["polars"] = "polars") -> "polars.DataFrame": ...
    @overload
    def tables_frame(self, metric: str, table: str, *, to: Literal["pandas"]) -> Any: ...
    def tables_frame(self, metric: str, table: str, *, to: Kind = "polars") -> Any:
        """Return one of a metric's descriptive tables, such as ``("RSI", "shares")``, as a data frame.

        Raises
        ------
        UnknownNameError
            If there is no such metric or table; it names those there are.
        MissingExtraError
            If the package is not installed.
        """
        return to_frame(table_columns(self.run.results, metric, table), to)


def load_run(run_id: str = "latest", *, store: Store | str | Path | None = None) -> AuditResult:
    """Read a stored run.

    Parameters
    ----------
    run_id
        An id, the unambiguous beginning of one, or ``"latest"``.

    Raises
    ------
    UnknownNameError
        If there is no such run.
    """
    engine = FairBenchEngine(store)
    try:
        return load_from(engine, run_id)
    finally:
        engine.close()


def load_from(engine: FairBenchEngine, run_id: str) -> AuditResult:
    """Read a stored run through an open engine, which knows its registered metrics."""
    run = engine.get_run(run_id)
    return result_of(engine, run, engine.outputs(run.id))


def result_of(engine: FairBenchEngine, run: EvaluationRun, outputs: OutputTable) -> AuditResult:
    """Add the scorecard to a run and its outputs."""
    return AuditResult(run=run, outputs=outputs, scorecard=scorecard(run, outputs, engine.metrics_of(run)))
