"""What the OpenAI SDK raises, as our errors: worth a retry or not, without secrets, with what to do."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from evenhand.adapters.chat_completions import error_message
from evenhand.adapters.retry_after import retry_after_s
from evenhand.core.outcomes import Blocked
from evenhand.errors import (
    AuthenticationError,
    BadResponseError,
    ModelError,
    OverloadedError,
    RateLimitedError,
)

if TYPE_CHECKING:
    import openai

_BLOCK_CODES = {"content_policy_violation", "content_filter", "moderation_blocked", "content_policy", "safety_blocked"}
# the account is empty: waiting does not fill it
_QUOTA_CODES = {"insufficient_quota", "billing_hard_limit_reached"}


def translate(
    error: "openai.OpenAIError",
    *,
    host: str,
    key_hint: str,
    redact: Callable[[str], str],
    now: datetime | None = None,
) -> ModelError | Blocked:
    """Turn an exception of the SDK into ours, or into the outcome of a moderated request.

    Parameters
    ----------
    host
        Who was asked, for the message.
    key_hint
        What to do about a key that is not accepted, as a sentence.
    redact
        Removes key material from what the provider wrote.
    now
        Time that a Retry-After date is compared with; the current time if not given.
    """
    import openai

    match error:
        case openai.APIStatusError():
            return _from_status(error, host=host, key_hint=key_hint, redact=redact, now=now or datetime.now(UTC))
        case openai.APITimeoutError():
            return OverloadedError(f"{host} did not answer in time")
        case openai.APIConnectionError():
            cause = redact(str(error.__cause__ or "")) or "connection lost"
            return OverloadedError(f"no answer from {host}: {cause}")
        case openai.APIResponseValidationError():
            return BadResponseError(f"{host} sent something else than the protocol promises", status=error.status_code)
        case _:
            return ModelError(f"{host}: {redact(str(error))}")


def _from_status(
    error: "openai.APIStatusError", *, host: str, key_hint: str, redact: Callable[[str], str], now: datetime
) -> ModelError | Blocked:
    status, request_id = error.status_code, error.request_id
    said = redact(_said(error))
    text = f"{host} answered {status}: {said}"
    if error.code in _BLOCK_CODES:
        return Blocked(reason=said)
    if status in (401, 403):
        return AuthenticationError(f"{text}. {key_hint}", status=status, request_id=request_id)
    wait_s = retry_after_s(error.response.headers, now=now)
    if error.code in _QUOTA_CODES:
        return ModelError(text, status=status, request_id=request_id)
    if status == 429 or (status == 503 and wait_s is not None):
        return RateLimitedError(text, retry_after_s=wait_s, status=status, request_id=request_id)
    if status == 408 or status >= 500:
        return OverloadedError(text, status=status, request_id=request_id)
    return ModelError(text, status=status, request_id=request_id)


def _said(error: "openai.APIStatusError") -> str:
    content_type = error.response.headers.get("content-type", "")
    if "html" in content_type:  # a proxy's page says nothing that helps
        return "an HTML page, not an error of the protocol"
    return error_message(error.body)
