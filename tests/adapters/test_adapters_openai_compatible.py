"""The OpenAI-compatible adapter against a server that behaves well and badly."""

import asyncio
import json
import random
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.adapters.chat_completions import read_reply
from evenhand.adapters.openai_compatible import OpenAICompatibleAdapter
from evenhand.adapters.registry import open_adapter
from evenhand.adapters.retry import RetryPolicy, ask
from evenhand.adapters.retry_after import retry_after_s
from evenhand.core.outcomes import Answered, Blocked, Usage
from evenhand.core.types import GeneratedOutput, GenerationConfig
from evenhand.errors import (
    AuthenticationError,
    BadResponseError,
    ModelError,
    OverloadedError,
    RateLimitedError,
)

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


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({"content": ""}, Answered(text="", finish_reason="stop")),
        ({"content": None}, Answered(text="", finish_reason="stop")),
        ({"finish_reason": "length"}, Answered(text="A nurse began her day.", finish_reason="length")),
        ({"finish_reason": "tool_calls"}, Answered(text="A nurse began her day.", finish_reason="unknown")),
        (
            {"content": None, "message": {"refusal": "I can't help."}},
            Answered(text="I can't help.", finish_reason="stop"),
        ),
        ({"content": [{"type": "text", "text": "A "}, {"text": "b"}]}, Answered(text="A b", finish_reason="stop")),
        ({"content": "naïve 👩🏽‍⚕️ שלום"}, Answered(text="naïve 👩🏽‍⚕️ שלום", finish_reason="stop")),
        ({"content": "half \ud83d pair"}, Answered(text="half � pair", finish_reason="stop")),
        (
            {"content": "Once", "finish_reason": "content_filter"},
            Blocked(reason="the provider's content filter stopped the answer"),
        ),
    ],
)
async def test_what_the_model_said_keeps_its_kind(
    adapter: Any, fake_server: Any, reply: Any, changes: dict[str, Any], outcome: Any
) -> None:
    """Empty is an answer, a refusal in words is an answer, a filter's stop is a block."""
    fake_server.will(fake_server.json(200, reply(**changes)))
    assert (await adapter.generate("Hello")).outcome == outcome


@pytest.mark.parametrize(
    ("status", "code", "error", "retryable"),
    [
        (400, "", ModelError, False),
        (404, "model_not_found", ModelError, False),
        (408, "", OverloadedError, True),
        (422, "", ModelError, False),
        (429, "", RateLimitedError, True),
        (429, "insufficient_quota", ModelError, False),
        (500, "", OverloadedError, True),
        (503, "", OverloadedError, True),
        (529, "", OverloadedError, True),
        (401, "", AuthenticationError, False),
        (403, "", AuthenticationError, False),
    ],
)
async def test_each_status_has_its_error(
    adapter: Any, fake_server: Any, status: int, code: str, error: type[ModelError], retryable: bool
) -> None:
    """With the provider's words, its status and its request id."""
    fake_server.will(fake_server.error(status, "the provider's words", code))
    with pytest.raises(ModelError) as caught:
        await adapter.generate("Hello")
    assert type(caught.value) is error
    assert caught.value.retryable is retryable
    assert "the provider's words" in str(caught.value)
    assert (caught.value.status, caught.value.request_id) == (status, "req-42")


@pytest.mark.parametrize("code", ["content_policy_violation", "content_filter"])
async def test_a_moderated_request_is_blocked_and_not_failed(adapter: Any, fake_server: Any, code: str) -> None:
    """A 400 from a moderation layer is an outcome of the model under test."""
    fake_server.will(fake_server.error(400, "flagged by moderation", code))
    output = await adapter.generate("Hello")
    assert output.outcome == Blocked(reason="flagged by moderation")
    assert output.provider_request_id == "req-42"


