"""audit(): a whole audit in one call, from a script or a notebook."""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from evenhand.adapters.retry import RetryPolicy
from evenhand.api.runs import AuditResult, load_from
from evenhand.core.protocols import Adapter
from evenhand.core.types import GenerationConfig, References
from evenhand.engine import FairBenchEngine
from evenhand.engine.events import Listener, ignore
from evenhand.engine.prepare import Audit
from evenhand.engine.resolve import Baseline, ScenarioSource
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
) -> AuditResult:
    """Do what `audit` does, inside a running event loop."""
    async with FairBenchEngine(store, retry=retry) as engine:
        run = await engine.run(asked, concurrency=concurrency, resume=resume, listener=listener)
        return load_from(engine, run.id)


def wait_for(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, also where an event loop is already running, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(asyncio.run, work).result()
