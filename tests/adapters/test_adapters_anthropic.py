"""`AnthropicAdapter`: what its protocol has of its own."""

from collections.abc import AsyncIterator
from typing import Any, get_args

import pytest
import yaml
from adapter_services import message, said

from evenhand.adapters.anthropic_adapter import AnthropicAdapter
from evenhand.adapters.base import check_config
from evenhand.adapters.families import families, family_of
from evenhand.adapters.registry import open_adapter
from evenhand.core.types import GenerationConfig
from evenhand.errors import AuthenticationError, CapabilityError, CreditError, ModelError, RateLimitedError, UsageError

OLD = "2023-06-01"


@pytest.fixture
async def adapter(fake_server: Any) -> AsyncIterator[AnthropicAdapter]:
    fake_server.will(fake_server.json(200, message(said("A "), {"type": "thinking", "thinking": ""}, said("b"))))
    async with AnthropicAdapter("claude-haiku-5-5", api_key="k", base_url=fake_server.origin) as opened:
        yield opened


async def test_the_request_is_what_the_protocol_wants(adapter: Any, fake_server: Any) -> None:
    """The system prompt apart, the limit always, the version named; text blocks are joined."""
    output = await adapter.generate("Hello", GenerationConfig(max_tokens=60, system="Be brief."))
    assert output.text == "A b"
    assert fake_server.bodies == [
        {
            "model": "claude-haiku-5-5",
            "max_tokens": 60,
            "system": "Be brief.",
            "messages": [{"role": "user", "content": "Hello"}],
        }
    ]
    assert fake_server.paths == ["/v1/messages"]
    assert fake_server.headers[0]["anthropic-version"] == "2026-10-21"


async def test_system_turns_join_the_system_prompt(adapter: Any, fake_server: Any) -> None:
    """This protocol has no such role."""
    turns = [{"role": "system", "content": "You are a clerk."}, {"role": "user", "content": "Hello"}]
    await adapter.converse(turns, GenerationConfig(system="Be brief."))
    assert fake_server.bodies[0]["system"] == "Be brief.\n\nYou are a clerk."
    assert fake_server.bodies[0]["messages"] == [{"role": "user", "content": "Hello"}]


async def test_without_a_limit_nothing_is_sent(adapter: Any, fake_server: Any) -> None:
    """The protocol cannot do without one, and a number that nobody chose would be measured."""
    with pytest.raises(CapabilityError, match="needs max_tokens"):
        await adapter.generate("Hello", GenerationConfig(max_tokens=None))
    assert fake_server.bodies == []


@pytest.mark.parametrize("model", ["claude-haiku-5-5", "claude-opus-4-6", "claude-something-new"])
def test_the_current_api_takes_no_sampling_parameters(model: str) -> None:
    """Not even at their defaults, so they are refused here."""
    adapter = open_adapter(f"anthropic/{model}", {"api_key": "k"})
    for parameter in ("temperature", "top_p", "seed"):
        with pytest.raises(CapabilityError, match=parameter):
            check_config(adapter, GenerationConfig(**{parameter: 1}))
    assert adapter.capabilities.seeds == "none"


async def test_an_earlier_api_takes_one_of_two_for_models_that_know_them(fake_server: Any) -> None:
    """Either is sent as such, both are refused, and models that dropped them take none."""
    fake_server.will(fake_server.json(200, message(said())))
    options = {"base_url": fake_server.origin, "api_key": "k", "api_version": OLD}
    async with open_adapter("anthropic/claude-haiku-4-5-20251001", options) as adapter:
        await adapter.generate("Hello", GenerationConfig(temperature=0.0))
        await adapter.generate("Hello", GenerationConfig(top_p=0.9))
        with pytest.raises(CapabilityError, match="only one of temperature and top_p"):
            await adapter.generate("Hello", GenerationConfig(temperature=0.0, top_p=0.9))
        assert adapter.get_model_info().details["api_version"] == OLD
    assert [(b.get("temperature"), b.get("top_p")) for b in fake_server.bodies] == [(0.0, None), (None, 0.9)]
    assert {h["anthropic-version"] for h in fake_server.headers} == {OLD}
    newer = open_adapter("anthropic/claude-opus-5", options)
    assert newer.capabilities.parameters == {"max_tokens", "system"}


