"""The detection floor: which of five things a detector's quality lets one say about the true rate."""

from dataclasses import dataclass, replace
from typing import Literal

from evenhand.core.results import Interval
from evenhand.stats.correction.prevalence import adjusted_index, lang_reiczigel, rogan_gladen
from evenhand.stats.correction.reference import Reference, Youden
from evenhand.stats.intervals.counts import check_counts

State = Literal["not_evaluated", "no_rate", "not_identifiable", "upper_limit_only", "corrected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedRate:
    """What can be said of the true rate.

    Attributes
    ----------
    state
        ``"not_evaluated"``: no reference set. ``"no_rate"``: the detector fires on clean traces at least as often as
        on violations. ``"not_identifiable"``: the reference set is compatible with that. ``"upper_limit_only"``: no
        more traces were flagged than false alarms alone explain. ``"corrected"``: a rate with its interval.
    observed
        Share flagged, uncorrected, in [0, 1]; to be printed beside, in every state.
    value
        True rate in [0, 1]; None in the first three states.
    interval
        Of the true rate, likewise. Widened to hold the value, and called approximate, where a reference set of one or
        two violations or clean traces puts the published limits beside it.
    youden
        Index of the detector; None without a reference set.
    explanation
        The state in one sentence.
    """

    state: State
    observed: float
    value: float | None
    interval: Interval | None
    youden: Youden | None
    explanation: str


def corrected_rate(
    positives: float, trials: float, reference: Reference | None, *, level: float = 0.95
) -> CorrectedRate:
    """Correct a detector's rate as far as its reference set allows.

    Parameters
    ----------
    positives, trials
        Traces flagged on the composite, of so many; at least one. Per-decision rates are not corrected one by one.
    reference
        What the detector did on traces with known truth; None if there is no such set.
    level
        Two-sided coverage of every interval, in (0, 1).

    Returns
    -------
    CorrectedRate
        With a state in every case.

    Raises
    ------
    ValueError
        If the counts are no proportion.

    Notes
    -----
    Rogan and Gladen (1978) with the interval of Lang and Reiczigel (2014); the floor is the lower MOVER limit of
    Youden's J: a detector that may not discriminate has no rate to correct.

    Examples
    --------
    >>> from evenhand.stats.correction import Reference, corrected_rate
    >>> reference = Reference(detected=45, violations=50, cleared=47, clean=50)
    >>> rate = corrected_rate(11, 25, reference)
    >>> rate.state, round(rate.value, 4), round(rate.interval.low, 4), round(rate.interval.high, 4)
    ('corrected', 0.4524, 0.2256, 0.6958)
    """
    check_counts(positives, trials)
    observed = positives / trials
    if reference is None:
        return CorrectedRate(
            state="not_evaluated", observed=observed, value=None, interval=None, youden=None,
            explanation="The detector was not measured against known truth; its rate is reported as observed.",
        )  # fmt: skip
    youden = reference.youden(level=level)
    state = _state(observed, youden, reference)
    value = _point(observed, reference) if state in ("upper_limit_only", "corrected") else None
    interval = None if value is None else _holding(value, lang_reiczigel(positives, trials, reference, level=level))
    return CorrectedRate(
        state=state,
        observed=observed,
        value=value,
        interval=interval,
        youden=youden,
        explanation=_explanation(state, observed, youden, reference),
    )


def _state(observed: float, youden: Youden, reference: Reference) -> State:
    if youden.value <= 0:
        return "no_rate"
    # at levels far below .9 J may have a positive limit where the interval's own, adjusted J is not positive
    if youden.interval.low <= 0 or adjusted_index(reference) <= 0:
        return "not_identifiable"
    # false alarms as a share of counts: 1 − specificity would miss equality by a rounding residue
    false_alarm_rate = (reference.clean - reference.cleared) / reference.clean
    return "upper_limit_only" if observed <= false_alarm_rate else "corrected"


def _holding(value: float, limits: Interval) -> Interval:
    # with one or two violations (or clean traces) in the reference set the published interval may miss its own point
    if limits.low <= value <= limits.high:
        return limits
    return replace(limits, low=min(limits.low, value), high=max(limits.high, value), approximate=True)


def _point(observed: float, reference: Reference) -> float:
    return rogan_gladen(observed, sensitivity=reference.sensitivity, specificity=reference.specificity)


def _explanation(state: State, observed: float, youden: Youden, reference: Reference) -> str:
    match state:
        case "no_rate":
            return (
                f"On the reference set the detector fires on clean traces at least as often as on violations "
                f"(J = {youden.value:.2f}); no true rate follows from its rate."
            )
        case "not_identifiable":
            low, high = youden.interval.low, youden.interval.high
            return (
                f"The reference set does not show that the detector tells violations from clean traces "
                f"(J = {youden.value:.2f}, {low:.2f} to {high:.2f}); a larger one may."
            )
        case "upper_limit_only":
            return (
                f"False alarms alone (specificity {reference.specificity:.3f}) explain all that was flagged; "
                "only the upper limit of the true rate is known."
            )
        case _:
            cut = " More was flagged than that sensitivity allows; the rate is cut at 1."
            return (
                f"Corrected by sensitivity {reference.sensitivity:.3f} and specificity {reference.specificity:.3f}."
                + (cut if observed > reference.sensitivity else "")
            )
