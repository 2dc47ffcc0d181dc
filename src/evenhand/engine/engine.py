"""FairBenchEngine: one audit from plan to stored results."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from evenhand.adapters.registry import open_adapter
from evenhand.adapters.retry import RetryPolicy
from evenhand.core.protocols import Adapter
from evenhand.core.spec import AuditSpec
from evenhand.core.table import OutputTable
from evenhand.core.types import EvaluationRun, GenerationConfig, References, RunId
from evenhand.engine.answering import Manner, answer
from evenhand.engine.clock import Clock, utc_now
from evenhand.engine.events import Listener, Progress, RunStarted, ignore
from evenhand.engine.opening import open_run, under_way
from evenhand.engine.prepare import Audit, Prepared, prepare
from evenhand.engine.resolve import Baseline, ScenarioSource, metrics
from evenhand.engine.scoring import close_run, judge_missing, load_outputs, score_run
from evenhand.engine.stopping import Stop
from evenhand.metrics.base import Metric
from evenhand.scenarios.registry import ScenarioRegistry
from evenhand.storage.base import Store
from evenhand.storage.locate import open_store


class FairBenchEngine:
    """Plans, asks, stores, evaluates and scores.

    Parameters
    ----------
    store
        Where runs live: a store, a path or URL, or None for the default database.
    scenario_directories
        More places in which scenario sets are found by name.
    retry
        How often and how patiently a failed request is asked again.
    clock
        What time it is.

    Notes
    -----
    Use it as an asynchronous context manager, or call `aclose`: registered adapters and a store that the engine
    opened are then closed, whatever failed before.
    """

    def __init__(
        self,
        store: Store | str | Path | None = None,
        *,
        scenario_directories: Sequence[Path] = (),
        retry: RetryPolicy | None = None,
        clock: Clock = utc_now,
    ) -> None:
        self._given = store
        self._store: Store | None = None
        self.scenarios = ScenarioRegistry(directories=scenario_directories)
        self._retry = retry or RetryPolicy()
        self._clock = clock
        self._adapters: dict[str, Adapter] = {}
        self._metrics: dict[str, Metric] = {}

    @property
    def store(self) -> Store:
        """The store, opened when it is first needed: planning alone leaves no file behind."""
        if self._store is None:
            given = self._given
            self._store = open_store(given) if given is None or isinstance(given, (str, Path)) else given
        return self._store

    # ---- what can be added ----

    def register_adapter(self, name: str, adapter: Adapter) -> None:
        """Make `adapter` known as `name`; it is closed with the engine."""
        self._adapters[name] = adapter

    def register_metric(self, metric: Metric) -> None:
        """Add `metric` to those that are computed by default."""
        self._metrics[metric.name] = metric

    # ---- running ----

    async def evaluate(
        self,
        *,
        model: str | Adapter,
        scenarios: ScenarioSource | Sequence[ScenarioSource],
        metrics: Sequence[str | Metric] | None = None,
        baseline: References | Mapping[str, Baseline] | None = None,
        generation_config: GenerationConfig | None = None,
        concurrency: int = 8,
        replicates: int = 10,
        seed: int = 0,
        skip_evaluators: Sequence[str] = (),
        budget_usd: float | None = None,
        resume: str = "auto",
        listener: Listener = ignore,
    ) -> EvaluationRun:
        """Run one audit, or go on with the newest unfinished one that was asked in the same way.

        The parameters are those of `Audit`; `concurrency`, `resume` and `listener` are those of `run`.
        """
        audit = Audit(
            model=model,
            scenarios=scenarios,
            metrics=metrics,
            baseline=baseline,
            generation_config=generation_config,
            replicates=replicates,
            seed=seed,
            skip_evaluators=skip_evaluators,
            budget_usd=budget_usd,
        )
        return await self.run(audit, concurrency=concurrency, resume=resume, listener=listener)

    async def run(
        self,
        audit: Audit,
        *,
        concurrency: int = 8,
        resume: str = "auto",
        listener: Listener = ignore,
        stop: Stop | None = None,
    ) -> EvaluationRun:
        """Run `audit` to its end, or to the end of its budget: the run is then partial.

        Parameters
        ----------
        concurrency
            Requests under way at once; the adapter may need fewer, and a provider that is asked too much gets fewer.
        resume
            ``"auto"`` goes on with the newest unfinished run of an equal spec, ``"new"`` never does; a run id goes on
            with that run and asks its failed requests again.
        listener
            Is told what happens.
        stop
            Through which somebody may end the run early.

        Raises
        ------
        UsageError
            Before any call to the model, if something cannot be honoured.
        RunStopped
            If `stop` was requested. What was answered is stored, and the same call goes on from there.
        AuthenticationError
            If the provider refuses the key. What was answered is stored, and the same call goes on from there.
        """
        run, _ = await self.run_with_outputs(
            audit, concurrency=concurrency, resume=resume, listener=listener, stop=stop
        )
        return run

    async def run_with_outputs(
        self,
        audit: Audit,
        *,
        concurrency: int = 8,
        resume: str = "auto",
        listener: Listener = ignore,
        stop: Stop | None = None,
    ) -> tuple[EvaluationRun, OutputTable]:
        """Do what `run` does; also return the `outputs` of the run, which its results were computed from."""
        async with self._prepared(audit) as prepared:
            manner = Manner(
                concurrency=concurrency,
                retry=self._retry,
                listener=listener,
                stop=stop or Stop(),
                ask_failed_again=resume not in {"auto", "new"},
            )
            run_id = open_run(
                self.store, prepared.spec, resume, name=prepared.name, adapter=prepared.adapter, clock=self._clock
            )
            self.store.claim(run_id)
            try:
                await self._answer(run_id, prepared, manner)
                outputs = await asyncio.to_thread(self._finish, run_id, prepared, listener)
            finally:
                self.store.release(run_id)
        return self.store.get_run(run_id), outputs

    @asynccontextmanager
    async def _prepared(self, audit: Audit) -> AsyncIterator[Prepared]:
        adapter, is_ours = self._adapter(audit.model)
        try:
            yield prepare(audit, adapter, scenarios=self.scenarios, registered_metrics=self._metrics)
        finally:
            if is_ours:
                await adapter.aclose()

    async def plan(self, audit: Audit) -> Prepared:
        """Resolve and check everything that `run` would, without a run and without a call to the model."""
        async with self._prepared(audit) as prepared:
            return prepared

    async def _answer(self, run_id: RunId, prepared: Prepared, manner: Manner) -> None:
        stored = list(self.store.responses(run_id))
        total = len(prepared.plan.requests)
        manner.listener(RunStarted(run_id=run_id, requests=total, already=len(stored), resumed=bool(stored)))
        with under_way(self.store, run_id, manner.stop):
            await answer(run_id, prepared, manner, store=self.store, stored=stored)

    def _finish(self, run_id: RunId, prepared: Prepared, listener: Listener) -> OutputTable:
        close_run(self.store, run_id, prepared, self._clock)
        outputs = score_run(self.store, run_id, prepared.metrics)
        total = len(prepared.metrics)
        listener(Progress(stage="metrics", done=total, total=total))
        return outputs

    def _adapter(self, model: str | Adapter) -> tuple[Adapter, bool]:
        if not isinstance(model, str):
            return model, False
        if model in self._adapters:
            return self._adapters[model], False
        return open_adapter(model), True

    # ---- what is stored ----

    def get_run(self, run_id: str) -> EvaluationRun:
        """Return a stored run with its newest results.

        Raises
        ------
        UnknownNameError
            If there is no such run.
        """
        return self.store.get_run(run_id)

    def outputs(self, run_id: str) -> OutputTable:
        """Return a run's evaluated outputs: those of complete replicates, if the run stopped early."""
        return load_outputs(self.store, self.store.get_run(run_id))

    def score(self, run_id: str) -> EvaluationRun:
        """Compute a run's metrics again from what is stored, without a model."""
        run = self.store.get_run(run_id)
        judge_missing(self.store, run.id)
        score_run(self.store, run.id, self.metrics_of(run))
        return self.store.get_run(run.id)

    def metrics_of(self, run: EvaluationRun) -> Sequence[Metric]:
        """Return the metrics that a run was asked for.

        Raises
        ------
        UnknownNameError
            If one of them was registered when the run was made, and is not now.
        """
        return metrics(AuditSpec.from_json(run.spec).metrics, self._metrics)

    # ---- closing ----

    async def aclose(self) -> None:
        """Close registered adapters and the store that the engine opened; safe to call twice."""
        try:
            for adapter in self._adapters.values():
                await adapter.aclose()
        finally:
            self._adapters.clear()
            self.close()

    def close(self) -> None:
        """Close the store that the engine opened; enough where no adapter was registered."""
        if self._store is not None and self._store is not self._given:
            self._store.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
