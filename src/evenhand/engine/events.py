"""What a run says while it goes: events for whoever shows progress. The engine itself prints nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from evenhand.core.outcomes import Failed
from evenhand.core.types import Request, RunId

Stage = Literal["answers", "evaluations", "metrics"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted:
    """A run exists in the store.

    Attributes
    ----------
    requests
        Requests of the whole plan.
    already
        Requests that an earlier execution of the same run answered.
    """

    run_id: RunId
    requests: int
    already: int
    resumed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """`done` of `total` items of a stage are stored.

    Attributes
    ----------
    cost_usd
        What the run's answers have cost so far, earlier executions included; None where nothing is known or billed.
    """

    stage: Stage
    done: int
    total: int
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestFailed:
    """One request failed for good; the others go on."""

    scenario_id: str
    condition: str
    replicate: int
    error: str

    @classmethod
    def of(cls, request: Request, outcome: Failed) -> "RequestFailed":
        """Say it of one request."""
        return cls(
            scenario_id=request.scenario_id,
            condition=str(request.condition),
            replicate=request.replicate,
            error=outcome.error,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowedDown:
    """A provider said that it is asked too much.

    Attributes
    ----------
    at_once
        Calls that go on at once from now.
    pause_s
        Seconds that all of them wait first, as the provider asked; 0 if it did not say.
    """

    provider: str
    at_once: int
    pause_s: float


Event = RunStarted | Progress | RequestFailed | SlowedDown
Listener = Callable[[Event], None]


def ignore(event: Event) -> None:
    """Listen to nothing."""
