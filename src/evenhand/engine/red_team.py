"""Red-team runs: attack vectors put to a model, every turn stored, decisions made from what is stored."""

import asyncio

from evenhand.adapters.retry import RetryPolicy
from evenhand.core.protocols import Adapter
from evenhand.core.types import EvaluationRun, RunId
from evenhand.engine.answering import Manner
from evenhand.engine.clock import Clock, utc_now
from evenhand.engine.conversing import converse
from evenhand.engine.events import Listener, Progress, RunStarted, ignore
from evenhand.engine.opening import open_run, under_way
from evenhand.engine.red_team_prepare import PreparedRedTeam, RedTeam, prepare_red_team
from evenhand.engine.red_team_scoring import close_red_team, red_team_spec, score_traces
from evenhand.engine.stopping import Stop
from evenhand.storage.base import Store


async def run_red_team(
    asked: RedTeam,
    adapter: Adapter,
    *,
    store: Store,
    concurrency: int = 8,
    resume: str = "auto",
    retry: RetryPolicy | None = None,
    listener: Listener = ignore,
    stop: Stop | None = None,
    clock: Clock = utc_now,
) -> EvaluationRun:
    """Hold every conversation, or as many as the budget allows: the run is then partial.

    Parameters
    ----------
    concurrency
        Conversations at once; the turns of one follow each other.
    resume
        ``"auto"`` goes on with the newest unfinished run of an equal spec, ``"new"`` never does; a run id goes on
        with that run and asks its failed turns again.

    Raises
    ------
    UsageError
        Before any call to the model, if something cannot be honoured.
    RunStopped
        If `stop` was requested. What was said is stored, and the same call goes on from there.
    AuthenticationError
        If the provider refuses the key.
    """
    prepared = prepare_red_team(asked, adapter)
    manner = Manner(
        concurrency=concurrency,
        retry=retry or RetryPolicy(),
        listener=listener,
        stop=stop or Stop(),
        ask_failed_again=resume not in {"auto", "new"},
    )
    if manner.ask_failed_again:
        red_team_spec(store.get_run(resume))  # refuses a run of another kind, before its spec is compared
    run_id = open_run(store, prepared.spec, resume, name=prepared.name, adapter=adapter, clock=clock, kind="red-team")
    store.claim(run_id)
    try:
        await _hold(run_id, prepared, manner, store)
        await asyncio.to_thread(_finish, run_id, prepared, store, listener, clock)
    finally:
        store.release(run_id)
    return store.get_run(run_id)


async def _hold(run_id: RunId, prepared: PreparedRedTeam, manner: Manner, store: Store) -> None:
    already = sum(1 for _ in store.turns(run_id))
    started = RunStarted(run_id=run_id, requests=prepared.calls, already=already, resumed=already > 0)
    manner.listener(started)
    with under_way(store, run_id, manner.stop):
        await converse(run_id, prepared, manner, store=store)


def _finish(run_id: RunId, prepared: PreparedRedTeam, store: Store, listener: Listener, clock: Clock) -> None:
    # decisions first: a run that is called complete has them, and one killed in between is finished by the same call
    score_traces(store, run_id, prepared.spec, prepared.detectors)
    close_red_team(store, run_id, prepared, clock)
    listener(Progress(stage="evaluations", done=prepared.calls, total=prepared.calls))
