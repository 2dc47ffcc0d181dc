"""What replies of different protocols have in common: why an answer ended, text that can be stored, token counts."""

from collections.abc import Mapping
from typing import Any

from evenhand.core.outcomes import Answered, Blocked, FinishReason, Outcome, Usage
from evenhand.errors import BadResponseError

_FINISH: Mapping[str, FinishReason] = {
    "stop": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "eos": "stop",
    "eos_token": "stop",
    "length": "length",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "model_length": "length",
    "model_context_window_exceeded": "length",
    "tool_calls": "tool_calls",
    "tool_use": "tool_calls",
    "function_call": "tool_calls",
    "pause_turn": "paused",
}
_FILTERS = frozenset(
    {"content_filter", "content_filtered", "safety", "prohibited_content", "blocklist", "recitation", "spii"}
)


def outcome_of(
    text: str,
    *,
    finish: object,
    refusal: str = "",
    has_tool_calls: bool = False,
    has_reasoning: bool = False,
) -> Outcome:
    """Name what came back.

    Parameters
    ----------
    text
        The answer.
    finish
        The provider's word for why it ended; anything may come.
    refusal
        What the provider says, in a field of its own, that the model declined with.
    has_tool_calls, has_reasoning
        What the reply holds besides.

    Raises
    ------
    BadResponseError
        If the provider says that the answer ended with an error.
    """
    word = finish.lower() if isinstance(finish, str) else ""
    if word in _FILTERS:
        return Blocked(reason=f"the provider's content filter stopped the answer ({word})")
    if word == "error":
        raise BadResponseError("the provider ended the answer with an error")
    if text.strip():
        return Answered(text=storable(text), finish_reason=_FINISH.get(word, "unknown"))
    if refusal.strip():
        return Answered(text=storable(refusal), finish_reason="refusal")
    if has_tool_calls:
        return Answered(text="", finish_reason="tool_calls")
    if has_reasoning:
        return Answered(text="", finish_reason="reasoning_only")
    return Answered(text=storable(text), finish_reason=_FINISH.get(word, "unknown"))


def storable(text: str) -> str:
    """Join surrogate pairs, and replace halves of them, which JSON can hold and no database takes."""
    if text.isascii():  # nearly always, and ten times as fast
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def usage_of(sent: object, received: object) -> Usage:
    """Return token counts; what is no whole number of at least 0 was not counted."""
    return Usage(input_tokens=count_or_none(sent), output_tokens=count_or_none(received))


def count_or_none(value: object) -> int | None:
    """Return a whole number of at least 0, or None."""
    return value if type(value) is int and value >= 0 else None


def text_or_none(value: object) -> str | None:
    """Return a text that is not empty, or None."""
    return storable(value) if isinstance(value, str) and value else None


def error_message(error: object, limit: int = 300) -> str:
    """Return what a provider says went wrong, from the error object of its reply, in one line."""
    match error:
        case {"error": (dict() | str()) as inner}:
            return error_message(inner, limit)
        case {"message": str(message)} | {"detail": str(message)} | str(message):
            line = storable(" ".join(message.split()))
            return line if len(line) <= limit else line[: limit - 1] + "…"
        case _:
            return "no reason given"


def error_codes(error: object, depth: int = 4) -> frozenset[str]:
    """Return the machine-readable words of an error object: code, type, status, and those of what is inside."""
    if not isinstance(error, dict) or depth == 0:
        return frozenset()
    own = {value for key in ("code", "type", "status", "error_code") if isinstance(value := error.get(key), str)}
    inner = (error.get(key) for key in ("error", "innererror", "inner_error", "details"))
    return frozenset(own).union(*(error_codes(part, depth - 1) for part in inner))


def parameter_of(error: object) -> str | None:
    """Return the parameter that an error object names."""
    match error:
        case {"param": str(name)} if name:
            return name
        case {"error": inner}:
            return parameter_of(inner)
        case _:
            return None


def field(source: object, key: str) -> Any:
    """Return a field of what may be no mapping; Any, because it is foreign JSON."""
    return source.get(key) if isinstance(source, dict) else None
