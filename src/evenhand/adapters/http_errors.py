"""What an HTTP error of a provider means: worth a retry, a block, or a reason to stop, with what to do."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from evenhand.adapters.retry_after import retry_after_s
from evenhand.core.outcomes import Blocked
from evenhand.errors import (
    AuthenticationError,
    CapabilityError,
    CreditError,
    EvenhandError,
    ModelError,
    OverloadedError,
    RateLimitedError,
    UsageError,
)

# Codes, not words: providers promise their codes and reword their messages.
_BLOCK_CODES = frozenset(
    {
        "content_filter",
        "content_policy",
        "content_policy_violation",
        "moderation_blocked",
        "moderation_flagged",
        "responsibleaipolicyviolation",
        "safety_blocked",
    }
)
# waiting does not fill an empty account
_CREDIT_CODES = frozenset(
    {
        "billing_error",
        "billing_hard_limit_reached",
        "billing_not_active",
        "contract_spend_limit_reached",
        "credit_limit_reached",
        "enforced_spend_limit_reached",
        "insufficient_balance",
        "insufficient_credits",
        "insufficient_quota",
        "organization_on_hold",
        "payment_required",
    }
)
_PARAMETER_CODES = frozenset({"unsupported_parameter", "unsupported_value"})
_MODEL_CODES = frozenset({"model_not_found", "model_not_available", "model_decommissioned", "deprecated_model"})


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpFailure:
    """An answer with an error status, as the provider sent it.

    Attributes
    ----------
    status
        HTTP status.
    said
        The provider's message in one line, without secrets.
    codes
        Its machine-readable words for the error, in any case: ``code``, ``type`` and the like.
    parameter
        The parameter it complains about, if it names one.
    headers
        Of the response; lookup ignores case.
    request_id
        The provider's id of the request.
    """

    status: int
    said: str
    codes: Collection[str]
    headers: Mapping[str, str]
    parameter: str | None = None
    request_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Who was asked for what, for messages.

    Attributes
    ----------
    host
        Host name.
    model
        The model as requested.
    key_hint
        What to do about a key that is not accepted, as a sentence.
    model_hint
        What to do about a model that is not there, as a sentence.
    redact
        Removes key material.
    """

    host: str
    model: str
    key_hint: str
    model_hint: str
    redact: Callable[[str], str]


def meaning(failure: HttpFailure, asked: Asked, *, now: datetime) -> EvenhandError | Blocked:
    """Return the error to raise, or the outcome of a request that a filter stopped.

    Parameters
    ----------
    now
        Aware time, which dates in the headers are compared with.

    Returns
    -------
    EvenhandError or Blocked
        `UsageError` and `AuthenticationError`, which stop the run, where every other request would fare the same.
    """
    failure = replace(
        failure, request_id=_hidden(failure.request_id, asked), parameter=_hidden(failure.parameter, asked)
    )
    status, request_id = failure.status, failure.request_id
    codes = {code.lower() for code in failure.codes}
    text = f"{asked.host} answered {status}: {failure.said}"
    if codes & _BLOCK_CODES:
        return Blocked(reason=failure.said)
    if status == 402 or codes & _CREDIT_CODES:
        return CreditError(
            f"{_sentence(text)} The account may not spend more; add credit or raise its limit, then resume the run.",
            status=status,
            request_id=request_id,
        )
    if status in (401, 403):
        return AuthenticationError(f"{_sentence(text)} {asked.key_hint}.", status=status, request_id=request_id)
    if status in (404, 410) or codes & _MODEL_CODES:
        return UsageError(f"{_sentence(text)} {asked.model_hint}.{_id(request_id)}")
    if codes & _PARAMETER_CODES:
        named = failure.parameter or "a parameter of this run"
        return CapabilityError(
            f"{_sentence(text)} {asked.model} does not take {named}; leave it unset.{_id(request_id)}"
        )
    return _passing(failure, text, now) or ModelError(text, status=status, request_id=request_id)


def _passing(failure: HttpFailure, text: str, now: datetime) -> ModelError | None:
    status, request_id = failure.status, failure.request_id
    wait_s = retry_after_s(failure.headers, now=now)
    if status == 429 or (status in (503, 529) and wait_s is not None):
        return RateLimitedError(text, retry_after_s=wait_s, status=status, request_id=request_id)
    if status in (408, 409, 425) or status >= 500:  # 409: a lock on their side
        return OverloadedError(text, status=status, request_id=request_id)
    return None


def _hidden(text: str | None, asked: Asked) -> str | None:
    # what the provider sends may hold what it was sent
    return None if text is None else asked.redact(text)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _id(request_id: str | None) -> str:
    # these two errors have no field for it
    return f" (request {request_id})" if request_id else ""
