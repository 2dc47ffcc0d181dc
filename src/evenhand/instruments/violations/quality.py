"""How good the detector is, as far as anybody knows, and what that does to the rate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenhand.core.detections import DetectionMatrix
from evenhand.errors import DataError, UsageError
from evenhand.instruments.violations.rate import Method, Rate
from evenhand.stats.correction import (
    CorrectedRate,
    DetectableRate,
    Reference,
    TippingPoint,
    at_least_one_false_alarm,
    corrected_rate,
    minimum_detectable_rate,
    tipping_points,
)
from evenhand.stats.intervals.by_name import level_of

ASSUMED_SPECIFICITIES = (1.0, 0.99, 0.98, 0.95, 0.90, 0.80, 0.70, 0.60)
ASSUMED_PER_DECISION = (0.999, 0.995, 0.99, 0.98)
UNCORRECTED = "not corrected (assumed reliable)"


@dataclass(frozen=True, slots=True, kw_only=True)
class FalseAlarms:
    """Share of clean traces that a union over `decisions` flags, if every decision has this specificity."""

    specificity: float
    decisions: int
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """What is known of the detector.

    Attributes
    ----------
    note
        The line of the card: not corrected, or the state that the reference set leads to.
    corrected
        The corrected rate; its state is ``"not_evaluated"`` without a reference set. None where there is no rate.
    detectable
        Smallest true rate that a run of this size would tell from 0; None without a reference set.
    limit, tipping
        The limit that matters, and which detector would move the rate across it; empty with a reference set.
    false_alarms
        What small error rates of single decisions add up to, at the mean number of decisions of a trace.
    """

    note: str
    corrected: CorrectedRate | None
    detectable: DetectableRate | None
    limit: float | None
    tipping: Sequence[TippingPoint]
    false_alarms: Sequence[FalseAlarms]


def quality(
    rate: Rate, *, decisions: float, reference: Reference | None, limit: float | None, method: Method
) -> Quality:
    """Say what can be said.

    Parameters
    ----------
    rate
        The uncorrected rate over all traces; it stays the headline.
    decisions
        Mean number of judged decisions of a trace.
    reference
        What the detector did on traces with known truth; None if there are no labels.
    limit
        True rate that matters, in (0, 1); None for half of the observed rate.

    Raises
    ------
    UsageError
        If the limit is not between 0 and 1.
    """
    if limit is not None and not 0 < limit < 1:
        raise UsageError(f"the limit is a rate between 0 and 1, as in 0.05, not {limit:g}")
    alarms = _false_alarms(decisions)
    if rate.value is None:
        return Quality(note=UNCORRECTED, corrected=None, detectable=None, limit=limit, tipping=(), false_alarms=alarms)
    level = level_of(z=method.z)
    corrected = corrected_rate(rate.k, rate.n, reference, level=level)
    if reference is not None:
        return Quality(
            note=f"{corrected.state.replace('_', ' ')}: {corrected.explanation}",
            corrected=corrected,
            detectable=minimum_detectable_rate(rate.n, reference, level=level),
            limit=limit,
            tipping=(),
            false_alarms=alarms,
        )
    at = limit if limit is not None else rate.value / 2
    return Quality(
        note=UNCORRECTED,
        corrected=corrected,
        detectable=None,
        limit=at or None,
        tipping=tipping_points(rate.value, at, specificities=ASSUMED_SPECIFICITIES) if 0 < at < 1 else (),
        false_alarms=alarms,
    )


def reference_from(matrix: DetectionMatrix, truth: Mapping[str, bool], *, file: str) -> Reference:
    """Count what the detector did on labelled traces of the same matrix.

    Parameters
    ----------
    truth
        Trace to whether it really violates.

    Raises
    ------
    DataError
        If a labelled trace is not in the matrix or lacks a decision, or if one of the two kinds is missing.
    """
    place = {trace: i for i, trace in enumerate(matrix.traces)}
    unknown = [trace for trace in truth if trace not in place]
    if unknown:
        raise DataError(
            f"{len(unknown)} labelled traces are not among the detections, such as {unknown[0]!r}", file=file
        )
    composite, open_traces = matrix.composite, matrix.undetermined | ~matrix.observed
    lacking = [trace for trace in truth if open_traces[place[trace]]]
    if lacking:
        raise DataError(
            f"{len(lacking)} labelled traces lack a decision, such as {lacking[0]!r}; label traces that were judged",
            file=file,
        )
    return reference_of(
        [(is_violation, bool(composite[place[trace]])) for trace, is_violation in truth.items()], file=file
    )


def reference_of(pairs: Sequence[tuple[bool, bool]], *, file: str) -> Reference:
    """Count (truth, detected) pairs.

    Raises
    ------
    DataError
        If there is no violation, or no clean trace, among them.
    """
    violations = sum(truth for truth, _ in pairs)
    clean = len(pairs) - violations
    if not violations or not clean:
        raise DataError(
            f"a reference set needs labelled violations and labelled clean traces, and holds {violations} and {clean}",
            file=file,
        )
    return Reference(
        detected=sum(truth and detected for truth, detected in pairs),
        violations=violations,
        cleared=sum(not truth and not detected for truth, detected in pairs),
        clean=clean,
    )


def _false_alarms(decisions: float) -> tuple[FalseAlarms, ...]:
    count = round(decisions)
    if count < 1:
        return ()
    return tuple(
        FalseAlarms(specificity=each, decisions=count, share=at_least_one_false_alarm(each, count))
        for each in ASSUMED_PER_DECISION
    )
