"""The open requests of one run: ask, store, judge, with nothing that was earned lost."""

import asyncio
import random
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, replace

from evenhand.adapters.base import model_info
from evenhand.adapters.retry import RetryPolicy, ask
from evenhand.core.outcomes import Answered, Failed
from evenhand.core.types import GeneratedOutput, Request, RunId
from evenhand.engine.budget import Budget
from evenhand.engine.events import Listener, Progress, RequestFailed, SlowedDown
from evenhand.engine.execute import Ask, execute
from evenhand.engine.group_commit import GroupCommit
from evenhand.engine.judging import Judging, unjudged
from evenhand.engine.limiter import Limiter, Limiters, at_once
from evenhand.engine.prepare import Prepared
from evenhand.engine.pricing import cost_of
from evenhand.engine.stopping import Stop
from evenhand.evaluation.pipeline import EvaluationPipeline
from evenhand.storage.base import Store
from evenhand.storage.records import Response


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a run is executed: nothing of it changes what is asked, so none of it is part of the spec."""

    concurrency: int
    retry: RetryPolicy
    listener: Listener
    stop: Stop
    ask_failed_again: bool = False


async def answer(
    run_id: RunId, prepared: Prepared, manner: Manner, *, store: Store, stored: Sequence[Response]
) -> None:
    """Ask what is open, as far as the budget reaches, and judge every answer that is not judged yet.

    Parameters
    ----------
    stored
        What earlier executions of the run stored.

    Notes
    -----
    If somebody asked to stop, answers may be left unjudged; the next execution of the run judges them.
    """
    again = manner.ask_failed_again
    rounds = {r.request.id: r.round + 1 for r in stored if again and isinstance(r.output.outcome, Failed)}
    settled = {r.request.id for r in stored} - rounds.keys()
    requests = [request for request in prepared.plan.requests if request.id not in settled]
    budget = Budget(prepared.budget_usd, spent_usd=_spent(run_id, prepared, store, stored))
    progress = _Counting(manner.listener, answered=len(settled), total=len(prepared.plan.requests), prepared=prepared)
    judging = Judging(run_id, store=store, pipeline=EvaluationPipeline(prepared.evaluators), on_batch=progress.judged)

    def stored_now(batch: Sequence[Response]) -> None:
        judging.add(batch)
        for response in batch:
            progress.answered(response.request, response.output, spent_usd=budget.spent_usd)

    commit = GroupCommit[Response](lambda batch: store.save_responses(run_id, batch), on_stored=stored_now)

    async def admit(request: Request) -> bool:
        worst = prepared.pricing.worst_usd(request.prompt) or 0.0
        # waiting for room may take long enough for somebody to ask to stop
        return await budget.admit(request.id, worst) and not manner.stop.is_requested

    def keep(request: Request, output: GeneratedOutput) -> Awaitable[None]:
        budget.settle(request.id, prepared.pricing.charge(request.prompt, output).usd or 0.0)
        return commit.save(Response(request=request, output=output, round=rounds.get(request.id, 1)))

    waiting = unjudged(store, run_id, stored, prepared.spec.evaluators)
    progress.judged(len(settled) - len(waiting))
    judging.add(waiting)
    try:
        await execute(
            requests,
            ask=_asker(prepared, manner),
            keep=keep,
            concurrency=at_once(manner.concurrency, prepared.adapter),
            admit=admit,
            stop=manner.stop,
        )
        await _finish_unless_stopped(judging, manner.stop)
    finally:
        await commit.drain()  # before the judging ends: what has just been stored is handed to it
        await judging.stop()


class _Counting:
    """Turns single answers and batches into progress events."""

    def __init__(self, listener: Listener, *, answered: int, total: int, prepared: Prepared) -> None:
        self._listener, self._total = listener, total
        self._answered, self._judged = answered, 0
        price = prepared.pricing.price
        self._is_billed = price is not None and not price.is_free

    def answered(self, request: Request, output: GeneratedOutput, *, spent_usd: float) -> None:
        self._answered += 1
        if isinstance(output.outcome, Failed):
            self._listener(RequestFailed.of(request, output.outcome))
        cost = spent_usd if self._is_billed else None
        self._listener(Progress(stage="answers", done=self._answered, total=self._total, cost_usd=cost))
        if not isinstance(output.outcome, Answered):
            self.judged(1)  # no text, so nothing is left to do for it

    def judged(self, count: int) -> None:
        self._judged += count
        self._listener(Progress(stage="evaluations", done=self._judged, total=self._total))


def _spent(run_id: RunId, prepared: Prepared, store: Store, stored: Sequence[Response]) -> float:
    """Add up what the run has cost so far, from the stored counts: they survive whatever ended it."""
    return cost_of([*stored, *store.superseded(run_id)], prepared.pricing)["usd"] or 0.0


async def _finish_unless_stopped(judging: Judging, stop: Stop) -> None:
    finishing = asyncio.create_task(judging.finish())
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({finishing, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if finishing.done():
            finishing.result()
    finally:
        for task in (finishing, stopping):
            task.cancel()


def _asker(prepared: Prepared, manner: Manner) -> Ask:
    adapter, generation = prepared.adapter, prepared.spec.generation
    takes_seed = "seed" in adapter.capabilities.parameters
    jitter = random.Random(prepared.spec.seed)
    limiter = _limiters(prepared, manner).of(model_info(adapter).provider)

    async def put(request: Request) -> GeneratedOutput:
        config = replace(generation, seed=request.seed) if takes_seed else generation
        return await ask(adapter, request.prompt, config, policy=manner.retry, rng=jitter, gate=limiter.slot)

    return put


def _limiters(prepared: Prepared, manner: Manner) -> Limiters:
    def make(provider: str) -> Limiter:
        def tell(fewer: int, pause_s: float) -> None:
            manner.listener(SlowedDown(provider=provider, at_once=fewer, pause_s=pause_s))

        most = at_once(manner.concurrency, prepared.adapter)
        return Limiter(most, longest_pause_s=manner.retry.longest_wait_s, on_slower=tell)

    return Limiters(make)
