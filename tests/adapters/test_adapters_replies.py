"""Replies of any shape: an output or a bad response, and always text that can be stored."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from adapter_services import chat, message, said
from hypothesis import given
from hypothesis import strategies as st

from evenhand.adapters.anthropic_messages import read_message
from evenhand.adapters.chat_completions import read_reply
from evenhand.adapters.replies import error_codes, error_message
from evenhand.adapters.retry_after import retry_after_s
from evenhand.core.outcomes import Answered, Blocked, Usage
from evenhand.errors import BadResponseError

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def with_some(**fields: Any) -> Any:
    return st.fixed_dictionaries({}, optional={name: strategy | json_values for name, strategy in fields.items()})


finishes = st.sampled_from(["stop", "length", "tool_calls", "content_filter", "error", "refusal", "pause_turn"])
parts = with_some(type=st.sampled_from(["text", "thinking", "tool_use"]), text=st.text())
messages = with_some(content=st.text() | st.lists(parts), refusal=st.text(), tool_calls=st.just([{}]))
chats = with_some(
    choices=st.lists(with_some(message=messages, finish_reason=finishes), min_size=1),
    usage=with_some(prompt_tokens=st.integers(), completion_tokens_details=json_values),
    model=st.text(),
    error=json_values,
)
anthropics = with_some(
    type=st.sampled_from(["message", "error"]),
    content=st.lists(parts),
    stop_reason=finishes,
    stop_details=with_some(category=st.text(), explanation=st.text()),
    usage=with_some(input_tokens=st.integers(), output_tokens_details=json_values),
    error=json_values,
)


@given(reply=chats | anthropics | json_values)
def test_any_reply_is_an_output_or_a_bad_response(reply: Any) -> None:
    """Whatever JSON comes, never another exception, and never text that cannot be stored."""
    for read in (read_reply, read_message):
        try:
            output = read(reply)
        except BadResponseError:
            continue
        match output.outcome:
            case Answered(text=text) | Blocked(reason=text):
                text.encode()
        counts = (output.usage.input_tokens, output.usage.output_tokens)
        assert all(count is None or count >= 0 for count in counts)


@given(error=json_values)
def test_any_error_object_has_a_message_and_codes(error: Any) -> None:
    """In one line of at most 300 characters."""
    text = error_message({"error": error})
    assert len(text) <= 300
    assert len(text.splitlines()) <= 1
    text.encode()
    assert all(isinstance(code, str) for code in error_codes(error))


def test_codes_are_found_where_providers_put_them() -> None:
    """OpenAI at the top, Anthropic in the details, Azure in an inner error."""
    assert error_codes({"code": "a", "type": "b", "message": "no code"}) == {"a", "b"}
    assert error_codes({"error": {"type": "x", "details": {"error_code": "y"}}}) == {"x", "y"}
    assert error_codes({"error": {"code": "content_filter", "innererror": {"code": "Inner"}}}) == {
        "content_filter",
        "Inner",
    }


def test_json_is_parsed_as_the_server_wrote_it() -> None:
    """An escaped surrogate pair is one character, half of one is replaced."""
    assert read_reply(json.loads(r'{"choices": [{"message": {"content": "\ud83d\ude00"}}]}')).text == "😀"
    assert read_message(json.loads(r'{"type": "message", "content": [{"type": "text", "text": "\ud83d"}]}')).text == "�"


@pytest.mark.parametrize("word", ["safety", "PROHIBITED_CONTENT", "content_filter"])
def test_a_filters_word_is_a_block_in_any_case(word: str) -> None:
    """As Google's, Azure's and OpenAI's servers say it."""
    assert isinstance(read_reply(chat("A nur", word)).outcome, Blocked)


def test_an_answer_that_ended_with_an_error_is_none() -> None:
    """Mistral says so in the finish reason."""
    with pytest.raises(BadResponseError, match="ended the answer with an error"):
        read_reply(chat("A nur", "error"))


def test_cached_prompt_tokens_are_prompt_tokens() -> None:
    """Anthropic counts them apart; without the main count nothing is known."""
    assert read_message(message(said())).usage == Usage(input_tokens=4 + 2 + 3, output_tokens=5)
    assert read_message(message(said(), usage={"cache_read_input_tokens": 3})).usage == Usage()


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
        # the limit that is used up decides, and the last of several
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "2m59.56s"}, 179.56),
        ({"x-ratelimit-remaining-requests": "3", "x-ratelimit-reset-requests": "1h"}, None),
        (
            {
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": "12ms",
                "x-ratelimit-remaining-tokens": "0",
                "x-ratelimit-reset-tokens": "6m0s",
            },
            360.0,
        ),
        (
            {
                "anthropic-ratelimit-input-tokens-remaining": "0",
                "anthropic-ratelimit-input-tokens-reset": "2027-01-01T00:00:30Z",
            },
            30.0,
        ),
        ({"anthropic-ratelimit-requests-remaining": "0", "anthropic-ratelimit-requests-reset": "soon"}, None),
        ({"retry-after": "4", "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "9s"}, 4.0),
    ],
)
def test_the_wait_is_read_in_seconds_as_a_date_and_from_the_limits(
    headers: dict[str, str], seconds: float | None
) -> None:
    """RFC 9110, section 10.2.3, and rate-limit headers; what cannot be read is as if it were not there."""
    assert retry_after_s(headers, now=NOW) == pytest.approx(seconds)


@given(ahead=st.integers(0, 10**6))
def test_a_date_in_the_future_is_that_far_away(ahead: int) -> None:
    """To the second, which is all that the header can say."""
    moment = NOW + timedelta(seconds=ahead)
    assert retry_after_s({"retry-after": moment.strftime("%a, %d %b %Y %H:%M:%S GMT")}, now=NOW) == ahead


@given(text=st.text(max_size=20))
def test_no_header_breaks_the_reading(text: str) -> None:
    """Any text is a wait or none."""
    for name in ("retry-after", "retry-after-ms"):
        wait = retry_after_s({name: text}, now=NOW)
        assert wait is None or wait >= 0
    limits = {"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": text}
    assert retry_after_s(limits, now=NOW) is None or retry_after_s(limits, now=NOW) >= 0
