"""The open requests of one run: ask, store, judge, with nothing that was earned lost."""

import random
from collections.abc import Sequence
from dataclasses import replace

from evenhand.adapters.retry import RetryPolicy, ask
from evenhand.core.outcomes import Answered, Failed
from evenhand.core.types import GeneratedOutput, Request, RunId
from evenhand.engine.events import Listener, Progress, RequestFailed
from evenhand.engine.execute import Ask, execute
from evenhand.engine.group_commit import GroupCommit
from evenhand.engine.judging import Judging, unjudged
from evenhand.engine.prepare import Prepared
from evenhand.evaluation.pipeline import EvaluationPipeline
from evenhand.storage.base import Store
from evenhand.storage.records import Response


async def answer(
    run_id: RunId,
    prepared: Prepared,
    *,
    store: Store,
    stored: Sequence[Response],
    again: bool,
    concurrency: int,
    retry: RetryPolicy,
    listener: Listener,
) -> None:
    """Ask what is open, and judge every answer that is not judged yet.

    Parameters
    ----------
    stored
        What earlier executions of the run stored.
    again
        Ask requests that failed once more, in a new round.
    """
    rounds = {r.request.id: r.round + 1 for r in stored if again and isinstance(r.output.outcome, Failed)}
    settled = {r.request.id for r in stored} - rounds.keys()
    requests = [request for request in prepared.plan.requests if request.id not in settled]
    progress = _Counting(listener, answered=len(settled), total=len(prepared.plan.requests))
    judging = Judging(run_id, store=store, pipeline=EvaluationPipeline(prepared.evaluators), on_batch=progress.judged)
    commit = GroupCommit[Response](lambda batch: store.save_responses(run_id, batch))

    async def keep(request: Request, output: GeneratedOutput) -> None:
        response = Response(request=request, output=output, round=rounds.get(request.id, 1))
        await commit.save(response)
        judging.add([response])
        progress.answered(request, output)

    waiting = unjudged(store, run_id, stored, prepared.spec.evaluators)
    progress.judged(len(settled) - len(waiting))
    judging.add(waiting)
    try:
        await execute(
            requests,
            ask=_asker(prepared, retry),
            keep=keep,
            concurrency=_bounded(concurrency, prepared),
        )
        await judging.finish()
    finally:
        await judging.stop()
        await commit.drain()


class _Counting:
    """Turns single answers and batches into progress events."""

    def __init__(self, listener: Listener, *, answered: int, total: int) -> None:
        self._listener, self._total = listener, total
        self._answered, self._judged = answered, 0

    def answered(self, request: Request, output: GeneratedOutput) -> None:
        self._answered += 1
        if isinstance(output.outcome, Failed):
            self._listener(
                RequestFailed(
                    scenario_id=request.scenario_id,
                    condition=str(request.condition),
                    replicate=request.replicate,
                    error=output.outcome.error,
                )
            )
        self._listener(Progress(stage="answers", done=self._answered, total=self._total))
        if not isinstance(output.outcome, Answered):
            self.judged(1)  # no text, so nothing is left to do for it

    def judged(self, count: int) -> None:
        self._judged += count
        self._listener(Progress(stage="evaluations", done=self._judged, total=self._total))


def _asker(prepared: Prepared, retry: RetryPolicy) -> Ask:
    adapter, generation = prepared.adapter, prepared.spec.generation
    takes_seed = "seed" in adapter.capabilities.parameters
    jitter = random.Random(prepared.spec.seed)

    async def put(request: Request) -> GeneratedOutput:
        config = replace(generation, seed=request.seed) if takes_seed else generation
        return await ask(adapter, request.prompt, config, policy=retry, rng=jitter)

    return put


def _bounded(concurrency: int, prepared: Prepared) -> int:
    most = prepared.adapter.capabilities.max_concurrency
    return max(1, concurrency if most is None else min(concurrency, most))
