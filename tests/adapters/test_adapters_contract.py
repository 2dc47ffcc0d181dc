"""Laws that every adapter keeps, whatever is behind it."""

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import pytest
from adapter_services import SERVICES

from evenhand._base.digest import canonical, digest
from evenhand.adapters.base import ModelAdapter, check_config
from evenhand.adapters.registry import open_adapter
from evenhand.adapters.retry import ask
from evenhand.core.outcomes import Answered
from evenhand.core.protocols import Adapter
from evenhand.core.types import GenerationConfig
from evenhand.errors import CapabilityError

LOCAL = pytest.param("local/smollm2-135m", marks=[pytest.mark.assets, pytest.mark.local_model])


HOSTED = {service.model: service for service in SERVICES}


@pytest.fixture(params=["simulated/fair", "simulated/skewed", LOCAL, *HOSTED])
def model(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def adapter(model: str, fake_server: Any) -> AsyncIterator[ModelAdapter]:
    async with _open(model, fake_server) as opened:
        yield opened


def short(adapter: ModelAdapter) -> GenerationConfig:
    return GenerationConfig(max_tokens=12, seed=5 if "seed" in adapter.capabilities.parameters else None)


def _open(model: str, fake_server: Any) -> ModelAdapter:
    if model in HOSTED:
        fake_server.will(fake_server.json(200, HOSTED[model].reply()))
        return HOSTED[model].open(fake_server.origin)
    return open_adapter(model, {"slots": 2, "context": 256} if model.startswith("local") else {})


async def test_an_adapter_keeps_the_contract(adapter: ModelAdapter, model: str) -> None:
    """Name, description, answer and usage; closing twice does no harm, and a later request opens again."""
    assert isinstance(adapter, Adapter)
    assert adapter.name == model
    info = adapter.get_model_info()
    assert info.is_simulated == model.startswith("simulated")
    # the spec of a run holds these details, and a resumed run compares its digest
    assert digest(info.details) == digest(adapter.get_model_info().details)
    assert b"/root" not in canonical(info.details)
    for prompt in ("Describe a nurse.", "", "naïve 👩🏽‍⚕️ שלום \x00"):
        output = await adapter.generate(prompt, short(adapter))
        assert isinstance(output.outcome, Answered)
        assert output.usage.output_tokens is not None
        assert output.usage.output_tokens <= 12
        assert output.model
    await adapter.aclose()
    await adapter.aclose()
    assert (await adapter.generate("Describe a nurse.", short(adapter))).text is not None


async def test_many_requests_at_once_each_get_their_answer(adapter: ModelAdapter) -> None:
    """As many as the adapter takes, and some more, with every try recorded."""
    rng = random.Random(1)
    outputs = await asyncio.gather(*(ask(adapter, f"Describe person {i}.", short(adapter), rng=rng) for i in range(6)))
    assert all(isinstance(o.outcome, Answered) and len(o.attempts) == 1 and o.latency_s is not None for o in outputs)


async def test_what_an_adapter_does_not_take_it_refuses(adapter: ModelAdapter) -> None:
    """Declared and real behaviour agree for every parameter."""
    values: dict[str, Any] = {"max_tokens": 5, "temperature": 0.5, "top_p": 0.9, "seed": 2**62, "system": "Be brief."}
    for name, value in values.items():
        config = GenerationConfig(**{"max_tokens": 5, name: value})
        if name in adapter.capabilities.parameters:
            check_config(adapter, config)
            await adapter.generate("Describe a nurse.", config)
        else:
            with pytest.raises(CapabilityError, match=name):
                await adapter.generate("Describe a nurse.", config)


async def test_declared_abilities_work_and_others_are_refused(adapter: ModelAdapter) -> None:
    """Conversations, and likelihoods, which only a model in the process can give."""
    turns = [
        {"role": "user", "content": "My name is Ada."},
        {"role": "assistant", "content": "Hello!"},
        {"role": "user", "content": "What is my name?"},
    ]
    if adapter.capabilities.converse:
        assert isinstance((await adapter.converse(turns, short(adapter))).outcome, Answered)
    else:
        with pytest.raises(CapabilityError):
            await adapter.converse(turns, short(adapter))
    if not adapter.capabilities.score_options:
        with pytest.raises(CapabilityError):
            await adapter.score_options(turns, ["yes", "no"])
        return
    scores = await adapter.score_options(turns, ["yes", "no", "It is Ada."])
    assert len(scores) == 3