@pytest.mark.parametrize(
    ("model", "thinking", "sent"),
    [
        ("claude-haiku-5-5", "off", {"type": "disabled"}),
        ("claude-sonnet-5-5", "off", {"type": "between_tools"}),
        ("claude-opus-4-8", "on", {"type": "adaptive"}),
        ("claude-haiku-5-5", None, None),
        ("claude-opus-5-5", "off", CapabilityError),
        ("claude-fable-5-2", "off", CapabilityError),
        ("claude-haiku-4-5", "on", CapabilityError),
    ],
)
async def test_thinking_is_asked_for_in_the_models_own_words(
    fake_server: Any, model: str, thinking: str | None, sent: Any
) -> None:
    """And refused where it is not the user's to decide."""
    fake_server.will(fake_server.json(200, message(said())))
    options = {"base_url": fake_server.origin, "api_key": "k", "effort": "low"}
    if thinking is not None:
        options["thinking"] = thinking
    if sent is CapabilityError:
        with pytest.raises(CapabilityError, match=f"cannot turn thinking {thinking}"):
            open_adapter(f"anthropic/{model}", options)
        return
    async with open_adapter(f"anthropic/{model}", options) as adapter:
        await adapter.generate("Hello")
        assert adapter.get_model_info().details.get("thinking") == thinking
    assert fake_server.bodies[0].get("thinking") == sent
    assert fake_server.bodies[0]["output_config"] == {"effort": "low"}


def test_options_are_understood_as_yaml_reads_them() -> None:
    """There, on and off are truth values and a version is a day."""
    options = yaml.safe_load("{api_key: k, thinking: off, api_version: 2023-06-01}")
    details = open_adapter("anthropic/claude-haiku-5-5", options).get_model_info().details
    assert (details["thinking"], details["api_version"]) == ("off", OLD)


@pytest.mark.parametrize(
    ("status", "kind", "code", "error"),
    [
        (429, "rate_limit_error", None, RateLimitedError),
        (429, "rate_limit_error", "enforced_spend_limit_reached", CreditError),
        (402, "billing_error", None, CreditError),
        (400, "billing_error", None, CreditError),
        (403, "permission_error", None, AuthenticationError),
        (404, "not_found_error", None, UsageError),
        (413, "invalid_request_error", None, ModelError),
    ],
)
async def test_the_protocols_error_types_are_understood(
    adapter: Any, fake_server: Any, status: int, kind: str, code: str | None, error: type[Exception]
) -> None:
    """By type and by code, not by words."""
    body = {"type": kind, "message": "no", "details": {"error_code": code} if code else None}
    fake_server.will(fake_server.json(status, {"type": "error", "error": body}))
    with pytest.raises(error) as caught:
        await adapter.generate("Hello")
    assert type(caught.value) is error


async def test_the_key_is_sent_only_where_it_belongs(fake_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor do other things that the SDK finds in the environment travel."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "anthropic-key")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "token-of-somebody")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "https://example.org")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Gateway: gateway-secret")
    official = open_adapter("anthropic/claude-haiku-5-5")
    assert official.secrets == ["anthropic-key", "gateway-secret"]
    assert official.get_model_info().details["base_url"] == "https://api.anthropic.com"
    async with open_adapter("anthropic/claude-haiku-5-5", {"base_url": fake_server.origin}) as elsewhere:
        with pytest.raises(UsageError, match="anthropic needs a key: set ANTHROPIC_API_KEY"):
            await elsewhere.generate("Hello")
    fake_server.will(fake_server.json(200, message(said())))
    own = {"base_url": fake_server.origin, "api_key": "k"}
    async with open_adapter("anthropic/claude-haiku-5-5", own) as adapter:
        await adapter.generate("Hello")
    assert fake_server.headers[0]["authorization"] == "Bearer k"
    assert "gateway-secret" not in str(fake_server.headers)
    assert "token-of-somebody" not in str(fake_server.headers)


def test_every_model_of_the_sdk_has_a_family_of_its_own() -> None:
    """Only names that nobody knew when the table was made fall through to the last line."""
    from anthropic.types.model import Model

    unknown = families("anthropic")[-1]
    literal = next(part for part in get_args(Model) if part is not str)
    assert {name for name in get_args(literal) if family_of("anthropic", name) is unknown} == set()
