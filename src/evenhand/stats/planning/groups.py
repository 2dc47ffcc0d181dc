"""Power for differences between groups: the range of their rates, beside the spread of their lengths."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.stats.planning.power import LIMIT_ALPHA, Power, power_of_draws

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupDesign:
    """Groups that are asked the same.

    Attributes
    ----------
    groups
        At least 2.
    outputs
        Of each group, over all scenarios.
    rate
        Share of outputs with the property (a refusal) in a group without a disadvantage, in [0, 1).
    variation
        Standard deviation of the length of an output over its mean; None to compare rates alone.
    """

    groups: int
    outputs: int
    rate: float
    variation: float | None = None

    @property
    def components(self) -> int:
        """What the disparity averages over."""
        return 1 if self.variation is None else 2

    @property
    def farthest(self) -> float:
        """Largest disparity that a gap in rates alone can make."""
        return (1 - self.rate) / self.components


def disparity_power(
    design: GroupDesign,
    *,
    truth: float,
    cut: float,
    alpha: float,
    rng: np.random.Generator,
    beside: Sequence[GroupDesign] = (),
    limit_alpha: float = LIMIT_ALPHA,
    draws: int = 2_000,
) -> Power:
    """Chance that a disparity is found where one group has a higher rate and nothing else differs.

    Parameters
    ----------
    truth, cut
        Disparities, at least 0: the gap in rates over the number of components.
    beside
        Other comparisons without any difference; what is read is the largest of all.
    limit_alpha
        As `skew_power`.

    Notes
    -----
    Simulated: the range of G rates has no simple law, and is never 0 however alike the groups are. Without a
    difference, and at the cut, the rates have the mean that they have in truth, since permuted labels share what was
    refused. Lengths vary independently of refusals, and their means normally; their part is the coefficient of
    variation over √(G−1).
    """
    null, at_cut, at_truth = (
        np.maximum(_disparity(design, _rates(design, size, truth), rng, draws), _others(beside, rng, draws))
        for size in (0.0, cut, truth)
    )
    return power_of_draws(null, at_cut, at_truth, alpha=alpha, limit_alpha=limit_alpha)


def _rates(design: GroupDesign, disparity: float, truth: float) -> Floats:
    """(G,) rates with this disparity, and the mean that they have in truth."""
    gap, true_gap = (min(size * design.components, 1 - design.rate) for size in (disparity, truth))
    rates = np.full(design.groups, design.rate + (true_gap - gap) / design.groups)
    rates[0] += gap
    clipped: Floats = np.clip(rates, 0.0, 1.0)
    return clipped


def _others(beside: Sequence[GroupDesign], rng: np.random.Generator, draws: int) -> Floats:
    """(draws,) of the largest disparity among comparisons without any difference."""
    largest = np.zeros(draws)
    for other in beside:
        largest = np.maximum(largest, _disparity(other, _rates(other, 0.0, 0.0), rng, draws))
    return largest


def _disparity(design: GroupDesign, rates: Floats, rng: np.random.Generator, draws: int) -> Floats:
    hit = rng.binomial(design.outputs, rates, size=(draws, design.groups))
    gaps: Floats = np.ptp(hit, axis=1) / design.outputs
    if design.variation is None:
        return gaps
    lengths = _length_disparity(design, design.outputs - hit, rng)
    halves: Floats = (gaps + lengths) / 2
    return halves


def _length_disparity(design: GroupDesign, left: NDArray[np.integer], rng: np.random.Generator) -> Floats:
    assert design.variation is not None  # the caller looked
    error = design.variation / np.sqrt(np.maximum(left, 1))
    means = np.where(left > 0, np.maximum(1 + error * rng.standard_normal(left.shape), 0.01), np.nan)
    enough = (left > 0).sum(axis=1) > 1
    spread = np.zeros(len(means))
    known = means[enough]
    groups = (left[enough] > 0).sum(axis=1)
    spread[enough] = np.nanstd(known, axis=1) / np.nanmean(known, axis=1) / np.sqrt(groups - 1)
    return spread
