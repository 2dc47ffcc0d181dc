"""The seam: what every store offers. Rows are added, never changed or deleted; a run's status moves on."""

from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Protocol, Self, runtime_checkable

from evenhand.core.conversations import Turn
from evenhand.core.detections import Decision
from evenhand.core.results import MetricResult
from evenhand.core.types import EvaluationRun, RequestId, RunId, RunStatus
from evenhand.storage.records import Counts, Evaluation, EvaluationColumns, OutcomeName, Response, ResponseColumns


@runtime_checkable
class Store(Protocol):
    """Keeps runs. Safe to call from several threads; every method may raise `StoreError`."""

    def create_run(self, run: EvaluationRun) -> None:
        """Store a new run with the results it already has. A known id is a `StoreError`."""
        ...

    def set_status(
        self,
        run_id: RunId,
        status: RunStatus,
        *,
        finished_at: str | None = None,
        manifest: Mapping[str, Any] | None = None,
    ) -> None:
        """Move a run on. None leaves a field as it is, except that ``"running"`` clears `finished_at`."""
        ...

    def get_run(self, name: str) -> EvaluationRun:
        """Return the run with this id, this unique beginning of an id, or ``"latest"``, with its newest results.

        Raises
        ------
        UnknownNameError
            If there is no such run; it names near ids.
        UsageError
            If several ids begin so; it lists them.
        """
        ...

    def list_runs(self, limit: int | None = None) -> Sequence[EvaluationRun]:
        """Return runs, newest first, without their results."""
        ...

    def newest_unfinished(self, spec_digest: str) -> RunId | None:
        """Return the newest run of this spec that is running, interrupted or partial."""
        ...

    def save_responses(self, run_id: RunId, responses: Sequence[Response]) -> None:
        """Store responses in one transaction. The first answer stored for (request, round) stays."""
        ...

    def latest_outcomes(self, run_id: RunId) -> Mapping[RequestId, OutcomeName]:
        """Return the outcome of each stored request in its latest round."""
        ...

    def responses(self, run_id: RunId) -> Iterator[Response]:
        """Stream the latest round of each request: by replicate, then in the order stored."""
        ...

    def superseded(self, run_id: RunId) -> Iterator[Response]:
        """Stream the rounds that a later one replaced, in the order stored: they do not count, but they cost."""
        ...

    def response_columns(self, run_id: RunId) -> ResponseColumns:
        """Return the same as columns, without attempts and costs: much faster to compute with."""
        ...

    def save_evaluations(self, run_id: RunId, evaluations: Sequence[Evaluation]) -> None:
        """Store evaluations of stored responses in one transaction.

        An evaluation belongs to the request's latest response, and the first one of each (response, evaluator,
        version) stays. A request without a response is a `StoreError`.
        """
        ...

    def evaluations(self, run_id: RunId, versions: Mapping[str, str] | None = None) -> Iterator[Evaluation]:
        """Stream evaluations of the latest responses, evaluator by evaluator, in the order of the responses.

        Parameters
        ----------
        versions
            Evaluator to the version wanted; other evaluators are left out. None: of each evaluator the version
            that was the last to begin. Versions are never mixed: a newer one that saw half of the run hides the
            older.
        """
        ...

    def evaluations_by(self, run_id: RunId, evaluator: str, version: str | None = None) -> EvaluationColumns:
        """Return the same for one evaluator as columns: much faster to compute with."""
        ...

    def evaluated(self, run_id: RunId, evaluator: str, version: str) -> set[RequestId]:
        """Return the requests whose latest response this version has judged, or could not judge."""
        ...

    def save_turns(self, run_id: RunId, turns: Sequence[Turn]) -> None:
        """Store turns of conversations in one transaction. The first stored for (turn, round) stays."""
        ...

    def turns(self, run_id: RunId, *, every_round: bool = False) -> Iterator[Turn]:
        """Stream the latest round of each turn, or every round, in the order stored."""
        ...

    def save_decisions(self, run_id: RunId, detectors: Mapping[str, str], decisions: Sequence[Decision]) -> None:
        """Store one whole scoring in one transaction; earlier ones stay. `detectors` is name to version."""
        ...

    def decisions(self, run_id: RunId) -> Sequence[Decision]:
        """Return the decisions of the newest scoring, in the order saved; none if there is no scoring."""
        ...

    def scored_by(self, run_id: RunId) -> Mapping[str, str]:
        """Return the detectors of the newest scoring, name to version; empty if there is none."""
        ...

    def save_results(self, run_id: RunId, results: Mapping[str, MetricResult]) -> None:
        """Add results. Earlier ones stay; `get_run` gives the newest of each metric, in the order saved."""
        ...

    def counts(self, run_id: RunId) -> Counts:
        """Count outcomes and evaluations."""
        ...

    def claim(self, run_id: RunId, *, lease_s: float = 600.0) -> None:
        """Take the run for this store object, so that nobody else executes it at the same time.

        Claiming again renews, and so does every save. The lease of an owner that died on this machine is taken
        over at once, any other when it was not renewed for `lease_s` seconds.

        Raises
        ------
        StoreError
            If another process, or another store object, is executing the run.
        """
        ...

    def release(self, run_id: RunId) -> None:
        """Give the run back; nothing happens if this store does not hold it."""
        ...

    def close(self) -> None:
        """Release claimed runs and connections; safe to call twice."""
        ...

    def __enter__(self) -> Self:
        """Return the store itself."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        ...
