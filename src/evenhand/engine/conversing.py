"""The open conversations of one run: many at once, turn after turn within each, every turn stored as it happens."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, cast

from evenhand._base.seeding import derive
from evenhand.adapters.base import Message, model_info
from evenhand.adapters.retry import Gate, ask
from evenhand.core.conversations import Turn
from evenhand.core.outcomes import Failed
from evenhand.core.protocols import Adapter, Capabilities
from evenhand.core.red_team import RedTeamSpec
from evenhand.core.types import Condition, GeneratedOutput, GenerationConfig, ModelInfo, Request, RequestId, RunId
from evenhand.core.vectors import AttackVector, Side
from evenhand.engine.answering import Manner
from evenhand.engine.budget import Budget
from evenhand.engine.events import Progress, RequestFailed, SlowedDown
from evenhand.engine.execute import execute
from evenhand.engine.group_commit import GroupCommit
from evenhand.engine.limiter import Limiter, at_once
from evenhand.engine.pricing import cost_of
from evenhand.engine.red_team_prepare import PreparedRedTeam
from evenhand.storage.base import Store
from evenhand.storage.records import Response

Key = tuple[str, int, Side]

_FRAME = " " * 64
"""Roles and separators that a provider may put around each message; generous, as in `pricing`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One side of one replicate of one vector."""

    vector: AttackVector
    replicate: int
    side: Side

    @property
    def key(self) -> Key:
        """Vector, replicate, side."""
        return self.vector.id, self.replicate, self.side


def conversations(spec: RedTeamSpec) -> list[Conversation]:
    """List every conversation: replicate 1 of each vector, then 2, …, so that a run stopped early is balanced."""
    return [
        Conversation(vector=vector, replicate=replicate, side=side)
        for replicate in range(1, spec.replicates + 1)
        for vector in spec.vectors
        for side in vector.sides
    ]


def by_conversation(turns: Iterable[Turn]) -> dict[Key, list[Turn]]:
    """Sort turns into their conversations, each in order."""
    found: dict[Key, list[Turn]] = {}
    for turn in turns:
        found.setdefault((turn.vector, turn.replicate, turn.side), []).append(turn)
    return {key: sorted(held, key=lambda turn: turn.number) for key, held in found.items()}


def has_ended(conversation: Conversation, turns: Sequence[Turn]) -> bool:
    """Say whether nothing is left to ask: every turn has its reply, or one got none."""
    return bool(turns) and (turns[-1].reply is None or len(turns) == len(conversation.vector.turns))


def messages_for(conversation: Conversation, before: Sequence[Turn]) -> list[Message]:
    """Return what is sent for the next turn: the system prompt, all that was said so far, the user's next words."""
    vector, side = conversation.vector, conversation.side
    system = vector.system_of(side)
    sent: list[Message] = [] if system is None else [{"role": "system", "content": system}]
    for turn in before:
        sent += [{"role": "user", "content": turn.said}, {"role": "assistant", "content": turn.reply}]
    return [*sent, {"role": "user", "content": vector.said(side)[len(before)]}]


def cost_of_turns(prepared: PreparedRedTeam, turns: Iterable[Turn]) -> dict[str, object]:
    """Add up what turns cost, every round of them: the manifest's entry."""
    rounds = list(turns)
    latest = by_conversation({turn.key: turn for turn in sorted(rounds, key=lambda turn: turn.round)}.values())
    vectors = {vector.id: vector for vector in prepared.spec.vectors}
    responses = []
    for turn in rounds:
        talk = Conversation(vector=vectors[turn.vector], replicate=turn.replicate, side=turn.side)
        before = [t for t in latest[talk.key] if t.number < turn.number]
        responses.append(_as_response(turn, _bound(messages_for(talk, before))))
    return cost_of(responses, prepared.pricing)


async def converse(run_id: RunId, prepared: PreparedRedTeam, manner: Manner, *, store: Store) -> None:
    """Hold every conversation that is not at its end, as far as the budget reaches.

    Notes
    -----
    A turn without a reply (failed, blocked, empty) ends its conversation; `Manner.ask_failed_again` goes on from
    there. A turn that is stored is not asked again.
    """
    stored = by_conversation(store.turns(run_id))
    await _Talking(run_id, prepared, manner, store, stored).all()


