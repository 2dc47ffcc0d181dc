"""What a comparison of runs says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from evenhand.core.results import Direction, Interval, MetricResult

ALPHA = 0.05
"""Largest adjusted p-value at which a difference counts as more than noise."""

Quantity = Literal["value", "excess", "measure"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One number in two runs.

    Attributes
    ----------
    name
        Metric or measure: ``"RSI"``, ``"refusals"``.
    quantity
        What of it: a metric's value, its excess over the sampling noise inside the answers, or a plain measure.
    old, new
        In `unit`; None where undefined, which `reason` explains.
    direction
        Which way is better; None where neither is.
    interval
        Of ``new − old``.
    no_interval
        Why there is none.
    p_value, p_adjusted
        Of two runs whose answers to each prompt come from one law; adjusted by Holm over the metrics of a pair, and
        over its measures.
    scatter
        Standard deviation of the difference of two such runs; None where nothing varied.
    smallest_seen
        Difference that would have been seen with probability .80 at this size, after the adjustment; None where nothing
        scattered.
    n
        Outputs of each run that were compared, before what the metric itself leaves out; for measures the outputs with
        a value.
    """

    name: str
    quantity: Quantity
    unit: str
    old: float | None
    new: float | None
    direction: Direction | None = None
    reason: str = ""
    interval: Interval | None = None
    no_interval: str = ""
    p_value: float | None = None
    p_adjusted: float | None = None
    test: str = ""
    scatter: float | None = None
    smallest_seen: float | None = None
    n: tuple[int, int] = (0, 0)

    @property
    def difference(self) -> float | None:
        """``new − old``."""
        return None if self.old is None or self.new is None else self.new - self.old

    @property
    def has_moved(self) -> bool:
        """Whether the difference is more than noise."""
        return self.p_adjusted is not None and self.p_adjusted < ALPHA

    @property
    def is_for_the_worse(self) -> bool | None:
        """Whether it moved the wrong way; None where it did not move, or where no way is wrong."""
        if not self.has_moved or self.direction is None or self.difference is None:
            return None
        return self.difference < 0 if self.direction == "higher_is_better" else self.difference > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One run of a comparison.

    Attributes
    ----------
    outputs, prompts
        Stored outputs of complete replicates, and prompts (scenario × condition) they answer.
    """

    run_id: str
    name: str
    model: str
    is_simulated: bool
    status: str
    created_at: str
    prompts: int
    outputs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two runs.

    Attributes
    ----------
    prompts, outputs
        Prompts compared, and outputs of each run that were used.
    notes
        What must be known to read the numbers, one sentence each.
    """

    old: Side
    new: Side
    prompts: int
    outputs: int
    metrics: Sequence[Change]
    measures: Sequence[Change]
    notes: Sequence[str] = ()

    @property
    def moved(self) -> tuple[Change, ...]:
        """What moved beyond noise."""
        return tuple(change for change in (*self.metrics, *self.measures) if change.has_moved)

    @property
    def regressions(self) -> tuple[Change, ...]:
        """Metrics that moved for the worse; where a metric has an excess, that one decides."""
        decided_by_excess = {change.name for change in self.metrics if change.quantity == "excess"}
        return tuple(
            change
            for change in self.metrics
            if change.is_for_the_worse and (change.quantity == "excess" or change.name not in decided_by_excess)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Runs compared.

    Attributes
    ----------
    sides
        The runs: two in the order given, more in the order of time.
    pairs
        Two runs: one pair. More: each with the one before it, then the last with the first.
    trend
        Metric to its result in each run, over what all runs have in common; empty for two runs.
    is_common
        Whether runs with different plans were compared in what they have in common.
    draws
        Most permutations of a test.
    seed
        Of the permutations.
    """

    sides: Sequence[Side]
    pairs: Sequence[Pair]
    trend: Mapping[str, Sequence[MetricResult]]
    is_common: bool
    draws: int
    seed: int

    @property
    def regressions(self) -> tuple[Change, ...]:
        """What the last run does worse than the one before it."""
        before_last = len(self.sides) - 2
        return tuple(self.pairs[before_last].regressions)
