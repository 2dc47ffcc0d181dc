"""The OpenAI-compatible adapter: what is its own; the rest is the contract of hosted adapters."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from evenhand.adapters.openai_compatible import OpenAICompatibleAdapter
from evenhand.adapters.registry import open_adapter
from evenhand.core.outcomes import Answered, Usage
from evenhand.core.types import GeneratedOutput, GenerationConfig
from evenhand.errors import AuthenticationError, UsageError

KEY = "key-of-the-customer-1234"


@pytest.fixture
async def adapter(fake_server: Any) -> AsyncIterator[OpenAICompatibleAdapter]:
    async with OpenAICompatibleAdapter("tiny", base_url=fake_server.url, api_key=KEY) as opened:
        yield opened


async def test_an_answer_comes_with_everything_the_provider_said(adapter: Any, fake_server: Any) -> None:
    """Text, finish reason, usage, snapshot, request id; and only what was set is sent."""
    output = await adapter.generate("Hello", GenerationConfig(max_tokens=60, temperature=0.5, seed=7, system="Brief."))
    assert output == GeneratedOutput(
        outcome=Answered(text="A nurse began her day.", finish_reason="stop"),
        model="tiny-2026-01-01",
        usage=Usage(input_tokens=9, output_tokens=5),
        provider_request_id="req-42",
    )
    assert fake_server.bodies == [
        {
            "model": "tiny",
            "messages": [{"role": "system", "content": "Brief."}, {"role": "user", "content": "Hello"}],
            "max_tokens": 60,
            "temperature": 0.5,
            "seed": 7,
        }
    ]
    assert fake_server.headers[0]["authorization"] == f"Bearer {KEY}"


async def test_a_refused_key_says_what_to_do(fake_server: Any) -> None:
    """With a key: check it. Without: set one."""
    fake_server.will(fake_server.error(401, "bad key"))
    async with OpenAICompatibleAdapter("tiny", base_url=fake_server.url) as keyless:
        with pytest.raises(AuthenticationError, match="No key was sent; set EVENHAND_API_KEY"):
            await keyless.generate("Hello")
    assert "authorization" not in fake_server.headers[0]


async def test_a_key_is_sent_only_where_it_belongs(fake_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """OPENAI_API_KEY goes to OpenAI, or to the address in OPENAI_BASE_URL; EVENHAND_API_KEY goes anywhere."""
    monkeypatch.setenv("OPENAI_API_KEY", "openai-key")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Gateway: gateway-secret")
    monkeypatch.delenv("EVENHAND_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    async with open_adapter("openai-compatible/tiny", {"base_url": fake_server.url}) as elsewhere:
        await elsewhere.generate("Hello")
    monkeypatch.setenv("OPENAI_BASE_URL", fake_server.url)
    async with open_adapter("openai-compatible/tiny") as paired:
        await paired.generate("Hello")
    monkeypatch.setenv("EVENHAND_API_KEY", "our-key")
    async with open_adapter("openai-compatible/tiny", {"base_url": fake_server.url}) as ours:
        await ours.generate("Hello")
    assert [h.get("authorization") for h in fake_server.headers] == [None, "Bearer openai-key", "Bearer our-key"]
    assert not any({"openai-organization", "x-gateway"} & h.keys() for h in fake_server.headers)
    assert open_adapter("openai-compatible/m", {"base_url": "https://api.openai.com/v1"}).secrets == [
        "our-key",
        "gateway-secret",
    ]


@pytest.mark.parametrize(
    ("url", "option", "field"),
    [
        ("https://api.openai.com/v1", None, "max_completion_tokens"),
        ("https://example.org/v1", None, "max_tokens"),
        ("https://example.org/v1", "max_completion_tokens", "max_completion_tokens"),
    ],
)
def test_the_limit_is_called_what_the_server_calls_it(url: str, option: str | None, field: str) -> None:
    """And the choice is part of the model's description."""
    adapter = OpenAICompatibleAdapter("m", base_url=url, max_tokens_field=option)
    assert adapter.get_model_info().details["max_tokens_field"] == field


async def test_reasoning_effort_is_sent_and_part_of_what_is_measured(fake_server: Any) -> None:
    """A run with another effort is another run."""
    options = {"base_url": fake_server.url, "reasoning_effort": "low"}
    async with open_adapter("openai-compatible/tiny", options) as adapter:
        await adapter.generate("Hello")
        assert adapter.get_model_info().details["reasoning_effort"] == "low"
    assert fake_server.bodies[0]["reasoning_effort"] == "low"
    with pytest.raises(UsageError, match=r"'reasoning_effort'.*none, minimal, low"):
        open_adapter("openai-compatible/tiny", {**options, "reasoning_effort": "some"})


async def test_a_query_in_the_address_stays_behind_the_path(fake_server: Any) -> None:
    """Gateways take versions and keys there."""
    async with OpenAICompatibleAdapter("tiny", base_url=f"{fake_server.url}?api-version=7") as adapter:
        await adapter.generate("Hello")
        assert adapter.get_model_info().details["base_url"] == fake_server.url
    assert fake_server.paths == ["/v1/chat/completions?api-version=7"]
