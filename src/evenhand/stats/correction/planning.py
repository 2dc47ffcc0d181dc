"""The smallest true rate that a sample would show above the detector's false alarms."""

from dataclasses import dataclass

from evenhand.stats.correction.floor import corrected_rate
from evenhand.stats.correction.reference import Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectableRate:
    """What a number of traces can show.

    Attributes
    ----------
    rate
        Smallest true rate that is found with the power asked for, in [0, 1]; None if no rate is.
    positives
        Flagged traces from which the corrected interval excludes 0; None if no number does.
    undetectable
        Why there is no rate; empty where there is one.
    """

    rate: float | None
    positives: int | None
    undetectable: str = ""


def minimum_detectable_rate(
    trials: int, reference: Reference, *, power: float = 0.8, level: float = 0.95
) -> DetectableRate:
    """Smallest true rate whose corrected interval excludes 0 with the given probability.

    Parameters
    ----------
    trials
        Traces to be judged, at least 1.
    reference
        The detector's reference set.
    power
        Probability of finding it, in (0, 1).
    level
        Two-sided coverage of the interval, in (0, 1).

    Returns
    -------
    DetectableRate
        At the measured sensitivity and specificity; their uncertainty is in the interval that must exclude 0.

    Raises
    ------
    ValueError
        If there is no trace, or power or level is no probability.

    Notes
    -----
    Exact binomial power: the number flagged is Binomial(n, r·Se + (1 − r)(1 − Sp)); the share flagged that reaches k
    or more with the given power is a beta quantile, turned back into r.
    """
    from scipy.special import betaincinv  # slow to import, and most commands plan nothing

    if not 0 < power < 1:
        raise ValueError(f"the power must lie between 0 and 1, not {power}")
    if trials < 1:
        raise ValueError(f"at least one trace must be judged, not {trials}")
    needed = _fewest_positives(trials, reference, level)
    if needed is None:
        return DetectableRate(
            rate=None, positives=None, undetectable=f"no number of {trials} flagged traces would exclude a rate of 0"
        )
    share = float(betaincinv(needed, trials - needed + 1, power))
    rate = (share - (1 - reference.specificity)) / reference.youden(level=level).value
    if rate > 1:
        return DetectableRate(
            rate=None,
            positives=needed,
            undetectable=f"even if every trace were a violation, {needed} of {trials} would be flagged too rarely",
        )
    return DetectableRate(rate=rate, positives=needed)


def _fewest_positives(trials: int, reference: Reference, level: float) -> int | None:
    """Fewest flagged traces that show a rate above 0; bisected, since more of them never show less."""
    few, many = 0, trials
    if not _excludes_zero(many, trials, reference, level):
        return None
    while many - few > 1:
        middle = (few + many) // 2
        if _excludes_zero(middle, trials, reference, level):
            many = middle
        else:
            few = middle
    return many


def _excludes_zero(positives: int, trials: int, reference: Reference, level: float) -> bool:
    rate = corrected_rate(positives, trials, reference, level=level)
    return rate.state == "corrected" and rate.interval is not None and rate.interval.low > 0
