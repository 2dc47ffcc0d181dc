"""Runs of questions: every item put several times, every answer stored as it comes, nothing asked twice."""

import random
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, replace

from evenhand.adapters.base import check_config, default_config, model_info
from evenhand.adapters.retry import RetryPolicy, ask
from evenhand.core.outcomes import Failed
from evenhand.core.protocols import Adapter
from evenhand.core.question_spec import AnswerMode, QuestionSpec, Style
from evenhand.core.questions import Item
from evenhand.core.types import EvaluationRun, GeneratedOutput, GenerationConfig, RunId, RunStatus
from evenhand.engine.budget import Budget, checked_budget
from evenhand.engine.clock import Clock, timestamp, utc_now
from evenhand.engine.events import Listener, Progress, RequestFailed, RunStarted, ignore
from evenhand.engine.execute import execute
from evenhand.engine.group_commit import GroupCommit
from evenhand.engine.limiter import Limiter, at_once
from evenhand.engine.loading import count_outcomes
from evenhand.engine.manifest import manifest, summarise
from evenhand.engine.opening import open_run, under_way
from evenhand.engine.option_scoring import Scoring, check_scoring
from evenhand.engine.pricing import Pricing, check_affordable, cost_of, pricing
from evenhand.engine.stopping import Stop
from evenhand.errors import UsageError
from evenhand.instruments.intersectional.asking import Put, items_digest, lay_out, limited, shown_options
from evenhand.storage.base import Store
from evenhand.storage.records import Response


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """A run of questions as a caller asks for it.

    Attributes
    ----------
    limit
        Items at most, chosen so that they stay balanced; None for all.
    budget_usd
        US dollars that the run may cost in all; None for no limit.
    """

    items: Sequence[Item]
    name: str = "questions"
    runs: int = 20
    answer: AnswerMode = "generate"
    style: Style = "zero-shot"
    limit: int | None = None
    seed: int = 0
    generation_config: GenerationConfig | None = None
    budget_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedQuestions:
    """A run of questions, checked; `puts` in the order in which they are asked."""

    name: str
    adapter: Adapter
    items: Sequence[Item]
    spec: QuestionSpec
    puts: Sequence[Put]
    pricing: Pricing
    budget_usd: float | None


def prepare_questions(asked: Questions, adapter: Adapter) -> PreparedQuestions:
    """Choose the items, lay the questions out, check what the adapter can do.

    Raises
    ------
    UsageError
        If anything in the call cannot be honoured.
    CapabilityError
        If the adapter has no option likelihoods, or would not honour a parameter.
    """
    if asked.runs < 1:
        raise UsageError(f"runs must be at least 1, not {asked.runs}")
    if not asked.items:
        raise UsageError("there are no items to ask")
    generation = asked.generation_config or default_config(adapter)
    check_config(adapter, generation)
    if asked.answer == "loglikelihood":
        check_scoring(adapter)
    items = limited(asked.items, asked.limit, seed=asked.seed)
    info = model_info(adapter)
    spec = QuestionSpec(
        model=adapter.name,
        adapter={"provider": info.provider, "name": info.name, **info.details},
        items_digest=items_digest(items),
        items=len(items),
        runs=asked.runs,
        answer=asked.answer,
        style=asked.style,
        generation=replace(generation, seed=None),
        seed=asked.seed if generation.seed is None else generation.seed,
    )
    puts, priced = lay_out(items, spec), pricing(adapter, spec.generation)
    check_affordable(asked.budget_usd, priced, (put.request.prompt for put in puts), model=adapter.name)
    return PreparedQuestions(
        name=asked.name,
        adapter=adapter,
        items=items,
        spec=spec,
        puts=puts,
        pricing=priced,
        budget_usd=checked_budget(asked.budget_usd),
    )


async def run_questions(
    prepared: PreparedQuestions,
    *,
    store: Store,
    concurrency: int = 8,
    resume: str = "auto",
    retry: RetryPolicy | None = None,
    listener: Listener = ignore,
    stop: Stop | None = None,
    clock: Clock = utc_now,
) -> EvaluationRun:
    """Ask what is not stored yet.

    Parameters
    ----------
    resume
        ``"auto"`` goes on with the newest unfinished run of an equal spec, ``"new"`` never does; a run id goes on
        with that run and asks its failed questions again.

    Raises
    ------
    RunStopped
        If `stop` was requested. What was answered is stored, and the same call goes on from there.
    AuthenticationError
        If the provider refuses the key.
    """
    run_id = open_run(
        store, prepared.spec, resume, name=prepared.name, adapter=prepared.adapter, clock=clock, kind="questions"
    )
    halt, again = stop or Stop(), resume not in {"auto", "new"}
    store.claim(run_id)
    try:
        with under_way(store, run_id, halt):
            await _ask_open(run_id, prepared, store, concurrency, retry or RetryPolicy(), listener, halt, again)
        _close(run_id, prepared, store, clock)
    finally:
        store.release(run_id)
    return store.get_run(run_id)