async def test_a_refused_key_says_what_to_do(fake_server: Any) -> None:
    """With a key: check it. Without: set one."""
    fake_server.will(fake_server.error(401, "bad key"))
    async with OpenAICompatibleAdapter("tiny", base_url=fake_server.url) as keyless:
        with pytest.raises(AuthenticationError, match="No key was sent; set EVENHAND_API_KEY"):
            await keyless.generate("Hello")
    assert "authorization" not in fake_server.headers[0]


@pytest.mark.parametrize(
    ("content_type", "data"),
    [
        ("application/json", b'{"choices": [{"mess'),
        ("application/json", b""),
        ("application/json", b"[1, 2]"),
        ("application/json", b'{"choices": []}'),
        ("application/json", b'{"choices": [{"index": 0}]}'),
        ("application/json", b'{"choices": [{"message": {"content": 3}}]}'),
        ("application/json", b'{"error": {"message": "model is loading"}}'),
        ("text/html", b"<html><body>Welcome to the proxy</body></html>"),
        ("application/json", b"\xff\xfe"),
        ("application/json", b"[" * 100_000),
    ],
)
async def test_a_200_that_is_no_completion_is_a_bad_response(
    adapter: Any, fake_server: Any, content_type: str, data: bytes
) -> None:
    """Truncated JSON, a proxy's page, an error in disguise: never an empty answer."""
    fake_server.will(fake_server.raw(200, data, content_type))
    with pytest.raises(BadResponseError):
        await adapter.generate("Hello")


async def test_a_proxys_error_page_is_not_quoted(adapter: Any, fake_server: Any) -> None:
    """A 502 page is an overload, and its markup stays out of the message."""
    fake_server.will(fake_server.raw(502, b"<html><h1>Bad Gateway</h1></html>", "text/html"))
    with pytest.raises(OverloadedError, match="an HTML page") as caught:
        await adapter.generate("Hello")
    assert "<" not in str(caught.value)


async def test_a_lost_connection_is_worth_a_retry(adapter: Any, fake_server: Any) -> None:
    """Before the answer, in the middle of it, and when nobody listens."""
    for behaviour in (fake_server.drop, fake_server.truncate):
        fake_server.will(behaviour)
        with pytest.raises(OverloadedError):
            await adapter.generate("Hello")
    nobody = OpenAICompatibleAdapter("tiny", base_url="http://127.0.0.1:9/v1")
    with pytest.raises(OverloadedError, match=r"no answer from 127\.0\.0\.1"):
        await nobody.generate("Hello")
    await nobody.aclose()


async def test_a_server_that_never_answers_is_given_up(fake_server: Any) -> None:
    """After the adapter's own limit, as an overload."""
    fake_server.will(fake_server.hang)
    async with OpenAICompatibleAdapter("tiny", base_url=fake_server.url, timeout_s=0.1) as impatient:
        with pytest.raises(OverloadedError, match="did not answer in time"):
            await impatient.generate("Hello")


async def test_a_bad_spell_is_survived_and_recorded(adapter: Any, fake_server: Any, reply: Any, fake_time: Any) -> None:
    """429 with Retry-After, then 500, then a lost connection, then the answer: four attempts, the first wait exact."""
    fake_server.will(
        fake_server.error(429, "slow down", Retry_After="7"),
        fake_server.error(500),
        fake_server.drop,
        fake_server.json(200, reply()),
    )
    output = await ask(adapter, "Hello", None, rng=random.Random(3), sleep=fake_time.sleep, clock=fake_time.clock)
    assert output.text == "A nurse began her day."
    assert [a.status for a in output.attempts] == ["RateLimitedError", "OverloadedError", "OverloadedError", "ok"]
    assert [a.http_status for a in output.attempts] == [429, 500, None, None]
    assert fake_time.slept[0] == 7.0
    assert len(fake_server.bodies) == 4, "the SDK must not retry by itself"


async def test_a_cancelled_request_ends_at_once(adapter: Any, fake_server: Any) -> None:
    """And the adapter still works."""
    fake_server.will(fake_server.hang, fake_server.json(200, {"choices": [{"message": {"content": "ok"}}]}))
    task = asyncio.create_task(ask(adapter, "Hello", None, rng=random.Random(3)))
    assert await asyncio.to_thread(fake_server.asked.wait, 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 2)
    assert (await adapter.generate("Hello")).text == "ok"


