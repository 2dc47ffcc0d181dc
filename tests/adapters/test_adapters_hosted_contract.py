"""The contract of every hosted adapter, kept with a server that behaves well and badly. Nothing leaves the machine."""

import asyncio
import json
import logging
import random
import traceback
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any

import pytest
import pytest_asyncio
from adapter_services import KEY, SERVICES, SNAPSHOT, TEXT, Service

from evenhand._base.offline import refuse_network
from evenhand.adapters.base import ModelAdapter
from evenhand.adapters.retry import RetryPolicy, ask
from evenhand.core.outcomes import Answered, Blocked, Failed, Usage
from evenhand.core.types import GenerationConfig
from evenhand.errors import (
    AuthenticationError,
    BadResponseError,
    CreditError,
    ModelError,
    OverloadedError,
    RateLimitedError,
    UsageError,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

ONCE = RetryPolicy(attempts=1)


@pytest.fixture(scope="module", autouse=True)
def _offline() -> Iterator[None]:
    with refuse_network():
        yield


@pytest.fixture(scope="module", params=SERVICES, ids=lambda service: service.model.partition("/")[0])
def service(request: pytest.FixtureRequest) -> Service:
    return request.param


@pytest.fixture(scope="module")
def server(new_fake_server: Callable[[], Any]) -> Iterator[Any]:
    running = new_fake_server()
    yield running
    running.close()


@pytest.fixture
def fake_server(server: Any) -> Any:
    server.forget()
    return server


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def adapter(service: Service, server: Any) -> AsyncIterator[ModelAdapter]:
    # one for all tests of a service: a client takes longer to make than to use
    async with service.open(server.origin) as opened:
        yield opened


def one_error(adapter: ModelAdapter) -> Any:
    return ask(adapter, "Hello", None, policy=ONCE, rng=random.Random(1))


async def test_an_answer_comes_with_everything_the_provider_said(
    adapter: ModelAdapter, service: Service, fake_server: Any
) -> None:
    """Text, finish reason, snapshot, tokens, request id, one attempt; the request carries prompt and key."""
    fake_server.will(fake_server.json(200, service.reply()))
    output = await one_error(adapter)
    assert output.outcome == Answered(text=TEXT, finish_reason="stop")
    assert output.model == SNAPSHOT
    assert output.usage == Usage(input_tokens=9, output_tokens=5)
    assert output.provider_request_id == "req-42"
    assert [(a.status, a.provider_request_id) for a in output.attempts] == [("ok", "req-42")]
    assert adapter.name == service.model
    assert "Hello" in json.dumps(fake_server.bodies[0])
    assert fake_server.headers[0]["authorization"] == f"Bearer {KEY}"


async def test_every_declared_parameter_is_sent_and_an_unset_one_is_not(
    adapter: ModelAdapter, service: Service, fake_server: Any
) -> None:
    """Each changes the request; None sends nothing."""
    fake_server.will(fake_server.json(200, service.reply()))
    bare = GenerationConfig(max_tokens=7)
    await adapter.generate("Hello", bare)
    values: dict[str, Any] = {"temperature": 0.5, "top_p": 0.25, "seed": 99, "system": "Be brief."}
    assert "7" in json.dumps(fake_server.bodies[0])
    for name in adapter.capabilities.parameters - {"max_tokens"}:
        await adapter.generate("Hello", GenerationConfig(max_tokens=7, **{name: values[name]}))
        sent = json.dumps(fake_server.bodies[-1])
        assert json.dumps(values[name]) in sent, name
        assert json.dumps(values[name]) not in json.dumps(fake_server.bodies[0]), name
        assert "null" not in sent


async def test_what_is_no_plain_answer_has_a_name(adapter: ModelAdapter, service: Service, fake_server: Any) -> None:
    """Empty, cut, tool calls, reasoning, refusal, filter: six things, never one."""
    for name, (reply, outcome) in service.named().items():
        fake_server.will(fake_server.json(200, reply))
        assert (await adapter.generate("Hello")).outcome == outcome, name


STATUSES: Mapping[tuple[int, str], tuple[type[ModelError], bool]] = {
    (400, ""): (ModelError, False),
    (401, ""): (AuthenticationError, False),
    (402, ""): (CreditError, False),
    (403, ""): (AuthenticationError, False),
    (408, ""): (OverloadedError, True),
    (422, ""): (ModelError, False),
    (429, ""): (RateLimitedError, True),
    (429, "insufficient_quota"): (CreditError, False),
    (500, ""): (OverloadedError, True),
    (503, ""): (OverloadedError, True),
    (529, ""): (OverloadedError, True),
}


async def test_each_status_has_its_error(adapter: ModelAdapter, service: Service, fake_server: Any) -> None:
    """With the provider's words, its status and its request id."""
    for (status, code), (error, retryable) in STATUSES.items():
        fake_server.will(fake_server.json(status, service.error("the provider's words", code)))
        with pytest.raises(ModelError) as caught:
            await adapter.generate("Hello")
        assert type(caught.value) is error, status
        assert caught.value.retryable is retryable
        assert "the provider's words" in str(caught.value)
        assert (caught.value.status, caught.value.request_id) == (status, "req-42")


async def test_what_every_request_would_meet_stops_the_run_and_says_what_to_do(
    adapter: ModelAdapter, service: Service, fake_server: Any
) -> None:
    """A refused key names the variable, an empty account says so, a retired model is named, a parameter too."""
    wanted = {
        (401, ""): service.variable,
        (403, ""): service.variable,
        (402, ""): "add credit",
        (429, "insufficient_quota"): "add credit",
        (404, "not_found_error"): adapter.get_model_info().name if service.dialect != "webhook" else "url",
        (400, "unsupported_parameter"): "leave it unset",
    }
    for (status, code), words in wanted.items():
        fake_server.will(fake_server.json(status, service.error("no", code)))
        before = len(fake_server.bodies)
        with pytest.raises((AuthenticationError, UsageError), match=words):
            await ask(adapter, "Hello", None, rng=random.Random(1))
        assert len(fake_server.bodies) == before + 1, "asked again in vain"


async def test_a_request_that_a_filter_stops_is_blocked_by_code_and_never_by_words(
    adapter: ModelAdapter, service: Service, fake_server: Any
) -> None:
    """The codes count; an error that merely talks about a content filter is an error."""
    for code in ("content_filter", "content_policy_violation"):
        fake_server.will(fake_server.json(400, service.error("flagged by moderation", code)))
        output = await one_error(adapter)
        assert output.outcome == Blocked(reason="flagged by moderation")
        assert output.provider_request_id == "req-42"
        assert [a.status for a in output.attempts] == ["blocked"]
    fake_server.will(fake_server.json(400, service.error("content_filter is not a known field", "invalid_field")))
    assert isinstance((await one_error(adapter)).outcome, Failed)


async def test_a_200_that_is_no_reply_is_a_bad_response(
    adapter: ModelAdapter, service: Service, fake_server: Any
) -> None:
    """Truncated JSON, nothing, a proxy's page, an error in disguise, bytes, depth: never an empty answer."""
    whole = json.dumps(service.reply()).encode()
    for content_type, data in (
        ("application/json", whole[:-9]),
        ("application/json", b""),
        ("application/json", b"[1, 2]"),
        ("application/json", b"{}"),
        ("application/json", b"null"),
        ("application/json", json.dumps(service.error("model is loading")).encode()),
        ("text/html", b"<html><body>Welcome to the proxy</body></html>"),
        ("application/json", b"\xff\xfe"),
        ("application/json", b"[" * 100_000),
        ("application/json", json.dumps(service.reply(3)).encode()),
    ):
        if service.dialect == "messages" and data.endswith(json.dumps(service.reply(3)).encode()):
            continue  # a text block without text is a block of another kind
        fake_server.will(fake_server.raw(200, data, content_type))
        with pytest.raises(BadResponseError):
            await adapter.generate("Hello")


async def test_a_wrong_content_type_does_not_lose_an_answer(
    adapter: ModelAdapter, service: Service, fake_server: Any
) -> None:
    """What counts is what was sent."""
    fake_server.will(fake_server.raw(200, json.dumps(service.reply()).encode(), "text/plain"))
    assert (await adapter.generate("Hello")).text == TEXT


async def test_a_proxys_error_page_is_an_overload_and_not_quoted(adapter: ModelAdapter, fake_server: Any) -> None:
    """Its markup stays out of the message."""
    fake_server.will(fake_server.raw(502, b"<html><h1>Bad Gateway</h1></html>", "text/html"))
    with pytest.raises(OverloadedError, match="an HTML page") as caught:
        await adapter.generate("Hello")
    assert "<" not in str(caught.value)


async def test_a_lost_connection_is_worth_a_retry(adapter: ModelAdapter, service: Service, fake_server: Any) -> None:
    """Before the answer, in the middle of it, and when nobody listens."""
    for behaviour in (fake_server.drop, fake_server.truncate):
        fake_server.will(behaviour)
        with pytest.raises(OverloadedError):
            await adapter.generate("Hello")
    async with service.open("http://127.0.0.1:9") as nobody:
        with pytest.raises(OverloadedError, match=r"no answer from 127\.0\.0\.1"):
            await nobody.generate("Hello")


async def test_a_server_that_never_ends_is_given_up(service: Service, fake_server: Any) -> None:
    """Silent, or with one byte after another: the limit is for the whole call."""
    async with service.open(fake_server.origin, timeout_s=0.2) as impatient:
        for behaviour in (fake_server.hang, fake_server.drip):
            fake_server.will(behaviour)
            with pytest.raises(OverloadedError, match="did not answer in time"):
                await impatient.generate("Hello")


async def test_slow_bytes_are_waited_for(adapter: ModelAdapter, service: Service, fake_server: Any) -> None:
    """An answer in pieces is one answer."""
    fake_server.will(fake_server.slow(json.dumps(service.reply()).encode()))
    assert (await adapter.generate("Hello")).text == TEXT


async def test_ten_megabytes_arrive_whole(adapter: ModelAdapter, service: Service, fake_server: Any) -> None:
    """Nothing is cut in silence."""
    text = "long " * 2_000_000
    fake_server.will(fake_server.json(200, service.reply(text)))
    assert (await adapter.generate("Hello")).text == text


async def test_unicode_survives_both_ways(adapter: ModelAdapter, service: Service, fake_server: Any) -> None:
    """Emoji, right-to-left, NUL; half a surrogate pair becomes a replacement character, which can be stored."""
    for text, wanted in {
        "naïve 👩🏽‍⚕️ שלום \x00 \u202eabc": None,
        "half \ud83d pair": "half � pair",
        "\ud83d\ude00": "😀",
        "\ufeffbom": None,
    }.items():
        fake_server.will(fake_server.json(200, service.reply(text)))
        answer = (await adapter.generate("Frau Müller 👩🏽‍⚕️ \x00 שלום")).text
        assert answer == (text if wanted is None else wanted)
        assert answer.encode()
        assert "Frau Müller 👩🏽‍⚕️ \x00 שלום" in json.dumps(fake_server.bodies[-1], ensure_ascii=False).replace(
            "\\u0000", "\x00"
        )


async def test_a_bad_spell_is_survived_and_recorded(
    adapter: ModelAdapter, service: Service, fake_server: Any, fake_time: Any
) -> None:
    """429 with Retry-After, 500, a lost connection, then the answer: four attempts, the first wait exact."""
    fake_server.will(
        fake_server.json(429, service.error("slow down"), Retry_After="7"),
        fake_server.json(500, service.error("oh")),
        fake_server.drop,
        fake_server.json(200, service.reply()),
    )
    output = await ask(adapter, "Hello", None, rng=random.Random(3), sleep=fake_time.sleep, clock=fake_time.clock)
    assert output.text == TEXT
    assert [a.status for a in output.attempts] == ["RateLimitedError", "OverloadedError", "OverloadedError", "ok"]
    assert [a.http_status for a in output.attempts] == [429, 500, None, None]
    assert [a.provider_request_id for a in output.attempts] == ["req-42", "req-42", None, "req-42"]
    assert fake_time.slept[0] == 7.0
    assert len(fake_server.bodies) == 4, "the SDK must not retry by itself"


async def test_a_cancelled_request_ends_at_once(adapter: ModelAdapter, service: Service, fake_server: Any) -> None:
    """And the adapter still works."""
    fake_server.will(fake_server.hang, fake_server.json(200, service.reply()))
    task = asyncio.create_task(ask(adapter, "Hello", None, rng=random.Random(3)))
    assert await asyncio.to_thread(fake_server.asked.wait, 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 2)
    assert (await adapter.generate("Hello")).text == TEXT


@pytest.mark.parametrize("place", ["key", "address", "query"])
async def test_the_key_appears_nowhere(
    service: Service,
    fake_server: Any,
    place: str,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Not in errors, attempts, tracebacks, model info, repr, logs or output, even if the provider echoes it."""
    caplog.set_level(logging.DEBUG)
    shown = []
    async with _open_with_secret(service, fake_server.origin, place) as adapter:
        for behaviour in (
            fake_server.json(400, service.error(f"you sent {KEY}")),
            fake_server.json(400, service.error(f"you sent {KEY}", "content_filter")),
            fake_server.raw(200, f"key {KEY}".encode()),
            fake_server.json(200, {"error": {"message": f"key {KEY}"}}),
            fake_server.json(200, service.error(f"key {KEY}")),
            fake_server.raw(500, f"Authorization: Bearer {KEY}".encode(), "text/plain"),
            fake_server.raw(307, b"", location=f"http://127.0.0.1:9/?key={KEY}"),
            fake_server.drop,
        ):
            fake_server.will(behaviour)
            shown.append(repr(await one_error(adapter)))
        for status in (401, 402, 404):
            fake_server.will(fake_server.json(status, service.error(f"you sent {KEY}")))
            with pytest.raises((AuthenticationError, UsageError)) as caught:
                await one_error(adapter)
            shown.append(f"{caught.value!r} {''.join(traceback.format_exception(caught.value))}")
        shown += [repr(adapter.get_model_info()), repr(adapter)]
        assert KEY in adapter.secrets
    # what HTTP libraries log on request is theirs; of the address they know no more than they need
    loggers = ("evenhand",) if place == "query" else ("evenhand", "httpx2")
    logged = [record.getMessage() for record in caplog.records if record.name.split(".")[0] in loggers]
    for text in (*shown, *logged, *capfd.readouterr()):
        assert KEY not in text
    assert (KEY in str(fake_server.headers)) == (place == "key")
    assert (KEY in str(fake_server.paths)) == (place == "query")


def _open_with_secret(service: Service, origin: str, place: str) -> ModelAdapter:
    match place:
        case "key":
            return service.open(origin)
        case "address":
            return service.open(origin.replace("http://", f"http://user:{KEY}@"), key=None)
        case _:
            return service.open(origin, key="another-key-5678", query=f"?code={KEY}")


async def test_credentials_in_the_address_are_sent_as_such_and_never_beside_a_key(
    service: Service, fake_server: Any
) -> None:
    """HTTP Basic; with a key as well, one of the two would be lost, so both are refused."""
    address = fake_server.origin.replace("http://", "http://user:p%40ss@")
    fake_server.will(fake_server.json(200, service.reply()))
    async with service.open(address, key=None) as adapter:
        assert (await adapter.generate("Hello")).text == TEXT
    assert fake_server.headers[0]["authorization"] == "Basic dXNlcjpwQHNz"  # user:p@ss
    with pytest.raises(UsageError, match="leave one"):
        service.open(address)


async def test_conversations_reach_the_model_turn_by_turn(
    adapter: ModelAdapter, service: Service, fake_server: Any
) -> None:
    """In order, with the system prompt where the protocol wants it."""
    fake_server.will(fake_server.json(200, service.reply()))
    turns = [
        {"role": "user", "content": "My name is Ada."},
        {"role": "assistant", "content": "Hello!"},
        {"role": "user", "content": "What is my name?"},
    ]
    output = await adapter.converse(turns, GenerationConfig(max_tokens=7, system="Be brief."))
    assert output.text == TEXT
    sent = json.dumps(fake_server.bodies[0])
    places = [sent.index(json.dumps(turn["content"])) for turn in turns]
    assert places == sorted(places)
    assert "Be brief." in sent


async def test_many_requests_at_once_each_get_an_answer(
    adapter: ModelAdapter, service: Service, fake_server: Any
) -> None:
    """Twenty at once over one client."""
    fake_server.will(fake_server.json(200, service.reply()))
    outputs = await asyncio.gather(*(adapter.generate(f"Person {i}") for i in range(20)))
    assert all(output.text == TEXT for output in outputs)
