"""The chat-completions protocol: a config in, a request body out; a reply in, an output out."""

from collections.abc import Mapping, Sequence
from typing import Any

from evenhand.adapters.base import Message
from evenhand.adapters.replies import count_or_none, error_message, field, outcome_of, text_or_none, usage_of
from evenhand.core.outcomes import Outcome
from evenhand.core.types import GeneratedOutput, GenerationConfig
from evenhand.errors import BadResponseError

_REASONING = ("reasoning_content", "reasoning", "reasoning_details", "thinking")


def conversation(messages: Sequence[Message], config: GenerationConfig) -> list[Message]:
    """Return the turns, with the config's system prompt first."""
    system: list[Message] = [] if config.system is None else [{"role": "system", "content": config.system}]
    return [*system, *messages]


def parameters(
    config: GenerationConfig, *, max_tokens_field: str = "max_tokens", seed_field: str = "seed"
) -> dict[str, Any]:
    """Return the sampling parameters that are set; what is None is left to the model and not sent.

    Parameters
    ----------
    max_tokens_field
        What this server calls the limit: ``"max_tokens"``, or ``"max_completion_tokens"`` for reasoning models.
    seed_field
        What it calls the seed: ``"seed"``, or ``"random_seed"``.
    """
    given = {
        max_tokens_field: config.max_tokens,
        "temperature": config.temperature,
        "top_p": config.top_p,
        seed_field: config.seed,
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
        is an answer with that text; no content is an empty answer, unless there are tool calls or reasoning instead.

    Raises
    ------
    BadResponseError
        If the reply is not a chat completion, or the provider says that it ended with an error.
    """
    match reply:
        case {"choices": [{"message": {**message}, **choice}, *_], **rest}:
            usage = rest.get("usage")
            return GeneratedOutput(
                outcome=_outcome(message, choice.get("finish_reason"), usage),
                model=text_or_none(rest.get("model")),
                usage=usage_of(field(usage, "prompt_tokens"), field(usage, "completion_tokens")),
                provider_request_id=request_id or text_or_none(rest.get("id")),
            )
        case {"error": error}:
            raise BadResponseError(f"the reply is an error: {error_message(error)}", request_id=request_id)
        case _:
            raise BadResponseError("the reply is not a chat completion: it has no choices", request_id=request_id)


def _outcome(message: Mapping[Any, Any], finish: object, usage: object) -> Outcome:
    content = message.get("content")
    return outcome_of(
        _content(content),
        finish=finish,
        refusal=_content(message.get("refusal")),
        has_tool_calls=bool(message.get("tool_calls") or message.get("function_call")),
        has_reasoning=_has_reasoning(message, content, usage),
    )


def _content(content: object) -> str:
    match content:
        case None:
            return ""
        case str():
            return content
        case list():  # some servers send parts
            return "".join(text for part in content if isinstance(text := field(part, "text"), str))
        case _:
            raise BadResponseError(f"the content of the reply is of type {type(content).__name__}, not text")


def _has_reasoning(message: Mapping[Any, Any], content: object, usage: object) -> bool:
    if any(message.get(key) for key in _REASONING):
        return True
    if isinstance(content, list) and any(field(part, "type") in ("thinking", "reasoning") for part in content):
        return True
    # OpenAI keeps the thoughts and counts them
    return bool(count_or_none(field(field(usage, "completion_tokens_details"), "reasoning_tokens")))
