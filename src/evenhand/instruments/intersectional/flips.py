"""The items whose answers change from run to run."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.instruments.intersectional.table import INVALID, REFUSED, Choices, ItemTable

SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """One item that got different answers.

    Attributes
    ----------
    votes
        Runs that chose each option, in the item's own order.
    invalid
        Runs with no option.
    label
        Place of the right option.
    agreement
        Share of pairs of parsed answers that are the same, in [0, 1].
    """

    category: str
    example_id: int
    question: str
    options: tuple[str, str, str]
    votes: tuple[int, int, int]
    invalid: int
    label: int
    agreement: float


def flips(table: ItemTable, choices: Choices, *, most: int = SHOWN) -> Sequence[Flip]:
    """List the items with the least agreement between runs, least first; only those whose answers differ."""
    votes = np.stack([(choices == place).sum(axis=1) for place in range(3)], axis=1)
    parsed = votes.sum(axis=1)
    pairs = parsed * (parsed - 1) / 2
    same = (votes * (votes - 1) / 2).sum(axis=1)
    agreement = np.divide(same, pairs, out=np.ones(len(pairs)), where=pairs > 0)
    order = np.argsort(agreement, kind="stable")[:most]
    return tuple(_flip(table, choices, votes, agreement, int(i)) for i in order if agreement[i] < 1)


def _flip(table: ItemTable, choices: Choices, votes: np.ndarray, agreement: np.ndarray, place: int) -> Flip:
    item = table.items[place]
    first, second, third = map(int, votes[place])
    return Flip(
        category=item.category,
        example_id=item.example_id,
        question=item.question,
        options=item.options,
        votes=(first, second, third),
        invalid=int(np.isin(choices[place], (INVALID, REFUSED)).sum()),
        label=item.label,
        agreement=float(agreement[place]),
    )
