"""The retry policy: what is tried again, how long is waited, what is written down."""

import asyncio
import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.adapters.base import ModelAdapter
from evenhand.adapters.retry import RetryPolicy, ask, redact
from evenhand.core.outcomes import Answered, Blocked, Failed
from evenhand.core.types import GeneratedOutput, GenerationConfig, ModelInfo
from evenhand.errors import (
    AuthenticationError,
    BadResponseError,
    MissingAssetError,
    ModelError,
    OverloadedError,
    RateLimitedError,
    UsageError,
)

KEY = "key-of-the-customer-1234"


class Scripted(ModelAdapter):
    """Raises or returns the items of a script in turn."""

    def __init__(self, *script: Any) -> None:
        self.script = list(script)

    @property
    def name(self) -> str:
        return "test/scripted"

    @property
    def secrets(self) -> Sequence[str]:
        return [KEY]

    def get_model_info(self) -> ModelInfo:
        return ModelInfo(provider="test", name="scripted")

    async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedOutput:
        item = self.script.pop(0)
        if isinstance(item, BaseException):
            raise item
        if callable(item):
            await item()
        return item  # type: ignore[no-any-return]


@pytest.fixture
def put(fake_time: Any) -> Any:
    """Ask a scripted adapter, with a fake clock and without jitter."""

    class Half:
        def random(self) -> float:
            return 1.0

    async def run(*script: Any, **policy: Any) -> GeneratedOutput:
        return await ask(
            Scripted(*script),
            "Hello",
            None,
            policy=RetryPolicy(**policy),
            rng=Half(),
            sleep=fake_time.sleep,
            clock=fake_time.clock,
        )

    return run


OK = GeneratedOutput.answer("Hello!")


async def test_an_answer_passes_with_its_one_attempt(put: Any) -> None:
    """Status ok, start in UTC, latency in seconds."""
    output = await put(OK)
    assert output.text == "Hello!"
    (attempt,) = output.attempts
    assert (attempt.status, attempt.detail, attempt.started_at) == ("ok", "", "2027-01-01T00:00:00+00:00")
    assert output.latency_s == attempt.latency_s == 0.0


async def test_a_block_is_an_outcome_and_not_a_failure(put: Any) -> None:
    """A filter's stop is not tried again and keeps its reason."""
    output = await put(GeneratedOutput(outcome=Blocked(reason="moderation")))
    assert output.outcome == Blocked(reason="moderation")
    assert [a.status for a in output.attempts] == ["blocked"]


async def test_what_may_pass_is_tried_again_and_every_try_is_recorded(put: Any, fake_time: Any) -> None:
    """Waits double from the base: 1, 2 seconds; status and request id of each failure are kept."""
    output = await put(
        OverloadedError("busy", status=503, request_id="r-1"), RateLimitedError("slow down"), OK, base_s=1.0
    )
    assert output.text == "Hello!"
    assert fake_time.slept == [1.0, 2.0]
    assert [(a.status, a.http_status, a.provider_request_id) for a in output.attempts] == [
        ("OverloadedError", 503, "r-1"),
        ("RateLimitedError", 429, None),
        ("ok", None, None),
    ]
    assert [a.started_at[17:19] for a in output.attempts] == ["00", "01", "03"]


async def test_retries_end(put: Any, fake_time: Any) -> None:
    """After the last try the request has failed, with the number of tries; the cap bounds the waits."""
    output = await put(*[OverloadedError("busy")] * 9, attempts=4, base_s=2.0, cap_s=5.0)
    assert output.outcome.error == "busy (tried 4 times)"
    assert output.outcome.kind == "OverloadedError"
    assert len(output.attempts) == 4
    assert fake_time.slept == [2.0, 4.0, 5.0]


async def test_retry_after_is_honoured_exactly(put: Any, fake_time: Any) -> None:
    """What the provider asks for wins over our own schedule, zero included."""
    await put(RateLimitedError("x", retry_after_s=17.25), RateLimitedError("x", retry_after_s=0.0), OK)
    assert fake_time.slept == [17.25, 0.0]


async def test_a_wait_that_is_too_long_is_not_begun(put: Any, fake_time: Any) -> None:
    """An hour's wait fails at once and says what was asked for."""
    output = await put(RateLimitedError("quota of the hour", retry_after_s=3600.0), OK, longest_wait_s=120.0)
    assert output.outcome.error == "quota of the hour (asked to wait 3600 s; one wait may take 120 s)"
    assert fake_time.slept == []


@pytest.mark.parametrize("error", [ModelError("no such model", status=404), BadResponseError("not JSON")])
async def test_what_will_not_pass_is_not_tried_again(put: Any, error: ModelError) -> None:
    """One try, and the outcome names the kind."""
    output = await put(error, OK)
    assert output.outcome.kind == type(error).__name__
    assert output.outcome.error == str(error)
    assert len(output.attempts) == 1


