"""Labels permuted within every scenario, at a cost that is bounded however large the run."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.core.table import Floats
from evenhand.metrics.distance import Measured
from evenhand.metrics.divergence_blocks import Block, mean_distances, row_distances
from evenhand.metrics.inference import Inference
from evenhand.stats.energy import Projections, null_scale, permuted_excess, projections

WORK = 5e9
"""Multiplications that the permutations of a run should take, about half a second of one core."""
CAPS = (200, 100, 50, 30, 15, 8)
"""Outputs of a prompt that enter the test of a large run: labels are as exchangeable in a part as in the whole."""
ENOUGH_DRAWS, FEWEST_DRAWS = 299, 199
SMALL = 128
"""Up to so many outputs a scenario all distances cost less than going without."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Permuted:
    """One scenario.

    Attributes
    ----------
    parts
        First-order parts of its distances, of all outputs.
    excess
        (1 + draws, groups) excess of each changed prompt with permuted labels; the first is what was observed.
        Where a part of the outputs was used, scaled to the scatter that all of them have.
    repeats
        Whether most pairs of answers to one of the prompts are the same.
    """

    block: Block
    parts: Projections
    excess: Floats
    repeats: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What the permutations of a run may cost.

    Attributes
    ----------
    draws
        Of every scenario.
    most
        Outputs of a prompt that enter; None for all.
    """

    draws: int
    most: int | None

    @property
    def test(self) -> str:
        """Name of the test."""
        part = "" if self.most is None else f", at most {self.most} outputs of a prompt"
        return f"condition labels permuted within scenario, {self.draws} draws, mid-p{part}"


def plan(sizes: Sequence[NDArray[np.int64]], draws: int) -> Plan:
    """Choose draws and outputs: all of either where affordable, else enough draws of as many outputs as can be.

    Parameters
    ----------
    sizes
        Per scenario, (1 + groups,) outputs of each prompt.
    draws
        Wanted.
    """
    if _work(sizes, None) * draws <= WORK:
        return Plan(draws=draws, most=None)
    largest = max(int(size.max()) for size in sizes)
    fitting = [None, *(cap for cap in CAPS if cap < largest)]
    most = next((cap for cap in fitting if _work(sizes, cap) * ENOUGH_DRAWS <= WORK), fitting[-1])
    affordable = int(WORK / _work(sizes, most))
    return Plan(draws=min(draws, max(FEWEST_DRAWS, affordable)), most=most)


def permute(what: Measured, block: Block, cost: Plan, inference: Inference) -> Permuted:
    """Permute the labels of one scenario, from the stream that bears its name."""
    rng = inference.rng("CDS", "labels", block.scenario)
    complete = cost.most is None or block.sizes.max() <= cost.most
    whole = row_distances(what, block.rows) if complete or len(block.rows) <= SMALL else None
    part = np.arange(len(block.label)) if cost.most is None or complete else _sample(block.label, cost.most, rng)
    distance = row_distances(what, block.rows[part]) if whole is None else whole[np.ix_(part, part)]
    label = block.label[part]
    excess = permuted_excess(distance, label, block.groups, draws=cost.draws, rng=rng).astype(np.float64)
    return Permuted(
        block=block,
        parts=projections(mean_distances(what, block, whole), block.label),
        excess=excess * null_scale(block.sizes, np.bincount(label)),
        repeats=_repeats(distance, label),
    )


def _work(sizes: Sequence[NDArray[np.int64]], most: int | None) -> float:
    """Multiplications per draw: every label of every block meets its matrix of distances."""
    capped = [size if most is None else np.minimum(size, most) for size in sizes]
    return sum(len(size) * float(size.sum()) ** 2 for size in capped)


def _sample(label: NDArray[np.int64], most: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Choose at most `most` rows of each label."""
    shuffled = rng.permutation(len(label))
    ordered = shuffled[np.argsort(label[shuffled], kind="stable")]
    sizes = np.bincount(label)
    rank = np.arange(len(label)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.sort(ordered[rank < most])


def _repeats(distance: NDArray[np.float32], label: NDArray[np.int64]) -> bool:
    for own in (np.flatnonzero(label == code) for code in range(int(label.max()) + 1)):
        same = (distance[np.ix_(own, own)] < 1e-6).sum() - len(own)
        if same > len(own) * (len(own) - 1) / 2:
            return True
    return False
