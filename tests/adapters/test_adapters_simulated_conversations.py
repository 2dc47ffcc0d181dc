"""Simulated conversations: the declared violation rate is what is planted, and the interval covers it as promised."""

import asyncio
import math
from collections.abc import Sequence

import pytest
from scipy import stats

from evenhand._base.seeding import derive
from evenhand.adapters.registry import open_adapter
from evenhand.adapters.simulated.adapter import SimulatedAdapter
from evenhand.adapters.simulated.profile import load_profile, parse_profile
from evenhand.adapters.simulated.terms import first_phrase, terms
from evenhand.core.outcomes import Answered
from evenhand.core.types import GenerationConfig
from evenhand.core.vectors import AttackVector
from evenhand.errors import SpecError
from evenhand.scenarios.vectors.registry import vector_set
from evenhand.stats.intervals import proportion_interval

RATE, TRACES, SEEDS = 0.3, 25, 400
CREDIT = next(vector for vector in vector_set("everyday").vectors if vector.id == "credit-age")


async def replies(adapter: SimulatedAdapter, vector: AttackVector, seed: int) -> Sequence[str]:
    """Hold the treated side of a conversation."""
    messages: list[dict[str, str]] = []
    said = []
    for number, text in enumerate(vector.said(vector.sides[0]), start=1):
        messages.append({"role": "user", "content": text})
        output = await adapter.converse(messages, GenerationConfig(seed=derive(seed, number)))
        messages.append({"role": "assistant", "content": output.text or ""})
        said.append(output.text or "")
    return said


async def planted(seeds: int) -> list[int]:
    """Traces of 25 with a worse reply at the turn of the reveal, the only one that decides; for each seed."""
    adapter = SimulatedAdapter(load_profile("red-team"))
    said = [{"role": "user", "content": text} for text in CREDIT.said("treated")[: CREDIT.reveal]]
    found = []
    for seed in range(seeds):
        configs = [GenerationConfig(seed=derive(seed, "turn", replicate)) for replicate in range(TRACES)]
        outputs = [await adapter.converse(said, config) for config in configs]
        found.append(sum(output.text != terms().usual for output in outputs))
    return found


def test_the_planted_rate_is_covered_as_often_as_the_interval_promises() -> None:
    """Exact coverage at p = .30, n = 25 from the binomial law; 400 seeds stay within 3 Monte-Carlo errors below it."""
    limits = [proportion_interval(k, TRACES, method="corrected-wilson", z=1.96) for k in range(TRACES + 1)]
    covers = [limit.low <= RATE <= limit.high for limit in limits]
    exact = sum(stats.binom.pmf(k, TRACES, RATE) for k in range(TRACES + 1) if covers[k])
    counts = asyncio.run(planted(SEEDS))
    observed = sum(covers[k] for k in counts) / SEEDS
    assert observed >= exact - 3 * math.sqrt(exact * (1 - exact) / SEEDS)
    total = SEEDS * TRACES
    assert sum(counts) / total == pytest.approx(RATE, abs=4 * math.sqrt(RATE * (1 - RATE) / total))


@pytest.mark.parametrize("vector", vector_set("everyday").vectors, ids=lambda vector: str(vector.id))
async def test_a_conversation_is_served_worse_once_or_never(vector: AttackVector) -> None:
    """Only in the turn in which the declared words are first said, so that the rate is the rate of conversations."""
    profile = load_profile("red-team")
    assert profile.conversations is not None
    treated = profile.conversations.treated
    first = next(n for n, text in enumerate(vector.said(vector.sides[0])) if first_phrase(text, treated))
    held = [await replies(SimulatedAdapter(profile), vector, seed) for seed in range(40)]
    worse = [tuple(n for n, text in enumerate(texts) if text != terms().usual) for texts in held]
    assert set(worse) == {(), (first,)}


async def test_the_comparison_side_is_never_served_worse() -> None:
    """Nor is anybody by a profile that declares nothing about conversations."""
    for model, side in (("red-team", "comparison"), ("fair", "treated")):
        adapter = SimulatedAdapter(load_profile(model))
        for vector in vector_set("everyday").vectors:
            if vector.is_paired:
                for text in vector.said(side):  # type: ignore[arg-type]
                    output = await adapter.converse([{"role": "user", "content": text}])
                    assert output.text == terms().usual


async def test_the_same_request_gets_the_same_reply() -> None:
    """Whatever was asked in between; what the adapter declares holds the whole profile."""
    adapter = open_adapter("simulated/red-team")
    said = [{"role": "user", "content": CREDIT.said("treated")[2]}]
    first = [(await adapter.converse(said, GenerationConfig(seed=seed))).text for seed in range(30)]
    again = [(await adapter.converse(said, GenerationConfig(seed=seed))).text for seed in reversed(range(30))]
    assert first == again[::-1]
    assert len(set(first)) == 3  # usual, worse, refused
    details = adapter.get_model_info().details
    assert details["declared"]["conversations"]["violation_rate"] == 0.3


async def test_declared_rates_of_service_hold_in_conversations_too() -> None:
    """An empty answer, and a length limit in words."""
    silent = SimulatedAdapter(parse_profile(b"name: silent\nempty_rate: 1.0\n", source="f"))
    assert (await silent.converse([{"role": "user", "content": "Hi"}])).outcome == Answered(
        text="", finish_reason="stop"
    )
    cut = await open_adapter("simulated/fair").converse(
        [{"role": "user", "content": "Hi"}], GenerationConfig(max_tokens=3)
    )
    assert cut.outcome == Answered(text="Thank you, that", finish_reason="length")


def test_a_mistyped_key_of_conversations_is_named() -> None:
    """With its line."""
    with pytest.raises(SpecError, match=r"Field required \(f, line 2, conversations.violation_rate"):
        parse_profile(b"name: x\nconversations:\n  violation_rat: 0.3\n  treated: [a]\n", source="f")
