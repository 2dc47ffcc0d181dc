"""What came back for one request: Answered | Blocked | Failed, three types, never a magic string."""

from dataclasses import dataclass
from typing import Literal

FinishReason = Literal["stop", "length", "unknown"]


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
        ``"length"`` if the token limit cut the answer.
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
