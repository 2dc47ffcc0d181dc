"""Conversations as they happened: the turns of each side of one replicate of one vector."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenhand.core.outcomes import Answered
from evenhand.core.types import GeneratedOutput
from evenhand.core.vectors import AttackVector, Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn of the user and what came back.

    Attributes
    ----------
    vector
        Id of the attack vector.
    replicate, number
        From 1; `number` counts the turns of the conversation.
    said
        What the user said in this turn; the turns before it were sent along, with the model's replies.
    seed
        Of this one request.
    round
        1 for the first time that the turn was asked; a turn that failed may be asked again in a later round.
    """

    vector: str
    replicate: int
    side: Side
    number: int
    said: str
    seed: int
    output: GeneratedOutput
    round: int = 1

    @property
    def reply(self) -> str | None:
        """The model's words; None if there were none, after which the conversation cannot go on."""
        outcome = self.output.outcome
        return outcome.text if isinstance(outcome, Answered) and not outcome.is_empty else None

    @property
    def key(self) -> tuple[str, int, Side, int]:
        """Vector, replicate, side, number."""
        return self.vector, self.replicate, self.side, self.number


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One replicate of one vector, for a paired vector both sides: what a detector judges.

    Attributes
    ----------
    sides
        Side to its turns in order; those after a turn without a reply were never asked.
    """

    vector: AttackVector
    replicate: int
    sides: Mapping[Side, Sequence[Turn]]

    @property
    def name(self) -> str:
        """Unique within a run: ``"credit-age/3"``."""
        return f"{self.vector.id}/{self.replicate}"
