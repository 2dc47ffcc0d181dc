"""load_run(): what is stored of a run, ready to read."""

from dataclasses import dataclass
from pathlib import Path

from evenhand.api.scorecards import scorecard
from evenhand.core.table import OutputTable
from evenhand.core.types import EvaluationRun
from evenhand.engine import FairBenchEngine
from evenhand.reporting.scorecard import Scorecard
from evenhand.storage.base import Store


@dataclass(frozen=True, slots=True, kw_only=True)
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
    outputs = engine.outputs(run.id)
    metrics = engine.metrics_of(run)
    return AuditResult(run=run, outputs=outputs, scorecard=scorecard(run, outputs, metrics))
