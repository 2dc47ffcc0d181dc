"""Anthropic's messages protocol: turns and a config in, a request body out; a reply in, an output out."""

from collections.abc import Mapping, Sequence
from typing import Any

from evenhand.adapters.base import Message
from evenhand.adapters.replies import count_or_none, error_message, field, outcome_of, text_or_none
from evenhand.core.outcomes import Blocked, Outcome, Usage
from evenhand.core.types import GeneratedOutput, GenerationConfig
from evenhand.errors import BadResponseError, CapabilityError

_THINKING = ("thinking", "redacted_thinking")
_TOOLS = ("tool_use", "server_tool_use")
_INPUT_TOKENS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def request_body(model: str, messages: Sequence[Message], config: GenerationConfig) -> dict[str, Any]:
    """Return the body without sampling parameters.

    Raises
    ------
    CapabilityError
        If there is no limit of the answer, which this protocol cannot do without.
    """
    if config.max_tokens is None:
        raise CapabilityError(f"anthropic/{model} needs max_tokens, the limit of the answer; set it")
    turns = [message for message in messages if message.get("role") != "system"]
    said = [config.system, *(m.get("content") for m in messages if m.get("role") == "system")]
    system = "\n\n".join(text for text in said if text)  # the protocol has one place for it
    body = {"model": model, "max_tokens": config.max_tokens, "messages": turns}
    return {**body, "system": system} if system else body


def sampling(config: GenerationConfig) -> dict[str, float]:
    """Return the sampling parameters that are set; only an earlier API version takes them."""
    given = {"temperature": config.temperature, "top_p": config.top_p}
    return {name: value for name, value in given.items() if value is not None}


def read_message(reply: object, *, request_id: str | None = None) -> GeneratedOutput:
    """Read a whole, not streamed reply.

    Parameters
    ----------
    reply
        The decoded JSON.
    request_id
        The provider's id of the request, from its headers; the message's own id if there is none.

    Returns
    -------
    GeneratedOutput
        Blocked if a safety classifier ended the answer (stop reason ``"refusal"``), which is then incomplete. A
        refusal in the model's own words is an answer.

    Raises
    ------
    BadResponseError
        If the reply is not a message.
    """
    match reply:
        case {"type": "message", "content": list(blocks), **rest}:
            return GeneratedOutput(
                outcome=_outcome(blocks, rest),
                model=text_or_none(rest.get("model")),
                usage=_usage(rest.get("usage")),
                provider_request_id=request_id or text_or_none(rest.get("id")),
            )
        case {"type": "error", "error": error}:
            raise BadResponseError(f"the reply is an error: {error_message(error)}", request_id=request_id)
        case _:
            raise BadResponseError("the reply is not a message: it has no content blocks", request_id=request_id)


def _outcome(blocks: Sequence[object], reply: Mapping[Any, Any]) -> Outcome:
    stop = reply.get("stop_reason")
    if stop == "refusal":
        return Blocked(reason=_classifier(reply.get("stop_details")))
    kinds = [field(block, "type") for block in blocks]
    texts = (field(block, "text") for block in blocks if field(block, "type") == "text")
    return outcome_of(
        "".join(text for text in texts if isinstance(text, str)),
        finish=stop,
        has_tool_calls=any(kind in _TOOLS for kind in kinds),
        has_reasoning=any(kind in _THINKING for kind in kinds) or _thought(reply.get("usage")),
    )


def _classifier(details: object) -> str:
    category, explanation = (text_or_none(field(details, key)) for key in ("category", "explanation"))
    named = f" (category {category})" if category else ""
    said = f": {error_message(explanation)}" if explanation else ""
    return f"the provider's safety classifier stopped the answer{named}{said}"


def _thought(usage: object) -> bool:
    # thoughts are left out of the reply unless they are asked for, and are counted all the same
    return bool(count_or_none(field(field(usage, "output_tokens_details"), "thinking_tokens")))


def _usage(usage: object) -> Usage:
    counts = [count_or_none(field(usage, key)) for key in _INPUT_TOKENS]
    sent = None if counts[0] is None else sum(count or 0 for count in counts)
    return Usage(input_tokens=sent, output_tokens=count_or_none(field(usage, "output_tokens")))