async def test_the_key_appears_nowhere(fake_server: Any) -> None:
    """Not in errors, attempts, tracebacks, model info or repr, even if the provider echoes it."""
    address = fake_server.url.replace("http://", "http://user:pass-word@")
    policy = RetryPolicy(attempts=1)
    async with OpenAICompatibleAdapter("tiny", base_url=f"{address}?token=abcdef", api_key=KEY) as adapter:
        for behaviour in (
            fake_server.error(400, f"you sent {KEY} and user:pass-word"),
            fake_server.raw(200, f"key {KEY}".encode()),
            fake_server.drop,
        ):
            fake_server.will(behaviour)
            shown = repr(await ask(adapter, "Hello", None, policy=policy, rng=random.Random(1)))
            assert KEY not in shown
            assert "pass-word" not in shown
        fake_server.will(fake_server.error(401, f"you sent {KEY}"))
        with pytest.raises(AuthenticationError) as caught:
            await adapter.generate("Hello")
        info = adapter.get_model_info()
    for shown in (str(caught.value), repr(info), repr(adapter)):
        assert KEY not in shown
        assert "pass-word" not in shown
        assert "abcdef" not in shown
    assert info.details["base_url"] == fake_server.url


async def test_a_key_is_sent_only_where_it_belongs(fake_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """OPENAI_API_KEY goes to OpenAI, or to the address in OPENAI_BASE_URL; EVENHAND_API_KEY goes anywhere."""
    monkeypatch.setenv("OPENAI_API_KEY", "openai-key")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
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
    assert not any("openai-organization" in h for h in fake_server.headers)
    assert open_adapter("openai-compatible/m", {"base_url": "https://api.openai.com/v1"}).secrets == ["our-key"]


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


NOW = datetime(2027, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "Fri, 01 Jan 2027 00:02:00 GMT"}, 120.0),
        ({"retry-after": "Thu, 31 Dec 2026 23:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "9", "retry-after-ms": "250"}, 0.25),
    ],
)
def test_retry_after_is_read_in_seconds_and_as_a_date(headers: dict[str, str], seconds: float | None) -> None:
    """RFC 9110, section 10.2.3; what cannot be read is as if it were not there."""
    assert retry_after_s(headers, now=NOW) == seconds


@given(ahead=st.integers(0, 10**6))
def test_a_date_in_the_future_is_that_far_away(ahead: int) -> None:
    """To the second, which is all that the header can say."""
    moment = NOW + timedelta(seconds=ahead)
    assert retry_after_s({"retry-after": moment.strftime("%a, %d %b %Y %H:%M:%S GMT")}, now=NOW) == ahead


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
choices = st.lists(
    st.fixed_dictionaries({}, optional={"message": json_values, "finish_reason": json_values}), max_size=2
)
messages = st.fixed_dictionaries({}, optional={"content": json_values, "refusal": json_values})
replies = st.fixed_dictionaries(
    {},
    optional={
        "choices": choices | st.lists(st.fixed_dictionaries({"message": messages}), min_size=1) | json_values,
        "usage": json_values,
        "model": json_values,
        "id": json_values,
        "error": json_values,
    },
)


@given(reply=replies | json_values)
def test_any_reply_is_an_output_or_a_bad_response(reply: Any) -> None:
    """Whatever JSON comes, never another exception, and never text that cannot be stored."""
    try:
        output = read_reply(reply)
    except BadResponseError:
        return
    if isinstance(output.outcome, Answered):
        output.outcome.text.encode()


def test_json_is_parsed_as_the_server_wrote_it() -> None:
    """An escaped surrogate pair is one character."""
    assert read_reply(json.loads(r'{"choices": [{"message": {"content": "\ud83d\ude00"}}]}')).text == "😀"
