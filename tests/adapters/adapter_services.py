"""The services that the contract of hosted adapters is kept with: what each sends, and what that is."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evenhand.adapters.base import ModelAdapter
from evenhand.adapters.registry import open_adapter
from evenhand.core.outcomes import Answered, Blocked, Outcome

TEXT = "A nurse began her day."
KEY = "key-of-the-customer-1234"
SNAPSHOT = "tiny-2026-01-01"


@dataclass(frozen=True, kw_only=True)
class Service:
    """One kind of provider.

    Attributes
    ----------
    model
        As on the command line.
    dialect
        ``"chat"``, ``"messages"`` or ``"webhook"``.
    variable
        The variable that a message about the key must name.
    """

    model: str
    dialect: str
    variable: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def open(self, origin: str, *, key: str | None = KEY, query: str = "", **options: Any) -> ModelAdapter:
        path = {"webhook": "/generate", "messages": "", "chat": "/v1"}[self.dialect]
        given: dict[str, Any] = {"url" if self.dialect == "webhook" else "base_url": f"{origin}{path}{query}"}
        if key is not None:
            given |= {"headers": {"Authorization": f"Bearer {key}"}} if self.dialect == "webhook" else {"api_key": key}
        return open_adapter(self.model, {**given, **self.options, **options})

    def reply(self, text: Any = TEXT) -> dict[str, Any]:
        return _DIALECTS[self.dialect]["answer"](text)

    def named(self) -> Mapping[str, tuple[dict[str, Any], Outcome]]:
        """Return the replies with a name of their own, and what each is."""
        return _DIALECTS[self.dialect]["named"]()

    def error(self, message: str, code: str = "") -> dict[str, Any]:
        if self.dialect == "messages":
            details = {"error_code": code} if code else None
            error = {"type": code or "api_error", "message": message, "details": details}
            return {"type": "error", "error": error, "request_id": "req-42"}
        return {"error": {"message": message, "code": code, "type": "error"}}


# ---- chat completions


def chat(content: Any = TEXT, finish: str = "stop", **message: Any) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": SNAPSHOT,
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content, **message}}
        ],
        "usage": {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14},
    }


def _chat_named() -> dict[str, tuple[dict[str, Any], Outcome]]:
    call = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    thought = {**chat("", "length"), "usage": {"completion_tokens_details": {"reasoning_tokens": 12}}}
    blocked = Blocked(reason="the provider's content filter stopped the answer (content_filter)")
    return {
        "empty": (chat(""), Answered(text="", finish_reason="stop")),
        "no content": (chat(None), Answered(text="", finish_reason="stop")),
        "cut": (chat(finish="length"), Answered(text=TEXT, finish_reason="length")),
        "tool call": (chat(None, "tool_calls", tool_calls=[call]), Answered(text="", finish_reason="tool_calls")),
        "reasoning shown": (chat("", reasoning_content="Hm."), Answered(text="", finish_reason="reasoning_only")),
        "reasoning counted": (thought, Answered(text="", finish_reason="reasoning_only")),
        "refusal": (chat(None, refusal="I can't."), Answered(text="I can't.", finish_reason="refusal")),
        "filter": (chat("A nur", "content_filter"), blocked),
        "parts": (chat([{"type": "text", "text": "A "}, {"text": "b"}]), Answered(text="A b", finish_reason="stop")),
        "thinking parts": (
            chat([{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}]),
            Answered(text="", finish_reason="reasoning_only"),
        ),
    }


# ---- Anthropic's messages


def message(*blocks: dict[str, Any], stop: str = "end_turn", **changes: Any) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": SNAPSHOT,
        "content": list(blocks),
        "stop_reason": stop,
        "stop_details": None,
        "usage": {
            "input_tokens": 4,
            "cache_creation_input_tokens": 2,
            "cache_read_input_tokens": 3,
            "output_tokens": 5,
        },
        **changes,
    }


def said(text: Any = TEXT) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _message_named() -> dict[str, tuple[dict[str, Any], Outcome]]:
    tool = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}}
    details = {"type": "refusal", "category": "bio", "explanation": "It could do harm."}
    by_classifier = "the provider's safety classifier stopped the answer"
    thought = {"type": "thinking", "thinking": "", "signature": "x"}
    hidden = {"usage": {"input_tokens": 1, "output_tokens": 9, "output_tokens_details": {"thinking_tokens": 9}}}
    return {
        "empty": (message(), Answered(text="", finish_reason="stop")),
        "empty block": (message(said("")), Answered(text="", finish_reason="stop")),
        "cut": (message(said(), stop="max_tokens"), Answered(text=TEXT, finish_reason="length")),
        "context full": (
            message(said(), stop="model_context_window_exceeded"),
            Answered(text=TEXT, finish_reason="length"),
        ),
        "tool call": (message(tool, stop="tool_use"), Answered(text="", finish_reason="tool_calls")),
        "text and tool call": (message(said(), tool, stop="tool_use"), Answered(text=TEXT, finish_reason="tool_calls")),
        "reasoning shown": (message(thought, stop="max_tokens"), Answered(text="", finish_reason="reasoning_only")),
        "reasoning counted": (
            message(stop="max_tokens", **hidden),
            Answered(text="", finish_reason="reasoning_only"),
        ),
        "thinking, then text": (message(thought, said()), Answered(text=TEXT, finish_reason="stop")),
        "pause": (message(said(), stop="pause_turn"), Answered(text=TEXT, finish_reason="paused")),
        "refusal": (message(said("A nur"), stop="refusal"), Blocked(reason=by_classifier)),
        "refusal with details": (
            message(stop="refusal", stop_details=details),
            Blocked(reason=f"{by_classifier} (category bio): It could do harm."),
        ),
    }


# ---- a service of one's own


def own(text: Any = TEXT, finish: str = "stop") -> dict[str, Any]:
    return {"out": [{"text": text}], "why": finish, "version": SNAPSHOT, "tokens": {"in": 9, "out": 5}}


def _own_named() -> dict[str, tuple[dict[str, Any], Outcome]]:
    blocked = Blocked(reason="the provider's content filter stopped the answer (content_filter)")
    return {
        "empty": (own(""), Answered(text="", finish_reason="stop")),
        "null": (own(None), Answered(text="", finish_reason="stop")),
        "cut": (own(finish="length"), Answered(text=TEXT, finish_reason="length")),
        "tool call": ({"out": [], "why": "tool_calls"}, Answered(text="", finish_reason="tool_calls")),
        "filter": ({"out": [], "why": "content_filter"}, blocked),
    }


_DIALECTS: Mapping[str, Mapping[str, Any]] = {
    "chat": {"answer": chat, "named": _chat_named},
    "messages": {"answer": lambda text: message(said(text)), "named": _message_named},
    "webhook": {"answer": own, "named": _own_named},
}

WEBHOOK_OPTIONS = {
    "body": json.dumps(
        {
            "model": "{{model}}",
            "turns": "{{messages}}",
            "limit": "{{max_tokens}}",
            "heat": "{{temperature}}",
            "nucleus": "{{top_p}}",
            "seed": "{{seed}}",
        }
    ),
    "response_path": "out[0].text",
    "finish_path": "why",
    "model_path": "/version",
    "input_tokens_path": "tokens.in",
    "output_tokens_path": "tokens.out",
}

SERVICES = (
    Service(model="anthropic/claude-haiku-5-5", dialect="messages", variable="ANTHROPIC_API_KEY"),
    Service(model="openai/gpt-4.1", dialect="chat", variable="OPENAI_API_KEY"),
    Service(model="openai-compatible/tiny", dialect="chat", variable="EVENHAND_API_KEY"),
    Service(model="together/a/b", dialect="chat", variable="TOGETHER_API_KEY"),
    Service(model="groq/tiny", dialect="chat", variable="GROQ_API_KEY"),
    Service(model="mistral/tiny", dialect="chat", variable="MISTRAL_API_KEY"),
    Service(model="ollama/tiny", dialect="chat", variable="OLLAMA_API_KEY"),
    Service(model="http-webhook/own", dialect="webhook", variable="headers", options=WEBHOOK_OPTIONS),
)
