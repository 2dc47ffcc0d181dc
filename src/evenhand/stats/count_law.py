"""Law of a weighted mean of numbers that are read from counts: chance of one as small, or as large, at given shares."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evenhand.stats.outcomes import all_outcomes, chances, how_many
from evenhand.stats.skewed_tail import Cumulants, chance_below, quantile

Floats = NDArray[np.float64]
Read = Callable[[Floats, NDArray[np.intp]], Floats]
"""Counts (c, m, K) of these cells (c,) to numbers (c, m)."""

MOST_OUTCOMES = 60_000
"""Outcomes of all cells together up to which they are enumerated."""
DRAWS = 1_600
"""Draws of all cells together where they are not; at least 24 and at most 240 of each."""
SAME = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountLaw:
    """C cells of counts and the number read from them.

    Attributes
    ----------
    n
        (C,) outputs of each cell.
    size
        (C,) categories of each cell; further ones are padding, whose share is 0.
    weights
        (C,) of the cells in the mean.
    read
        The number of a cell.
    seed
        Of the draws that stand in where there are too many outcomes; the same ones for all shares.
    """

    n: NDArray[np.int64]
    size: NDArray[np.int64]
    weights: Floats
    read: Read
    seed: int
    _tables: dict[tuple[int, int], tuple[Floats, Floats]] = field(default_factory=dict, init=False)

    def quartile(self, shares: Floats) -> float:
        """Return the first quartile of the mean at shares (C, K)."""
        if self.is_enumerable and len(self.n) == 1:
            values, chance = self._single(shares[None])
            order = np.argsort(values)
            place = int(np.searchsorted(np.cumsum(chance[0, order]), 0.25 - SAME))
            return float(values[order][min(place, len(order) - 1)])
        return float(quantile(0.25, self._cumulants(shares[None]))[0])

    def expected(self, shares: Floats) -> Floats:
        """Return the mean of each cell's number at shares (C, K); (C,)."""
        means: Floats = (self._enumerated if self.is_enumerable else self._drawn)(shares[None])[0][0]
        return means

    def below(self, observed: Sequence[float], shares: Floats) -> Floats:
        """Return the chance of a mean below each observed one, the same counting half; (observed, T).

        Parameters
        ----------
        shares
            (T, C, K).

        Notes
        -----
        One cell with few outcomes: exact. Otherwise from the first three cumulants, which add over cells; those of a
        cell are exact while all outcomes together are few, and from draws beyond.
        """
        if self.is_enumerable and len(self.n) == 1:
            values, chance = self._single(shares)
            return np.stack([chance @ _half_where_same(values, x) for x in observed])
        cumulants = self._cumulants(shares)
        return np.stack([chance_below(x, cumulants) for x in observed])

    def same(self, seen: Floats, shares: Floats) -> Floats:
        """Return the chance that every cell reads what was seen in it, (C,), at shares (T, C, K); (T,).

        A smooth law does not know of it, and it is all there is where every output is alike.
        """
        if not self.is_enumerable:
            return np.zeros(len(shares))
        together = np.ones(len(shares))
        for n, size in sorted(set(zip(self.n.tolist(), self.size.tolist(), strict=True))):
            cells = np.flatnonzero((self.n == n) & (self.size == size))
            outcomes, values = self._table(n, size, cells, shares.shape[2])
            is_seen = np.abs(values - seen[cells, None]) <= SAME
            for place, cell in enumerate(cells):
                hit = is_seen[place]
                together *= chances(outcomes[hit], shares[:, cell]).sum(axis=1)
        return together

    @property
    def is_enumerable(self) -> bool:
        """Whether the outcomes are few enough to look at all."""
        return sum(map(how_many, self.n.tolist(), self.size.tolist())) <= MOST_OUTCOMES

    def _single(self, shares: Floats) -> tuple[Floats, Floats]:
        """Return the values of all outcomes (M,) and their chances (T, M)."""
        outcomes, values = self._table(int(self.n[0]), int(self.size[0]), np.zeros(1, dtype=np.intp), shares.shape[2])
        return values[0] * self.weights[0], chances(outcomes, shares[:, 0])

    def _cumulants(self, shares: Floats) -> Cumulants:
        """Return those of the mean at each of the shares, (T,)."""
        moments = self._enumerated(shares) if self.is_enumerable else self._drawn(shares)
        w = self.weights
        return Cumulants(mean=moments[0] @ w, variance=moments[1] @ w**2, third=moments[2] @ w**3)

    def _enumerated(self, shares: Floats) -> tuple[Floats, Floats, Floats]:
        mean, variance, third = (np.empty(shares.shape[:2]) for _ in range(3))
        for n, size in sorted(set(zip(self.n.tolist(), self.size.tolist(), strict=True))):
            cells = np.flatnonzero((self.n == n) & (self.size == size))
            outcomes, values = self._table(n, size, cells, shares.shape[2])
            chance = chances(outcomes, shares[:, cells])
            first, second, cubes = (np.einsum("tcm,cm->tc", chance, values**power) for power in (1, 2, 3))
            mean[:, cells], variance[:, cells] = first, second - first**2
            third[:, cells] = cubes - 3 * first * second + 2 * first**3
        return mean, variance, third

    def _drawn(self, shares: Floats) -> tuple[Floats, Floats, Floats]:
        cells = np.arange(len(self.n))
        draws = int(np.clip(DRAWS // len(cells), 24, 240))
        mean, variance, third = (np.empty(shares.shape[:2]) for _ in range(3))
        for place, at in enumerate(shares):
            rng = np.random.default_rng(self.seed)  # the same numbers at every step
            counts = rng.multinomial(self.n[:, None], at[:, None, :], size=(len(cells), draws))
            values = self.read(counts.astype(np.float64), cells)
            mean[place] = values.mean(axis=1)
            centred = values - mean[place][:, None]
            variance[place] = (centred**2).sum(axis=1) / (draws - 1)
            third[place] = (centred**3).mean(axis=1)
        return mean, variance, third

    def _table(self, n: int, size: int, cells: NDArray[np.intp], width: int) -> tuple[Floats, Floats]:
        """Return the outcomes (M, K) of cells of one size, and what each cell reads in them (c, M)."""
        if (n, size) not in self._tables:
            outcomes = np.pad(all_outcomes(n, size), ((0, 0), (0, width - size)))
            values = self.read(np.broadcast_to(outcomes, (len(cells), *outcomes.shape)), cells)
            self._tables[n, size] = outcomes, values
        return self._tables[n, size]


def _half_where_same(values: Floats, x: float) -> Floats:
    same = np.abs(values - x) <= SAME * max(1.0, abs(x))
    half: Floats = np.where(same, 0.5, (values < x).astype(np.float64))
    return half
