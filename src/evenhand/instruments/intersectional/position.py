"""Position bias: how often the first, second and third option is chosen, whatever it says."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.instruments.intersectional.asking import Order
from evenhand.instruments.intersectional.table import Choices


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Parsed answers by the place at which their option was shown.

    Attributes
    ----------
    counts
        Choices of what was shown first, second, third. Orders are balanced, so an answerer that reads chooses each
        place equally often.
    """

    counts: tuple[int, int, int]

    @property
    def shares(self) -> tuple[float, float, float] | None:
        """Shares of the parsed answers; None without any."""
        total = sum(self.counts)
        first, second, third = self.counts
        return (first / total, second / total, third / total) if total else None


def position(choices: Choices, orders: Sequence[Sequence[Order]]) -> Position:
    """Count, from (N, R) choices and the orders in which the options were put."""
    shown = np.argsort(np.asarray(orders, dtype=np.int64), axis=2)  # where each option of the item stood
    parsed = choices >= 0
    places = np.take_along_axis(shown, np.maximum(choices, 0)[:, :, None].astype(np.int64), axis=2)[:, :, 0]
    first, second, third = (int(n) for n in np.bincount(places[parsed], minlength=3))
    return Position(counts=(first, second, third))
