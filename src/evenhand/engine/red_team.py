"""Red-team runs: attack vectors put to a model, every turn stored, decisions made from what is stored."""

import asyncio

from evenhand.adapters.base import model_info
from evenhand.adapters.retry import RetryPolicy
from evenhand.core.protocols import Adapter
from evenhand.core.spec import differences
from evenhand.core.types import EvaluationRun, RunId
from evenhand.engine.answering import Manner
from evenhand.engine.clock import Clock, new_run_id, timestamp, utc_now
from evenhand.engine.conversing import converse
from evenhand.engine.events import Listener, Progress, RunStarted, ignore
from evenhand.engine.red_team_prepare import PreparedRedTeam, RedTeam, prepare_red_team
from evenhand.engine.red_team_scoring import close_red_team, red_team_spec, score_traces
from evenhand.engine.stopping import Stop
from evenhand.errors import ResumeError, RunStopped
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
    run_id = _open_run(prepared, resume, store, clock)
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
    store.set_status(run_id, "running")
    try:
        await converse(run_id, prepared, manner, store=store)
        if manner.stop.is_requested:
            raise RunStopped(run_id)
    except BaseException:  # whatever stopped it, what is stored stays and the same call goes on from there
        store.set_status(run_id, "interrupted")
        raise


def _finish(run_id: RunId, prepared: PreparedRedTeam, store: Store, listener: Listener, clock: Clock) -> None:
    # decisions first: a run that is called complete has them, and one killed in between is finished by the same call
    score_traces(store, run_id, prepared.spec, prepared.detectors)
    close_red_team(store, run_id, prepared, clock)
    listener(Progress(stage="evaluations", done=prepared.calls, total=prepared.calls))


def _open_run(prepared: PreparedRedTeam, resume: str, store: Store, clock: Clock) -> RunId:
    spec = prepared.spec
    if resume not in {"auto", "new"}:
        run = store.get_run(resume)
        stored = red_team_spec(run)
        if run.spec_digest != spec.digest:
            raise ResumeError(run.id, differences(stored.as_json(), spec.as_json()))
        return run.id
    unfinished = store.newest_unfinished(spec.digest) if resume == "auto" else None
    if unfinished is not None:
        return unfinished
    now = clock()
    made = EvaluationRun(
        id=new_run_id(now),
        name=prepared.name,
        status="running",
        model=model_info(prepared.adapter),
        spec=spec.as_json(),
        spec_digest=spec.digest,
        created_at=timestamp(now),
        kind="red-team",
    )
    store.create_run(made)
    return made.id