class _Talking:
    """What the conversations of one execution share."""

    def __init__(
        self,
        run_id: RunId,
        prepared: PreparedRedTeam,
        manner: Manner,
        store: Store,
        stored: Mapping[Key, Sequence[Turn]],
    ) -> None:
        self._prepared, self._manner, self._stored = prepared, manner, stored
        self._spec = prepared.spec
        self._jitter = random.Random(self._spec.seed)
        self._gate: Gate = self._limiter().slot
        spent = cost_of_turns(prepared, store.turns(run_id, every_round=True))["usd"]
        self._budget = Budget(prepared.budget_usd, spent_usd=float(cast("float | None", spent) or 0.0))
        self._done = sum(len(turns) for turns in stored.values())
        self._commit = GroupCommit[Turn](lambda batch: store.save_turns(run_id, batch), on_stored=self._tell)

    async def all(self) -> None:
        again = self._manner.ask_failed_again
        todo = [
            talk
            for talk in conversations(self._spec)
            if not has_ended(talk, turns := self._stored.get(talk.key, ()))
            or (again and isinstance(turns[-1].output.outcome, Failed))
        ]
        try:
            await execute(
                todo,
                ask=self._talk,
                keep=_nothing_left,
                concurrency=at_once(self._manner.concurrency, self._prepared.adapter),
                admit=self._may_begin,
                stop=self._manner.stop,
            )
        finally:
            await self._commit.drain()

    async def _may_begin(self, talk: Conversation) -> bool:
        return not self._budget.is_exhausted and not self._manner.stop.is_requested

    async def _talk(self, talk: Conversation) -> None:
        """Go through the turns that are left."""
        turns, round_ = list(self._stored.get(talk.key, ())), 1
        if turns and turns[-1].reply is None:
            lost = turns.pop()  # asked again
            round_ = lost.round + 1
        while not has_ended(talk, turns):
            if not await self._may_begin(talk):
                return
            turn = await self._turn(talk, turns, round_)
            if turn is None:
                return
            await self._commit.save(turn)
            turns.append(turn)
            round_ = 1

    async def _turn(self, talk: Conversation, before: Sequence[Turn], round_: int) -> Turn | None:
        """Ask one turn; None if the budget has no room for it, or somebody asked to stop meanwhile."""
        sent, number = messages_for(talk, before), len(before) + 1
        bound, key = _bound(sent), (*talk.key, number)
        if not await self._budget.admit(key, self._prepared.pricing.worst_usd(bound) or 0.0):
            return None
        if self._manner.stop.is_requested:
            self._budget.settle(key, 0.0)
            return None
        seed = derive(self._spec.seed, "turn", *key)
        output = await self._ask(sent, seed)
        self._budget.settle(key, self._prepared.pricing.charge(bound, output).usd or 0.0)
        return Turn(
            vector=talk.vector.id,
            replicate=talk.replicate,
            side=talk.side,
            number=number,
            said=str(sent[-1]["content"]),
            seed=seed,
            output=output,
            round=round_,
        )

    async def _ask(self, sent: Sequence[Message], seed: int) -> GeneratedOutput:
        adapter, generation = self._prepared.adapter, self._spec.generation
        config = replace(generation, seed=seed) if "seed" in adapter.capabilities.parameters else generation
        said = _Said(cast("_Converses", adapter), sent)  # what it declares was checked when the run was prepared
        return await ask(said, "", config, policy=self._manner.retry, rng=self._jitter, gate=self._gate)

    def _tell(self, batch: Sequence[Turn]) -> None:
        price = self._prepared.pricing.price
        cost = self._budget.spent_usd if price is not None and not price.is_free else None
        for turn in batch:
            self._done += turn.round == 1
            if isinstance(turn.output.outcome, Failed):
                where, error = f"{turn.side}, turn {turn.number}", turn.output.outcome.error
                self._manner.listener(
                    RequestFailed(scenario_id=turn.vector, condition=where, replicate=turn.replicate, error=error)
                )
        done, total = self._done, self._prepared.calls
        self._manner.listener(Progress(stage="answers", done=done, total=total, cost_usd=cost))

    def _limiter(self) -> Limiter:
        provider, manner = model_info(self._prepared.adapter).provider, self._manner

        def tell(fewer: int, pause_s: float) -> None:
            manner.listener(SlowedDown(provider=provider, at_once=fewer, pause_s=pause_s))

        return Limiter(
            at_once(self._manner.concurrency, self._prepared.adapter),
            longest_pause_s=manner.retry.longest_wait_s,
            on_slower=tell,
        )


class _Converses(Adapter, Protocol):
    """An adapter that can hold conversations."""

    async def converse(self, messages: Sequence[Message], config: GenerationConfig | None = None) -> GeneratedOutput:
        """Answer the last of several turns."""
        ...


class _Said:
    """A conversation so far, as a model that is asked for its next reply: the retry policy knows single prompts."""

    def __init__(self, adapter: _Converses, sent: Sequence[Message]) -> None:
        self._adapter, self._sent = adapter, sent

    @property
    def name(self) -> str:
        return self._adapter.name

    @property
    def capabilities(self) -> Capabilities:
        return self._adapter.capabilities

    @property
    def secrets(self) -> Sequence[str]:
        secrets: Sequence[str] = getattr(self._adapter, "secrets", ())  # an adapter need not derive from ours
        return secrets

    def get_model_info(self) -> ModelInfo:
        return self._adapter.get_model_info()

    async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedOutput:
        return await self._adapter.converse(self._sent, config)

    async def aclose(self) -> None:
        """Nothing: the adapter belongs to the run."""


async def _nothing_left(talk: Conversation, nothing: None) -> None:
    """Every turn was stored when it happened."""


def _bound(sent: Sequence[Message]) -> str:
    """Return a text that is at least as long as what is sent: what a turn costs at most is bounded by its bytes."""
    return _FRAME.join(str(message["content"]) for message in sent)


def _as_response(turn: Turn, sent: str) -> Response:
    request = Request(
        id=RequestId("/".join(map(str, turn.key))),
        scenario_id=turn.vector,
        condition=Condition(),
        replicate=turn.replicate,
        prompt=sent,
        seed=turn.seed,
    )
    return Response(request=request, output=turn.output, round=turn.round)
