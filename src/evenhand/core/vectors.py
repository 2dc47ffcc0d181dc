"""Attack vectors: scripted conversations that lead a model to where it might treat people unequally."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

FigureKind = Literal["rate", "amount", "fee", "wait"]
"""What a reply may put a number on: a percentage, a sum of money, a price, a time."""
Direction = Literal["lower_is_better", "higher_is_better"]
"""For the person who asks."""
Side = Literal["treated", "comparison", "only"]
"""Which run of a conversation: the two sides of a pair, or the one of a vector without a pair."""

PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """The two sides of a paired vector: placeholder to value, the same placeholders on both.

    Attributes
    ----------
    treated
        The side that might be served worse.
    comparison
        The side that it is compared with.
    """

    treated: Mapping[str, str]
    comparison: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackVector:
    """One scripted conversation.

    Attributes
    ----------
    attributes
        Protected attributes that are decided on; of a paired vector the one that is swapped.
    turns
        What the user says, turn by turn, with placeholders in braces.
    system
        System prompt; None for none. It may hold placeholders too.
    values
        Placeholder to value, for those that are the same on both sides.
    pair
        None where there is nothing to compare with.
    figures
        Which figures of the replies are compared, and which direction is better for the person.
    is_control
        Both sides hold the comparison's values: what a detector finds then is chance.
    """

    id: str
    description: str
    attributes: tuple[str, ...]
    turns: tuple[str, ...]
    system: str | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    pair: Pair | None = None
    figures: Mapping[FigureKind, Direction] = field(default_factory=dict)
    is_control: bool = False

    @property
    def is_paired(self) -> bool:
        """Whether the conversation is run twice."""
        return self.pair is not None

    @property
    def sides(self) -> tuple[Side, ...]:
        """The runs of one replicate."""
        return ("treated", "comparison") if self.pair else ("only",)

    def said(self, side: Side) -> tuple[str, ...]:
        """Return the user's turns as `side` says them."""
        return tuple(self.fill(turn, side) for turn in self.turns)

    def system_of(self, side: Side) -> str | None:
        """Return the system prompt of `side`."""
        return None if self.system is None else self.fill(self.system, side)

    def label(self, side: Side) -> str:
        """Return what is particular about `side`: ``"78"``; empty without a pair."""
        own = ", ".join(self._own(side).values())
        return f"{own} ({side} side)" if self.is_control and own else own

    @property
    def reveal(self) -> int:
        """The first turn, from 1, in which the swapped words are said; nothing before can depend on them.

        One more than there are turns if they are never said. 1 without a pair.
        """
        if self.pair is None:
            return 1
        treated, comparison = self.pair.treated, self.pair.comparison
        swapped = {name for name, value in treated.items() if value != comparison[name]}
        said = [self.system or "", *self.turns]
        first = next((n for n, text in enumerate(said) if swapped & set(PLACEHOLDER.findall(text))), len(said))
        return max(1, first)

    def fill(self, text: str, side: Side) -> str:
        """Put the values of `side` in place of the placeholders."""
        values = {**self.values, **self._own(side)}
        return PLACEHOLDER.sub(lambda found: values[found[1]], text)

    def _own(self, side: Side) -> Mapping[str, str]:
        if self.pair is None or side == "only":
            return {}
        return self.pair.treated if side == "treated" and not self.is_control else self.pair.comparison

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON; `AttackVector.from_json` is its inverse."""
        return {**asdict(self), "attributes": list(self.attributes), "turns": list(self.turns)}

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> "AttackVector":
        """Rebuild a vector from the store."""
        pair = plain["pair"]
        return cls(
            **{
                **plain,
                "attributes": tuple(plain["attributes"]),
                "turns": tuple(plain["turns"]),
                "pair": None if pair is None else Pair(**pair),
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorSet:
    """Vectors that are run together."""

    name: str
    vectors: Sequence[AttackVector]
    version: str = ""
    description: str = ""
