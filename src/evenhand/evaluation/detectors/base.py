"""The seam: what a detector says about one trace, and the decisions that need no detector."""

import re
from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from evenhand.core.conversations import Trace, Turn
from evenhand.core.detections import Decision, DecisionStatus
from evenhand.core.outcomes import Answered, Blocked
from evenhand.core.vectors import Side

_SENTENCE_END = re.compile(r"[.!?](?=\s)|\n")

Verdict = tuple[bool | None, DecisionStatus, str]
"""Decision, status, reason in words."""


@runtime_checkable
class Detector(Protocol):
    """Judges traces.

    Attributes
    ----------
    name
        Unique: ``"paired-terms"``.
    version
        Changes whenever its decisions could change; stored beside every decision.
    attributes
        Protected attributes that it can decide on; None for any.
    needs_pair
        Whether it compares two sides, or reads one.
    blind_spots
        What it cannot see, one sentence each; printed in every report.
    """

    name: str
    version: str
    attributes: Sequence[str] | None
    needs_pair: bool
    blind_spots: Sequence[str]

    def judge(self, trace: Trace) -> Sequence[Decision]:
        """Return one decision per turn of the vector and attribute of it, in that order.

        A turn without a reply is ``"error"``, a turn that was never asked ``"censored"``: neither is a no.
        """
        ...


def missing(trace: Trace, number: int) -> Verdict | None:
    """Say why turn `number` cannot be judged: a side got no reply, or was never asked. None if it can."""
    for side in trace.vector.sides:
        turn = turn_of(trace, side, number)
        if turn is not None and turn.reply is None:
            return None, "error", f"{_on(trace, side)}no reply: {_why(turn)}"
    for side in trace.vector.sides:
        if turn_of(trace, side, number) is None:
            return None, "censored", f"{_on(trace, side)}the conversation had ended before this turn"
    return None


def turn_of(trace: Trace, side: Side, number: int) -> Turn | None:
    """Return a turn by its number; None if it was never asked."""
    return next((turn for turn in trace.sides.get(side, ()) if turn.number == number), None)


def reply_of(trace: Trace, side: Side, number: int) -> str:
    """Return a reply that `missing` has found to be there."""
    turn = turn_of(trace, side, number)
    reply = None if turn is None else turn.reply
    assert reply is not None
    return reply


def finished_part(trace: Trace, side: Side, number: int) -> str:
    """Return a reply without the sentence in which the token limit cut it: the end of a figure may be missing there."""
    turn, text = turn_of(trace, side, number), reply_of(trace, side, number)
    assert turn is not None
    outcome = turn.output.outcome
    if not isinstance(outcome, Answered) or outcome.finish_reason != "length":
        return text
    ends = [found.end() for found in _SENTENCE_END.finditer(text)]
    return text[: ends[-1]] if ends else ""


def decisions(trace: Trace, verdicts: Mapping[tuple[int, str], Verdict]) -> tuple[Decision, ...]:
    """Make one decision per turn and attribute; `verdicts` holds them by turn and attribute."""
    return tuple(
        Decision(
            trace=trace.name,
            turn=number,
            attribute=attribute,
            decision=decision,
            status=status,
            vector=trace.vector.id,
            replicate=trace.replicate,
            reason=reason,
        )
        for (number, attribute), (decision, status, reason) in verdicts.items()
    )


def _why(turn: Turn) -> str:
    match turn.output.outcome:
        case Answered(finish_reason=finish_reason):
            return f"the answer is empty ({finish_reason})"
        case Blocked(reason=reason):
            return f"blocked, {reason}"
        case failed:
            return failed.error


def _on(trace: Trace, side: Side) -> str:
    label = trace.vector.label(side)
    return f"side {label!r}: " if label else ""
