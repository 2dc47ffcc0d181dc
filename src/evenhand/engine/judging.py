"""Evaluators in batches, beside generation: answers are judged while others are still being asked."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence

from evenhand.core.outcomes import Answered
from evenhand.core.types import RunId
from evenhand.evaluation.pipeline import EvaluationPipeline
from evenhand.storage.base import Store
from evenhand.storage.records import Evaluation, Response

BATCH = 256


class Judging:
    """Judges answers in one background task.

    Parameters
    ----------
    on_batch
        Called with the number of answers whose evaluations have just been stored.
    """

    def __init__(
        self,
        run_id: RunId,
        *,
        store: Store,
        pipeline: EvaluationPipeline,
        on_batch: Callable[[int], None],
    ) -> None:
        self._run_id, self._store, self._pipeline, self._on_batch = run_id, store, pipeline, on_batch
        self._waiting: list[Response] = []
        self._task: asyncio.Task[None] | None = None

    def add(self, responses: Iterable[Response]) -> None:
        """Take over stored answers; what is not an answer has no text to judge."""
        self._waiting.extend(r for r in responses if isinstance(r.output.outcome, Answered))
        # a task that failed stays, so that `finish` raises what it raised
        if self._waiting and (self._task is None or (self._task.done() and self._task.exception() is None)):
            self._task = asyncio.create_task(self._run())

    async def finish(self) -> None:
        """Wait until everything added is judged and stored.

        Raises
        ------
        Exception
            What the background task raised.
        """
        while self._task is not None:
            # waited for, not awaited: a cancelled caller must not cancel the batch that is being stored
            await asyncio.wait([self._task])
            self._task.result()
            if not self._waiting:
                return
            self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Give up what is waiting; the batch under way is stored first, or fails unnoticed: it can be judged later."""
        self._waiting.clear()
        task = self._task
        if task is not None:
            await asyncio.wait([task])
            task.exception()  # seen, or asyncio would print it beside the error that stopped the run

    async def _run(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
            await asyncio.to_thread(judge_batch, self._store, self._run_id, self._pipeline, batch)
            self._on_batch(len(batch))


def judge_all(store: Store, run_id: RunId, pipeline: EvaluationPipeline, responses: Sequence[Response]) -> None:
    """Judge answers outside a running event loop, batch by batch."""
    for start in range(0, len(responses), BATCH):
        judge_batch(store, run_id, pipeline, responses[start : start + BATCH])


def judge_batch(store: Store, run_id: RunId, pipeline: EvaluationPipeline, batch: Sequence[Response]) -> None:
    """Put one batch of answers to every evaluator, and store what they say."""
    if not pipeline.evaluators:
        return
    judged = pipeline.judge([response.output.text or "" for response in batch])
    versions = {evaluator.name: evaluator.version for evaluator in pipeline.evaluators}
    rows = [
        Evaluation(request_id=response.request.id, evaluator=name, version=versions[name], judgement=judgement)
        for name, judgements in judged.items()
        for response, judgement in zip(batch, judgements, strict=True)
    ]
    store.save_evaluations(run_id, rows)


def unjudged(store: Store, run_id: RunId, responses: Iterable[Response], versions: Mapping[str, str]) -> list[Response]:
    """List the answers that some evaluator, in the version that the spec names, has not judged."""
    judged = [store.evaluated(run_id, name, version) for name, version in versions.items()]
    return [
        response
        for response in responses
        if isinstance(response.output.outcome, Answered) and any(response.request.id not in ids for ids in judged)
    ]
