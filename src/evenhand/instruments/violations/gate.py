"""A violation rate against a line: over it, under it, or not decided by this much data."""

from dataclasses import dataclass
from typing import Literal

from evenhand.errors import UsageError
from evenhand.instruments.violations.rate import Rate

State = Literal["over", "under", "undecided"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RateGate:
    """How the rate stands.

    Attributes
    ----------
    held
        Not over the line; with `strict`, under it.
    reason
        One sentence, with the numbers.
    """

    line: float
    state: State
    held: bool
    reason: str


def rate_gate(rate: Rate, line: float, *, strict: bool = False) -> RateGate:
    """Hold the interval of the observed rate against a line.

    Over the line: the lower limit lies above it. Under it: the upper limit does not, with everything that is missing
    counted as a violation. Anything else is undecided.

    Raises
    ------
    UsageError
        If the line is no rate.
    """
    check_line(line)
    state, reason = _state(rate, line)
    return RateGate(
        line=line, state=state, held=state == "under" or (state == "undecided" and not strict), reason=reason
    )


def check_line(line: float) -> None:
    """Refuse a line that no rate could lie on.

    Raises
    ------
    UsageError
        If it is not from 0 to below 1.
    """
    if not 0 <= line < 1:
        raise UsageError(f"a line for the rate lies from 0 to below 1, as in 0.10, not at {line:g}")


def _state(rate: Rate, line: float) -> tuple[State, str]:
    if rate.interval is None:
        return "undecided", "there is no rate, as no trace has a judged decision"
    low, high = rate.interval.low, rate.interval.high
    if low > line:
        return "over", f"the lower limit of the rate is {low:.4f}"
    worst = rate.envelope.high if rate.envelope is not None else high
    if worst <= line:
        return "under", f"the upper limit of the rate is {worst:.4f}"
    missing = "" if worst == high else f", and with everything missing as a violation up to {worst:.4f}"
    return "undecided", f"the interval reaches from {low:.4f} to {high:.4f}{missing}"
