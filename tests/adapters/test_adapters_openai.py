"""`OpenAIAdapter`: parameters by family, refused and never dropped; the key goes to OpenAI only."""

from typing import Any

import pytest

from evenhand.adapters.base import check_config
from evenhand.adapters.families import families, family_of
from evenhand.adapters.openai_adapter import OpenAIAdapter
from evenhand.adapters.registry import open_adapter
from evenhand.core.types import GenerationConfig
from evenhand.errors import CapabilityError, UsageError

EVERY = {"max_tokens", "temperature", "top_p", "system"}
FEW = {"max_tokens", "system"}


@pytest.mark.parametrize(
    ("model", "effort", "takes"),
    [
        ("gpt-4.1-mini", None, {*EVERY, "seed"}),
        ("gpt-4o-2024-11-20", None, {*EVERY, "seed"}),
        ("ft:gpt-4o-mini:us", None, {*EVERY, "seed"}),
        ("gpt-5-chat-latest", None, EVERY),
        ("gpt-5-mini", None, FEW),
        ("o4-mini", None, FEW),
        ("gpt-5.4", None, FEW),
        ("gpt-5.4", "low", FEW),
        ("gpt-5.4", "none", EVERY),
        ("gpt-6-luna", None, FEW),
        ("gpt-6-luna", "none", EVERY),
        ("gpt-6-astra", "high", FEW),
        ("gpt-6.2-sol", None, FEW),
        ("something-new", None, EVERY),
    ],
)
def test_each_family_takes_what_it_takes(model: str, effort: str | None, takes: set[str]) -> None:
    """Reasoning models take no temperature, unless they do not reason."""
    adapter = OpenAIAdapter(model, api_key="k", reasoning_effort=effort)
    assert adapter.capabilities.parameters == takes
    assert adapter.capabilities.seeds == ("best effort" if "seed" in takes else "none")
    if "temperature" not in takes:
        with pytest.raises(CapabilityError, match="temperature"):
            check_config(adapter, GenerationConfig(temperature=0.0))


@pytest.mark.parametrize("model", ["gpt-5-pro", "o3-pro-2025-06-10", "gpt-5.1-codex-max", "o3-deep-research"])
def test_a_model_of_another_api_is_refused_when_it_is_named(model: str) -> None:
    """Not by the first of a thousand requests."""
    with pytest.raises(CapabilityError, match="Responses API only"):
        open_adapter(f"openai/{model}", {"api_key": "k"})


def test_a_model_that_always_reasons_cannot_be_told_not_to() -> None:
    """The provider would answer 400 each time."""
    with pytest.raises(CapabilityError, match="always reasons"):
        open_adapter("openai/gpt-6-astra", {"api_key": "k", "reasoning_effort": "none"})


async def test_the_limit_of_the_answer_has_its_new_name(fake_server: Any) -> None:
    """max_tokens is refused by reasoning models; nothing that is unset is sent."""
    options = {"base_url": fake_server.url, "api_key": "k", "reasoning_effort": "low"}
    async with open_adapter("openai/gpt-6-luna", options) as adapter:
        await adapter.generate("Hello", GenerationConfig(max_tokens=60))
    assert fake_server.bodies == [
        {
            "model": "gpt-6-luna",
            "messages": [{"role": "user", "content": "Hello"}],
            "max_completion_tokens": 60,
            "reasoning_effort": "low",
        }
    ]
    assert fake_server.paths == ["/v1/chat/completions"]


async def test_a_parameter_that_only_the_provider_refuses_stops_the_run(fake_server: Any) -> None:
    """A model that is newer than our table: every other request would fare the same."""
    error = {"message": "Unsupported value", "code": "unsupported_value", "param": "temperature"}
    fake_server.will(fake_server.json(400, {"error": error}))
    async with open_adapter("openai/something-new", {"base_url": fake_server.url, "api_key": "k"}) as adapter:
        with pytest.raises(CapabilityError, match=r"something-new does not take temperature; leave it unset.*req-42"):
            await adapter.generate("Hello", GenerationConfig(temperature=0.0))


async def test_without_a_key_nothing_is_sent(fake_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the key in the environment goes to OpenAI's own domain, also a regional one, and nowhere else."""
    monkeypatch.setenv("OPENAI_API_KEY", "openai-key")
    async with open_adapter("openai/gpt-4.1", {"base_url": fake_server.url}) as elsewhere:
        assert "openai-key" not in elsewhere.secrets
        with pytest.raises(UsageError, match="openai needs a key: set OPENAI_API_KEY"):
            await elsewhere.generate("Hello")
    assert fake_server.bodies == []
    assert open_adapter("openai/gpt-4.1").secrets == ["openai-key"]
    assert open_adapter("openai/gpt-4.1", {"base_url": "https://eu.api.openai.com/v1"}).secrets == ["openai-key"]


def test_the_address_does_not_follow_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What openai/MODEL measures must not change by a variable."""
    monkeypatch.setenv("OPENAI_BASE_URL", "https://example.org/v1")
    info = open_adapter("openai/gpt-4.1").get_model_info()
    assert (info.provider, info.details["base_url"]) == ("openai", "https://api.openai.com/v1")


def test_every_chat_model_of_the_sdk_has_a_family_of_its_own() -> None:
    """Only names that nobody knew when the table was made fall through to the last line."""
    from typing import get_args

    from openai.types.shared.chat_model import ChatModel

    unknown = families("openai")[-1]
    fallen = {name for name in get_args(ChatModel) if family_of("openai", name) is unknown}
    assert fallen == {"gpt-audio-mini", "gpt-audio-mini-2025-12-15"}  # sound, not text
