"""The chat-completions protocol: a config in, a request body out; a reply in, an output out."""

from collections.abc import Mapping, Sequence
from typing import Any

from evenhand.adapters.base import Message
from evenhand.core.outcomes import Answered, Blocked, FinishReason, Outcome, Usage
from evenhand.core.types import GeneratedOutput, GenerationConfig
from evenhand.errors import BadResponseError

_FINISH: Mapping[str, FinishReason] = {"stop": "stop", "length": "length"}


def conversation(messages: Sequence[Message], config: GenerationConfig) -> list[Message]:
    """Return the turns, with the config's system prompt first."""
    system: list[Message] = [] if config.system is None else [{"role": "system", "content": config.system}]
    return [*system, *messages]


def parameters(config: GenerationConfig, *, max_tokens_field: str = "max_tokens") -> dict[str, Any]:
    """Return the sampling parameters that are set; what is None is left to the model and not sent.

    Parameters
    ----------
    max_tokens_field
        What this server calls the limit: ``"max_tokens"``, or ``"max_completion_tokens"`` for reasoning models.
    """
    given = {
        max_tokens_field: config.max_tokens,
        "temperature": config.temperature,
        "top_p": config.top_p,
        "seed": config.seed,
    }
    return {name: value for name, value in given.items() if value is not None}


def read_reply(reply: object, *, request_id: str | None = None) -> GeneratedOutput:
    """Read a whole, not streamed reply.

    Parameters
    ----------
    reply
        The decoded JSON.
    request_id
        The provider's id of the request, from its headers; the reply's own id if there is none.

    Returns
    -------
    GeneratedOutput
        Blocked if a content filter ended the answer, which is then incomplete. A refusal in the model's own words
        is an answer with that text, and a missing content is an empty answer.

    Raises
    ------
    BadResponseError
        If the reply is not a chat completion.
    """
    match reply:
        case {"choices": [{"message": {**message}, **choice}, *_], **rest}:
            return GeneratedOutput(
                outcome=_outcome(message, choice.get("finish_reason")),
                model=_text_or_none(rest.get("model")),
                usage=_usage(rest.get("usage")),
                provider_request_id=request_id or _text_or_none(rest.get("id")),
            )
        case {"error": error}:
            raise BadResponseError(f"the reply is an error: {error_message(error)}", request_id=request_id)
        case _:
            raise BadResponseError("the reply is not a chat completion: it has no choices", request_id=request_id)


def error_message(error: object, limit: int = 300) -> str:
    """Return what a provider says went wrong, from the error object of its reply, in one line."""
    match error:
        case {"error": inner}:
            return error_message(inner, limit)
        case {"message": str(message)} | str(message):
            line = " ".join(message.split())
            return line if len(line) <= limit else line[: limit - 1] + "…"
        case _:
            return "no reason given"


def _outcome(message: Mapping[Any, Any], finish: object) -> Outcome:
    if finish == "content_filter":
        return Blocked(reason="the provider's content filter stopped the answer")
    text = _content(message.get("content")) or _content(message.get("refusal"))
    return Answered(text=_storable(text), finish_reason=_FINISH.get(str(finish), "unknown"))


def _content(content: object) -> str:
    match content:
        case None:
            return ""
        case str():
            return content
        case list():  # some servers send parts
            return "".join(part.get("text") or "" for part in content if isinstance(part, dict))
        case _:
            raise BadResponseError(f"the content of the reply is of type {type(content).__name__}, not text")


def _storable(text: str) -> str:
    # JSON can hold half a surrogate pair, which no database takes; whole pairs are joined, halves replaced
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _usage(usage: object) -> Usage:
    given = usage if isinstance(usage, dict) else {}
    counts = (given.get("prompt_tokens"), given.get("completion_tokens"))
    sent, received = (count if type(count) is int else None for count in counts)
    return Usage(input_tokens=sent, output_tokens=received)


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
