"""audit(): a whole audit in one call, from a script or a notebook."""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from evenhand.adapters.retry import RetryPolicy
from evenhand.api.runs import AuditResult, result_of
from evenhand.core.protocols import Adapter
from evenhand.core.results import Target
from evenhand.core.types import GenerationConfig, References
from evenhand.engine import FairBenchEngine
from evenhand.engine.events import Listener, ignore
from evenhand.engine.prepare import Audit
from evenhand.engine.resolve import Baseline, ScenarioSource
from evenhand.engine.stopping import Stop
from evenhand.metrics.base import Metric
from evenhand.storage.base import Store

T = TypeVar("T")


def audit(
    model: str | Adapter,
    scenarios: ScenarioSource | Sequence[ScenarioSource],
    *,
    metrics: Sequence[str | Metric] | None = None,
    baseline: References | Mapping[str, Baseline] | None = None,
    generation_config: GenerationConfig | None = None,
    replicates: int = 10,
    seed: int = 0,
    skip_evaluators: Sequence[str] = (),
    bands: str = "evenhand-1",
    target: Target = "these prompts",
    budget_usd: float | None = None,
    concurrency: int = 8,
    resume: str = "auto",
    store: Store | str | Path | None = None,
    listener: Listener = ignore,
) -> AuditResult:
    """Audit `model` with `scenarios`: ask, evaluate, score and store.

    Parameters
    ----------
    model
        ``"provider/name"`` or an adapter. An adapter that you pass stays open.
    scenarios
        A built-in set by name, a YAML file, Scenario or ScenarioSet objects, or several of these.
    metrics
        Names; None for all.
    baseline
        Replaces the scenarios' references: attribute to ``"uniform"``, a baseline's name, or category to share.
    replicates
        Generations per prompt, base and variants alike.
    skip_evaluators
        Evaluators to leave out. Metrics that need them are undefined.
    bands
        Band profile, by name or path.
    target
        What intervals speak about: the prompts that were asked, or prompts like them.
    budget_usd
        What the run may cost in all. When the next request would not fit, the run ends with the status
        ``"partial"``; the same call with more goes on with it.
    concurrency
        Requests at once; fewer while the provider asks for patience.
    resume
        ``"auto"``, ``"new"``, or the id of a run to go on with.
    store
        Where runs live; None for the default database.

    Returns
    -------
    AuditResult
        The run, its evaluated outputs and its scorecard.

    Raises
    ------
    UsageError, DataError
        Before any call to the model, if something cannot be honoured.
    ModelError
        If the provider refuses the key.
    """
    asked = Audit(
        model=model,
        scenarios=scenarios,
        metrics=metrics,
        baseline=baseline,
        generation_config=generation_config,
        replicates=replicates,
        seed=seed,
        skip_evaluators=skip_evaluators,
        bands=bands,
        target=target,
        budget_usd=budget_usd,
    )
    return wait_for(run_audit(asked, concurrency=concurrency, resume=resume, store=store, listener=listener))


async def run_audit(
    asked: Audit,
    *,
    concurrency: int = 8,
    resume: str = "auto",
    store: Store | str | Path | None = None,
    retry: RetryPolicy | None = None,
    listener: Listener = ignore,
    stop: Stop | None = None,
) -> AuditResult:
    """Do what `audit` does, inside a running event loop.

    Raises
    ------
    RunStopped
        If `stop` was requested before everything was answered and judged.
    """
    async with FairBenchEngine(store, retry=retry) as engine:
        for metric in asked.metrics or ():
            if isinstance(metric, Metric):  # the scorecard looks metrics up by the names that the run stores
                engine.register_metric(metric)
        run, outputs = await engine.run_with_outputs(
            asked, concurrency=concurrency, resume=resume, listener=listener, stop=stop
        )
        return result_of(engine, run, outputs)


def wait_for(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, also where an event loop is already running, as in a notebook."""
    return _in_thread(work) if _is_loop_running() else asyncio.run(work)


def _is_loop_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _in_thread(work: Coroutine[Any, Any, T]) -> T:
    started: Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any] | None]] = Future()

    async def noted() -> T:
        started.set_result((asyncio.get_running_loop(), asyncio.current_task()))
        return await work

    with ThreadPoolExecutor(max_workers=1) as pool:
        done = pool.submit(asyncio.run, noted())
        try:
            return done.result()
        except BaseException:
            # a notebook's "interrupt" arrives here, not in the thread, which would go on to the end of the audit
            if not done.done():
                loop, task = started.result()
                if task is not None:
                    loop.call_soon_threadsafe(task.cancel)
            raise
