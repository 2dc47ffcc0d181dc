"""What the OpenAI SDK raises, as our errors: worth a retry or not, without secrets, with what to do."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from evenhand.adapters.http_errors import Asked, HttpFailure, meaning
from evenhand.adapters.replies import error_codes, error_message, parameter_of
from evenhand.core.outcomes import Blocked
from evenhand.errors import BadResponseError, EvenhandError, ModelError, OverloadedError

if TYPE_CHECKING:
    import openai


def translate(error: "openai.OpenAIError", asked: Asked, *, now: datetime | None = None) -> EvenhandError | Blocked:
    """Turn an exception of the SDK into ours, or into the outcome of a moderated request.

    Parameters
    ----------
    now
        Time that a Retry-After date is compared with; the current time if not given.
    """
    import openai

    match error:
        case openai.APIStatusError():
            return meaning(_failure(error, asked), asked, now=now or datetime.now(UTC))
        case openai.APITimeoutError():
            return OverloadedError(f"{asked.host} did not answer in time")
        case openai.APIConnectionError():
            cause = asked.redact(str(error.__cause__ or "")) or "connection lost"
            return OverloadedError(f"no answer from {asked.host}: {cause}")
        case openai.APIResponseValidationError():
            return BadResponseError(
                f"{asked.host} sent something else than the protocol promises", status=error.status_code
            )
        case _:
            return ModelError(f"{asked.host}: {asked.redact(str(error))}")


def _failure(error: "openai.APIStatusError", asked: Asked) -> HttpFailure:
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
