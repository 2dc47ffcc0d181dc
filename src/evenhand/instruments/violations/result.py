"""Everything that one detection matrix says: the rate, its card, and the diagnostics behind it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenhand.core.detections import DecisionStatus, DetectionMatrix, ReportedRate
from evenhand.instruments.violations.by_vector import VectorRate, overall_rate, vector_rates, vectors_like_these
from evenhand.instruments.violations.diagnostics import (
    AttributeCount,
    Pattern,
    attribute_counts,
    decisions_per_trace,
    firing_patterns,
    first_turns,
)
from evenhand.instruments.violations.quality import Quality, quality
from evenhand.instruments.violations.rate import Method, Rate
from evenhand.stats.correction import Reference
from evenhand.stats.intervals import ClusteredRate


@dataclass(frozen=True, slots=True, kw_only=True)
class Violations:
    """The violation rate of a detection matrix.

    Attributes
    ----------
    overall
        All traces; its target is "these vectors".
    like_these
        The same for vectors like these; None without an observed trace.
    attributes
        Counts by attribute, without intervals.
    patterns
        Which attributes fire together.
    first_turns
        Turn of the first violation to traces.
    by_vector
        Every vector by itself.
    decisions
        Smallest, mean and largest number of judged decisions of a trace.
    statuses
        Decisions by status.
    reported
        Rates that the detector reported about itself; shown, never used.
    quality
        What is known of the detector; the rate above is not corrected by it.
    """

    overall: Rate
    like_these: ClusteredRate | None
    method: Method
    attributes: Sequence[AttributeCount]
    patterns: Sequence[Pattern]
    first_turns: Mapping[int, int]
    by_vector: Sequence[VectorRate]
    n_traces: int
    n_turns: tuple[int, int]
    decisions: tuple[int, float, int]
    statuses: Mapping[DecisionStatus, int]
    reported: Sequence[ReportedRate]
    quality: Quality
    digest: str
    source: Mapping[str, str]


def violations(
    matrix: DetectionMatrix,
    *,
    method: Method | None = None,
    reference: Reference | None = None,
    limit: float | None = None,
) -> Violations:
    """Compute the violation rate.

    Parameters
    ----------
    method
        Of the interval; None for corrected Wilson at z = 1.96.
    reference
        What the detector did on traces with known truth, where there are labels.
    limit
        Rate that matters; without labels, the table of tipping points is about it.

    Notes
    -----
    The composite is counted on the traces. Rates of attributes never enter it: 9 and 4 firing traces of 25 leave it
    anywhere from 9 to 13.
    """
    how = method or Method()
    overall, decisions = overall_rate(matrix, how), decisions_per_trace(matrix)
    return Violations(
        overall=overall,
        like_these=vectors_like_these(matrix, how),
        method=how,
        attributes=attribute_counts(matrix),
        patterns=firing_patterns(matrix),
        first_turns=first_turns(matrix),
        by_vector=vector_rates(matrix, how),
        n_traces=len(matrix),
        n_turns=(int(matrix.n_turns.min()), int(matrix.n_turns.max())) if len(matrix) else (0, 0),
        decisions=decisions,
        statuses=matrix.statuses,
        reported=matrix.reported,
        quality=quality(overall, decisions=decisions[1], reference=reference, limit=limit, method=how),
        digest=matrix.digest,
        source=matrix.source,
    )
