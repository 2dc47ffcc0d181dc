"""What an official SDK raises, as our errors: worth a retry or not, without secrets, with what to do."""

from datetime import UTC, datetime
from typing import Any

from evenhand.adapters.http_errors import Asked, HttpFailure, meaning
from evenhand.adapters.replies import error_codes, error_message, parameter_of
from evenhand.core.outcomes import Blocked
from evenhand.errors import BadResponseError, EvenhandError, ModelError, OverloadedError


def translate(error: Exception, sdk: Any, asked: Asked, *, now: datetime | None = None) -> EvenhandError | Blocked:
    """Turn an exception of the SDK into ours, or into the outcome of a request that a filter stopped.

    Parameters
    ----------
    sdk
        The imported module, ``anthropic`` or ``openai``: both are generated from one template and name their
        exceptions alike. Any, because a module has no narrower type.
    now
        Time that a Retry-After date is compared with; the current time if not given.
    """
    if isinstance(error, sdk.APIStatusError):
        return meaning(_failure(error, asked), asked, now=now or datetime.now(UTC))
    if isinstance(error, sdk.APITimeoutError):
        return OverloadedError(f"{asked.host} did not answer in time")
    if isinstance(error, sdk.APIConnectionError):
        cause = asked.redact(str(error.__cause__ or "")) or "connection lost"
        return OverloadedError(f"no answer from {asked.host}: {cause}")
    if isinstance(error, sdk.APIResponseValidationError):
        return BadResponseError(
            f"{asked.host} sent something else than the protocol promises", status=error.status_code
        )
    return ModelError(f"{asked.host}: {asked.redact(str(error))}")


def _failure(error: Any, asked: Asked) -> HttpFailure:
    headers = error.response.headers
    is_page = "html" in headers.get("content-type", "")  # a proxy's page says nothing that helps
    return HttpFailure(
        status=error.status_code,
        said="an HTML page, not an error of the protocol" if is_page else asked.redact(error_message(error.body)),
        codes=error_codes(error.body),
        parameter=parameter_of(error.body),
        headers=headers,
        request_id=error.request_id,
    )
