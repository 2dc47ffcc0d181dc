"""What came back for one request: Answered | Blocked | Failed, three types, never a magic string."""

from dataclasses import dataclass
from typing import Literal

FinishReason = Literal["stop", "length", "tool_calls", "reasoning_only", "refusal", "paused", "unknown"]
"""Why an answer ended.

``"stop"`` by itself · ``"length"`` cut by the token limit · ``"tool_calls"`` with calls of tools instead of text ·
``"reasoning_only"`` after thinking, without a word of answer · ``"refusal"`` declined, and the provider says so in a
field of its own · ``"paused"`` in the middle, to be continued · ``"unknown"`` nobody said.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens as the provider counts them; None where it did not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One try at one request.

    Attributes
    ----------
    status
        ``"ok"``, ``"blocked"``, or the class name of the error.
    detail
        The error text, without secrets; empty when the try succeeded.
    started_at
        UTC time in ISO 8601.
    latency_s
        Seconds from sending to the answer or the error.
    http_status
        HTTP status, if there was one.
    provider_request_id
        The provider's own id, to quote when asking it what happened.
    """

    status: str
    started_at: str
    latency_s: float
    detail: str = ""
    http_status: int | None = None
    provider_request_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The model answered. An empty text is an answer of no service, not a failure.

    Attributes
    ----------
    text
        The answer, whole and unchanged.
    finish_reason
        Why it ended. With ``"tool_calls"`` and ``"reasoning_only"`` the text is empty, which is not what an empty
        answer that ended with ``"stop"`` is.
    """

    text: str
    finish_reason: FinishReason = "unknown"

    @property
    def is_empty(self) -> bool:
        """True if there is nothing but white space."""
        return not self.text.strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocked:
    """A filter or moderation layer stopped the request or the answer."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """No answer: an error that retries did not cure. Says nothing about the model's fairness."""

    error: str
    kind: str = "ModelError"
    traceback: str = ""


Outcome = Answered | Blocked | Failed
