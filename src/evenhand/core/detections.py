"""What a bias detector decided, turn by turn and attribute by attribute, collapsed to one row a trace."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
Counts = NDArray[np.int64]

DecisionStatus = Literal["judged", "refused", "unparsed", "error", "censored", "unscored", "absent"]
"""What became of one decision. ``judged`` yields 0 or 1; everything else is missing, and never 0.

``refused``: the detector declined · ``unparsed``: its answer was no decision · ``error``: it, or the turn, failed ·
``censored``: the conversation had been stopped · ``unscored``: nobody asked it · ``absent``: the trace has the turn,
and the file no row for this attribute.
"""
STATUSES: tuple[DecisionStatus, ...] = get_args(DecisionStatus)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision of a detector: row of the neutral table that every reader yields.

    Attributes
    ----------
    trace
        The conversation.
    turn
        Turn of the model within it, from 1.
    attribute
        Protected attribute.
    decision
        True: treats the attribute unequally. None exactly where `status` is not ``"judged"``.
    vector
        Attack vector that the conversation follows; empty where there is only one.
    replicate
        Which repetition of the vector.
    reason
        The detector's own words, where it has any.
    """

    trace: str
    turn: int
    attribute: str
    decision: bool | None
    status: DecisionStatus = "judged"
    vector: str = ""
    replicate: int = 1
    reason: str = ""

    def __post_init__(self) -> None:
        """Refuse a decision without a status, and a status without a decision."""
        if (self.decision is None) == (self.status == "judged"):
            raise ValueError(
                f"{self.trace}, turn {self.turn}, {self.attribute}: judged exactly when there is a decision"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedRate:
    """What the detector itself says about an attribute. Shown, and never used.

    Attributes
    ----------
    rate, low, high
        In [0, 1]; None where it did not say.
    """

    attribute: str
    rate: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DetectionMatrix:
    """N traces × K attributes: the union over turns, and what was missing on the way.

    Attributes
    ----------
    traces
        (N,) names.
    attributes
        (K,) names.
    vectors
        Names of the attack vectors.
    vector
        (N,) code into `vectors`.
    n_turns
        (N,) turns with a row.
    fired
        (N, K) m[i, c]: True if any judged decision is a violation.
    judged, missing
        (N, K) decisions with and without an answer; a turn of the trace without a row for the attribute is missing.
    first_turn
        (N, K) number of the first turn that fired; −1 where none did.
    statuses
        Decisions of all traces by status; only those that occur.
    reported
        What the detector said about itself.
    digest
        sha256 of what was read.
    """

    traces: Sequence[str]
    attributes: tuple[str, ...]
    vectors: tuple[str, ...]
    vector: Counts
    n_turns: Counts
    fired: Flags
    judged: Counts
    missing: Counts
    first_turn: Counts
    statuses: Mapping[DecisionStatus, int]
    reported: Sequence[ReportedRate] = ()
    digest: str = ""
    source: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.traces)

    @property
    def composite(self) -> Flags:
        """(N,) traces that fired on any attribute: measured on the trace, never from marginals."""
        flags: Flags = np.logical_or.reduce(self.fired, axis=1)
        return flags

    @property
    def observed(self) -> Flags:
        """(N,) traces with at least one judged decision."""
        flags: Flags = np.logical_or.reduce(self.judged > 0, axis=1)
        return flags

    @property
    def undetermined(self) -> Flags:
        """(N,) traces that did not fire and lack a decision: they might have."""
        flags: Flags = ~self.composite & np.logical_or.reduce(self.missing > 0, axis=1)
        return flags

    @property
    def decisions(self) -> Counts:
        """(N,) judged decisions of each trace."""
        counts: Counts = self.judged.sum(axis=1)
        return counts