async def _ask_open(
    run_id: RunId,
    prepared: PreparedQuestions,
    store: Store,
    concurrency: int,
    retry: RetryPolicy,
    listener: Listener,
    stop: Stop,
    ask_failed_again: bool,
) -> None:
    stored = list(store.responses(run_id))
    rounds = {r.request.id: r.round + 1 for r in stored if ask_failed_again and isinstance(r.output.outcome, Failed)}
    settled = {r.request.id for r in stored} - rounds.keys()
    listener(RunStarted(run_id=run_id, requests=len(prepared.puts), already=len(settled), resumed=bool(stored)))
    spent = cost_of([*stored, *store.superseded(run_id)], prepared.pricing)["usd"] or 0.0
    budget = Budget(prepared.budget_usd, spent_usd=spent)
    done = len(settled)

    def stored_now(batch: Sequence[Response]) -> None:
        nonlocal done
        for response in batch:
            done += 1
            if isinstance(response.output.outcome, Failed):
                listener(RequestFailed.of(response.request, response.output.outcome))
            listener(Progress(stage="answers", done=done, total=len(prepared.puts)))

    commit = GroupCommit[Response](lambda batch: store.save_responses(run_id, batch), on_stored=stored_now)

    async def admit(put: Put) -> bool:
        worst = prepared.pricing.worst_usd(put.request.prompt) or 0.0
        return await budget.admit(put.request.id, worst) and not stop.is_requested

    def keep(put: Put, output: GeneratedOutput) -> Awaitable[None]:
        budget.settle(put.request.id, prepared.pricing.charge(put.request.prompt, output).usd or 0.0)
        return commit.save(Response(request=put.request, output=output, round=rounds.get(put.request.id, 1)))

    most = at_once(concurrency, prepared.adapter)
    asker = _Asker(prepared, retry, most)
    try:
        await execute(
            [put for put in prepared.puts if put.request.id not in settled],
            ask=asker.put,
            keep=keep,
            concurrency=most,
            admit=admit,
            stop=stop,
        )
    finally:
        await commit.drain()


class _Asker:
    """Puts one question, by text or by the likelihood of its options."""

    def __init__(self, prepared: PreparedQuestions, retry: RetryPolicy, most: int) -> None:
        self._prepared, self._retry = prepared, retry
        self._jitter = random.Random(prepared.spec.seed)
        self._limiter = Limiter(most, longest_pause_s=retry.longest_wait_s, on_slower=lambda at, pause: None)
        self._takes_seed = "seed" in prepared.adapter.capabilities.parameters

    async def put(self, put: Put) -> GeneratedOutput:
        adapter, spec = self._prepared.adapter, self._prepared.spec
        config = replace(spec.generation, seed=put.request.seed) if self._takes_seed else spec.generation
        if spec.answer == "loglikelihood":
            adapter = Scoring(adapter, shown_options(self._prepared.items[put.place], put.order))
        return await ask(
            adapter, put.request.prompt, config, policy=self._retry, rng=self._jitter, gate=self._limiter.slot
        )


def _close(run_id: RunId, prepared: PreparedQuestions, store: Store, clock: Clock) -> None:
    responses = list(store.responses(run_id))
    outcomes = count_outcomes(response.output.outcome for response in responses)
    is_whole = len(responses) >= len(prepared.puts)
    failed = bool(responses) and all(isinstance(r.output.outcome, Failed) for r in responses)
    closing = manifest(
        seed=prepared.spec.seed,
        spec_digest=prepared.spec.digest,
        outcomes=outcomes,
        usage=summarise(response.output for response in responses),
        requested=len(prepared.puts),
        cost=cost_of([*responses, *store.superseded(run_id)], prepared.pricing),
        calibration=(),
    )
    status: RunStatus = "failed" if failed else "complete" if is_whole else "partial"
    store.set_status(run_id, status, finished_at=timestamp(clock()), manifest=closing)
