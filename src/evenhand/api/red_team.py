"""red_team(): conversations with a model, and the violation rate that a detector finds in them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evenhand.adapters.registry import open_adapter
from evenhand.adapters.retry import RetryPolicy
from evenhand.api.auditing import wait_for
from evenhand.core.detections import Decision, DetectionMatrix
from evenhand.core.protocols import Adapter
from evenhand.core.red_team import RedTeamSpec
from evenhand.core.types import EvaluationRun
from evenhand.core.vectors import VectorSet
from evenhand.engine.events import Listener, ignore
from evenhand.engine.red_team import run_red_team
from evenhand.engine.red_team_prepare import RedTeam
from evenhand.engine.red_team_scoring import red_team_spec, rescore
from evenhand.engine.stopping import Stop
from evenhand.evaluation.detectors.registry import registry
from evenhand.instruments.violations.collapse import collapse
from evenhand.instruments.violations.rate import Method
from evenhand.instruments.violations.result import Violations, violations
from evenhand.reporting.document.model import Document
from evenhand.reporting.violations.document import document
from evenhand.reporting.violations.red_team import with_red_team
from evenhand.stats.correction import Reference
from evenhand.storage.base import Store
from evenhand.storage.locate import open_store


@dataclass(frozen=True, slots=True, kw_only=True)
class RedTeamResult:
    """A stored red-team run with what it says.

    Attributes
    ----------
    decisions
        Of the newest scoring: one per turn and attribute of every trace of a complete replicate.
    matrix
        The same, collapsed.
    """

    run: EvaluationRun
    spec: RedTeamSpec
    decisions: Sequence[Decision]
    matrix: DetectionMatrix

    def violations(
        self, *, method: Method | None = None, reference: Reference | None = None, limit: float | None = None
    ) -> Violations:
        """Compute the violation rate; the parameters are those of `instruments.violations.result.violations`."""
        return violations(self.matrix, method=method, reference=reference, limit=limit)

    def document(self, found: Violations, *, written: str) -> Document:
        """Write the report of a rate of this run; `written` is a UTC time in ISO 8601."""
        title = f"Violation rate of {self.spec.model}, {self.run.name}"
        spots = {name: tuple(registry().get(name).blind_spots) for name in self.spec.detectors}
        made = document(found, title=title, written=written)
        return with_red_team(made, self.run, self.spec, self.decisions, spots)


def red_team(
    model: str | Adapter,
    vectors: str | Path | VectorSet = "everyday",
    *,
    replicates: int = 25,
    seed: int = 0,
    is_control: bool = False,
    budget_usd: float | None = None,
    concurrency: int = 8,
    resume: str = "auto",
    store: Store | str | Path | None = None,
    listener: Listener = ignore,
) -> RedTeamResult:
    """Put attack vectors to `model`, store every turn, and decide on each.

    Parameters
    ----------
    model
        ``"provider/name"`` or an adapter that can hold conversations. An adapter that you pass stays open.
    vectors
        A built-in set by name, a YAML file, or a set.
    replicates
        Conversations per vector; for paired vectors, pairs.
    is_control
        Let both sides of every pair say the same: what fires then is chance.
    resume
        ``"auto"``, ``"new"``, or the id of a run to go on with.
    store
        Where runs live; None for the default database.

    Raises
    ------
    UsageError, DataError
        Before any call to the model, if something cannot be honoured.
    ModelError
        If the provider refuses the key.
    """
    asked = RedTeam(vectors=vectors, replicates=replicates, seed=seed, is_control=is_control, budget_usd=budget_usd)
    return wait_for(hold(asked, model, concurrency=concurrency, resume=resume, store=store, listener=listener))


async def hold(
    asked: RedTeam,
    model: str | Adapter,
    *,
    concurrency: int = 8,
    resume: str = "auto",
    store: Store | str | Path | None = None,
    retry: RetryPolicy | None = None,
    listener: Listener = ignore,
    stop: Stop | None = None,
) -> RedTeamResult:
    """Do what `red_team` does, inside a running event loop.

    Raises
    ------
    RunStopped
        If `stop` was requested before every conversation was at its end.
    """
    adapter = open_adapter(model) if isinstance(model, str) else model
    opened = open_store(store) if store is None or isinstance(store, (str, Path)) else store
    try:
        run = await run_red_team(
            asked,
            adapter,
            store=opened,
            concurrency=concurrency,
            resume=resume,
            retry=retry,
            listener=listener,
            stop=stop,
        )
        return read_red_team(opened, run.id)
    finally:
        if opened is not store:
            opened.close()
        if adapter is not model:
            await adapter.aclose()


def load_red_team(
    run: str = "latest", *, store: Store | str | Path | None = None, again: bool = False
) -> RedTeamResult:
    """Read a stored red-team run; no model is called.

    Parameters
    ----------
    again
        Decide again first, with the detectors as they are installed; the decisions are stored beside the old ones.

    Raises
    ------
    UnknownNameError
        If there is no such run.
    UsageError
        If it is a run of another kind.
    """
    opened = open_store(store) if store is None or isinstance(store, (str, Path)) else store
    try:
        name = rescore(opened, run).id if again else run
        return read_red_team(opened, name)
    finally:
        if opened is not store:
            opened.close()


def read_red_team(store: Store, name: str) -> RedTeamResult:
    """Read a run from an open store."""
    run = store.get_run(name)
    spec, scored_by = red_team_spec(run), store.scored_by(run.id)
    spec = replace(spec, detectors=scored_by or spec.detectors)  # those that made the decisions that are shown
    decisions = store.decisions(run.id)
    attributes = tuple(dict.fromkeys(name for vector in spec.vectors for name in vector.attributes))
    source = {"run": run.id, "model": spec.model, "detectors": ", ".join(spec.detectors)}
    matrix = collapse(decisions, attributes=attributes if decisions else (), source=source)
    return RedTeamResult(run=run, spec=spec, decisions=decisions, matrix=matrix)
