"""The store on SQLAlchemy Core: transactions, errors and leases around the statements of the other files."""

import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

from sqlalchemy import URL, Connection, Engine

from evenhand.core.conversations import Turn
from evenhand.core.detections import Decision
from evenhand.core.results import MetricResult
from evenhand.core.types import EvaluationRun, RequestId, RunId, RunStatus
from evenhand.errors import StoreError
from evenhand.storage import columns, leases, runs
from evenhand.storage import decisions as decision_rows
from evenhand.storage import evaluations as evaluation_rows
from evenhand.storage import responses as response_rows
from evenhand.storage import turns as turn_rows
from evenhand.storage.collecting import collector_paused
from evenhand.storage.failures import explained
from evenhand.storage.latest import LatestRows
from evenhand.storage.migrate import bring_up_to_date
from evenhand.storage.records import Counts, Evaluation, EvaluationColumns, OutcomeName, Response, ResponseColumns

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


class SQLBackend(ABC):
    """A `Store` in any database that SQLAlchemy reaches by URL. See `Store` for what each method promises.

    Parameters
    ----------
    url
        Of the database. Credentials in it are never shown.
    clock
        Tells the time, with its zone.
    """

    def __init__(self, url: URL, *, clock: Clock = utc_now) -> None:
        self.place = self._shown(url)
        self._clock, self._owner, self._claims = clock, uuid.uuid4().hex, dict[RunId, float]()
        self._latest, self._closed = LatestRows(), False
        with explained(self.place):
            engine = self._connect(url)
            self._reader = self._for_reading(engine)
            # SQLite: a transaction that will write says so when it begins, or it could fail half way (see sqlite.py)
            self._writer = engine.execution_options(evenhand_writes=True)
            try:
                bring_up_to_date(self._reader, self._writer, self.place)
            except BaseException:
                self._reader.dispose()
                raise

    # ---- runs and results -----------------------------------------------------------------

    def create_run(self, run: EvaluationRun) -> None:
        """Store a new run with the results it already has."""
        with self._writing() as connection:
            runs.add(connection, run)
            runs.add_results(connection, run.id, run.results, self._now())

    def set_status(
        self,
        run_id: RunId,
        status: RunStatus,
        *,
        finished_at: str | None = None,
        manifest: Mapping[str, Any] | None = None,
    ) -> None:
        """Move a run on."""
        with self._writing() as connection:
            runs.move_on(connection, run_id, status, finished_at, manifest)

    def get_run(self, name: str) -> EvaluationRun:
        """Return the run with this id, unique beginning of an id, or ``"latest"``."""
        with self._reading() as connection:
            return runs.read(connection, runs.find(connection, name))

    def list_runs(self, limit: int | None = None) -> Sequence[EvaluationRun]:
        """Return runs, newest first, without their results."""
        with self._reading() as connection:
            return runs.newest(connection, limit)

    def newest_unfinished(self, spec_digest: str) -> RunId | None:
        """Return the newest run of this spec that is running, interrupted or partial."""
        with self._reading() as connection:
            return runs.newest_unfinished(connection, spec_digest)

    def save_results(self, run_id: RunId, results: Mapping[str, MetricResult]) -> None:
        """Add results; earlier ones stay."""
        with self._writing(run_id) as connection:
            runs.add_results(connection, run_id, results, self._now())

    # ---- responses ------------------------------------------------------------------------

    def save_responses(self, run_id: RunId, responses: Sequence[Response]) -> None:
        """Store responses in one transaction."""
        with self._writing(run_id) as connection:
            response_rows.add(connection, run_id, responses, self._now())

    def latest_outcomes(self, run_id: RunId) -> Mapping[RequestId, OutcomeName]:
        """Return the outcome of each stored request in its latest round."""
        with self._reading() as connection:
            return response_rows.latest_outcomes(connection, run_id)

    def responses(self, run_id: RunId) -> Iterator[Response]:
        """Stream the latest round of each request."""
        with self._reading() as connection:
            yield from response_rows.stream(connection, run_id)

    def superseded(self, run_id: RunId) -> Iterator[Response]:
        """Stream the rounds that a later one replaced."""
        with self._reading() as connection:
            yield from response_rows.stream_superseded(connection, run_id)

    def response_columns(self, run_id: RunId) -> ResponseColumns:
        """Return the same as columns."""
        with collector_paused(), self._reading() as connection:
            return columns.response_columns(connection, run_id)

    # ---- evaluations ----------------------------------------------------------------------

    def save_evaluations(self, run_id: RunId, evaluations: Sequence[Evaluation]) -> None:
        """Store evaluations in one transaction."""
        with self._writing(run_id) as connection:
            evaluation_rows.add(connection, run_id, evaluations, self._now())

    def evaluations(self, run_id: RunId, versions: Mapping[str, str] | None = None) -> Iterator[Evaluation]:
        """Stream evaluations, of each evaluator one version."""
        with self._reading() as connection:
            wanted = evaluation_rows.newest_versions(connection, run_id) if versions is None else versions
            yield from evaluation_rows.stream(connection, run_id, wanted, self._latest.of(connection, run_id))

    def evaluations_by(self, run_id: RunId, evaluator: str, version: str | None = None) -> EvaluationColumns:
        """Return one evaluator's answers as columns."""
        with collector_paused(), self._reading() as connection:
            if version is None:
                version = evaluation_rows.newest_versions(connection, run_id).get(evaluator)
            latest = self._latest.of(connection, run_id)
            return columns.evaluation_columns(connection, run_id, evaluator, version, latest)

    def evaluated(self, run_id: RunId, evaluator: str, version: str) -> set[RequestId]:
        """Return the requests that this version has been shown."""
        with self._reading() as connection:
            latest = self._latest.of(connection, run_id)
            return evaluation_rows.seen(connection, run_id, evaluator, version, latest)

    def counts(self, run_id: RunId) -> Counts:
        """Count outcomes and evaluations."""
        with self._reading() as connection:
            latest = list(response_rows.latest_outcomes(connection, run_id).values())
            return Counts(
                answered=latest.count("answered"),
                blocked=latest.count("blocked"),
                failed=latest.count("failed"),
                superseded=response_rows.count_rows(connection, run_id) - len(latest),
                evaluations=evaluation_rows.count(connection, run_id),
            )

    # ---- conversations ----------------------------------------------------------------------

    def save_turns(self, run_id: RunId, turns: Sequence[Turn]) -> None:
        """Store turns in one transaction."""
        with self._writing(run_id) as connection:
            turn_rows.add(connection, run_id, turns, self._now())

    def turns(self, run_id: RunId, *, every_round: bool = False) -> Iterator[Turn]:
        """Stream the latest round of each turn, or every round."""
        with self._reading() as connection:
            yield from turn_rows.stream(connection, run_id, every_round=every_round)

    def save_decisions(self, run_id: RunId, detectors: Mapping[str, str], decisions: Sequence[Decision]) -> None:
        """Store one whole scoring in one transaction."""
        with self._writing(run_id) as connection:
            decision_rows.add(connection, run_id, detectors, decisions, self._now())

    def decisions(self, run_id: RunId) -> Sequence[Decision]:
        """Return the decisions of the newest scoring."""
        with self._reading() as connection:
            return decision_rows.newest(connection, run_id)

    def scored_by(self, run_id: RunId) -> Mapping[str, str]:
        """Return the detectors of the newest scoring."""
        with self._reading() as connection:
            return decision_rows.detectors(connection, run_id)

    # ---- leases and life ------------------------------------------------------------------

    def claim(self, run_id: RunId, *, lease_s: float = 600.0) -> None:
        """Take the run for this store object, or renew."""
        with self._writing() as connection:
            leases.take(connection, run_id, self._owner, self._clock(), lease_s)
        self._claims[run_id] = lease_s

    def release(self, run_id: RunId) -> None:
        """Give the run back."""
        if self._claims.pop(run_id, None) is not None:
            with self._writing() as connection:
                leases.give_back(connection, run_id, self._owner, self._clock())

    def close(self) -> None:
        """Release claimed runs and connections; safe to call twice."""
        if self._closed:
            return
        try:
            for run_id in tuple(self._claims):
                self.release(run_id)
        finally:
            self._closed = True
            self._reader.dispose()

    def __enter__(self) -> Self:
        """Return the store itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    # ---- for other databases to override ----------------------------------------------------

    @abstractmethod
    def _shown(self, url: URL) -> str:
        """Return the place as messages may name it: without credentials."""

    @abstractmethod
    def _connect(self, url: URL) -> Engine:
        """Make an engine with ``hide_parameters``: they are prompts and answers, and no part of an error message."""

    @abstractmethod
    def _for_reading(self, engine: Engine) -> Engine:
        """Return the engine with whatever makes several reads in one transaction see one moment."""

    # ---- transactions -----------------------------------------------------------------------

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        self._refuse_if_closed()
        with explained(self.place), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self, run_id: RunId | None = None) -> Iterator[Connection]:
        """One transaction; of a claimed run it also renews the lease, and fails if that was lost."""
        self._refuse_if_closed()
        with explained(self.place), self._writer.begin() as connection:
            if run_id is not None and run_id in self._claims:
                leases.renew(connection, run_id, self._owner, self._clock(), self._claims[run_id])
            yield connection

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreError(f"The store {self.place} was closed; open it again.")

    def _now(self) -> str:
        return self._clock().isoformat()