async def test_an_unforeseen_exception_of_a_plugin_costs_one_request_only(put: Any) -> None:
    """It becomes a failure with kind and traceback."""
    output = await put(ZeroDivisionError("division by zero"))
    assert (output.outcome.kind, output.outcome.error) == ("ZeroDivisionError", "division by zero")
    assert "in generate" in output.outcome.traceback


@pytest.mark.parametrize("error", [AuthenticationError("no"), MissingAssetError("m", "It"), UsageError("fix me")])
async def test_what_stops_the_run_is_raised(put: Any, error: Exception) -> None:
    """A refused key or a missing model file is the same for every request."""
    with pytest.raises(type(error)):
        await put(error)


async def test_cancellation_is_not_an_answer(put: Any) -> None:
    """A cancelled request is cancelled, during a try and between two."""
    with pytest.raises(asyncio.CancelledError):
        await put(asyncio.CancelledError())

    async def for_ever(_: float) -> None:
        await asyncio.sleep(3600)

    task = asyncio.create_task(
        ask(Scripted(OverloadedError("busy"), OK), "Hello", None, rng=random.Random(1), sleep=for_ever)
    )
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize(
    ("item", "given"), [(None, "None"), ("Hello", "str"), (GeneratedOutput(outcome="Hello"), "type str")]
)
async def test_a_return_that_is_no_output_is_a_failure_naming_the_adapter(put: Any, item: Any, given: str) -> None:
    """An adapter whose body is still ``...`` returns None: that says nothing about the model."""
    output = await put(item)
    assert isinstance(output.outcome, Failed)
    assert "test/scripted" in output.outcome.error
    assert given in output.outcome.error


async def test_a_try_without_end_counts_as_overload(put: Any) -> None:
    """The limit is per try; the next one may answer."""

    async def hang() -> None:
        await asyncio.sleep(3600)

    output = await put(hang, OK, timeout_s=0.02)
    assert output.text == "Hello!"
    assert output.attempts[0].status == "OverloadedError"
    assert output.attempts[0].detail == "no answer within 0.02 s"


async def test_an_adapters_own_timeout_error_is_not_taken_for_ours(put: Any) -> None:
    """It was not mapped to a ModelError, so nothing says that another try makes sense."""
    output = await put(TimeoutError("inside"))
    assert output.outcome.kind == "TimeoutError"


async def test_no_secret_reaches_what_is_stored(put: Any) -> None:
    """Neither error nor traceback nor attempts hold the key, from errors and from returned failures."""
    failed = Failed(error=f"bad {KEY}", traceback=f"header {KEY}")
    for item in (ValueError(f"bad {KEY}"), ModelError(f"bad {KEY}"), GeneratedOutput(outcome=failed)):
        output = await put(item)
        assert "[redacted]" in output.outcome.error
        assert KEY not in repr(output)


def test_redaction_knows_the_shapes_of_keys() -> None:
    """Bearer tokens, masked keys, URL credentials and quoted forms go, ordinary words stay."""
    assert redact("Incorrect API key provided: sk-proj-abcd****wxyz.") == "Incorrect API key provided: [redacted]."
    assert redact("Authorization: Bearer abc.def") == "Authorization: Bearer [redacted]"
    assert redact("at http://me:pw@host/v1?x=1") == "at http://[redacted]@host/v1?x=1"
    assert redact("q=a%2Fb%2Bc and a/b+c", ["a/b+c"]) == "q=[redacted] and [redacted]"
    assert redact("The task-force met in Skopje at 10:30.", ["", "zzz"]) == "The task-force met in Skopje at 10:30."


@given(secret=st.text(min_size=1), before=st.text(), after=st.text())
def test_a_secret_never_survives(secret: str, before: str, after: str) -> None:
    """Whatever stands around it, unless the mark itself spells it."""
    if secret in "[redacted]":
        return
    assert secret not in redact(before + secret + after, [secret]).replace("[redacted]", "\0")


@given(tries=st.integers(1, 60), draw=st.floats(0, 1, exclude_max=True))
def test_waits_stay_between_half_and_whole(tries: int, draw: float) -> None:
    """Jitter never shortens a wait below half of the schedule, nor lengthens it beyond the cap."""

    class Fixed:
        def random(self) -> float:
            return draw

    whole = min(30.0, 2.0 ** (tries - 1))
    assert whole / 2 <= RetryPolicy().wait_s(OverloadedError("busy"), tries, Fixed()) <= whole


def test_a_policy_without_a_try_is_refused() -> None:
    """Nothing would ever be asked."""
    with pytest.raises(UsageError):
        RetryPolicy(attempts=0)


def test_answered_outcomes_are_unchanged() -> None:
    """Redaction never touches what the model said."""

    async def run() -> GeneratedOutput:
        said = GeneratedOutput.answer(f"my key is {KEY} and sk-abcdefgh1234")
        return await ask(Scripted(said), "Hello", None, rng=random.Random(1))

    assert asyncio.run(run()).outcome == Answered(text=f"my key is {KEY} and sk-abcdefgh1234")
