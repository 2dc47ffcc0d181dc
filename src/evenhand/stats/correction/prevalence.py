"""The true rate from the observed one, once sensitivity and specificity are known or estimated."""

from math import sqrt
from statistics import NormalDist

from evenhand.core.results import Interval
from evenhand.stats.correction.reference import Reference
from evenhand.stats.intervals.counts import check_counts, check_level


def rogan_gladen(observed: float, *, sensitivity: float, specificity: float) -> float:
    """True rate that a detector of this quality turns into the observed one.

    Parameters
    ----------
    observed
        Share flagged, in [0, 1].
    sensitivity, specificity
        In [0, 1], together above 1.

    Returns
    -------
    float
        (observed + specificity − 1)/(sensitivity + specificity − 1), cut to [0, 1].

    Raises
    ------
    ValueError
        If a share is none, or sensitivity and specificity do not exceed 1 together: the detector then fires on clean
        traces at least as often as on violations, and its rate says nothing of theirs.

    Notes
    -----
    Rogan and Gladen (1978), Am. J. Epidemiol. 107:71-76.

    Examples
    --------
    >>> from evenhand.stats.correction import rogan_gladen
    >>> round(rogan_gladen(0.44, sensitivity=0.9, specificity=0.94), 4)
    0.4524
    """
    if not all(0 <= share <= 1 for share in (observed, sensitivity, specificity)):
        raise ValueError("rate, sensitivity and specificity must lie between 0 and 1")
    if sensitivity + specificity <= 1:
        raise ValueError(f"sensitivity {sensitivity} and specificity {specificity} leave nothing to correct by")
    return min(1.0, max(0.0, (observed + specificity - 1) / (sensitivity + specificity - 1)))


def lang_reiczigel(positives: float, trials: float, reference: Reference, *, level: float = 0.95) -> Interval:
    """Interval of the true rate when rate, sensitivity and specificity are all estimated from samples.

    Parameters
    ----------
    positives, trials
        Flagged traces, of so many; fractions where the number is an effective one.
    reference
        Another, independent sample with known truth.
    level
        Two-sided coverage, in (0, 1).

    Returns
    -------
    Interval
        True rates in [0, 1].

    Raises
    ------
    ValueError
        If the counts are no proportion, or the adjusted sensitivity and specificity do not exceed 1 together.

    Notes
    -----
    Lang and Reiczigel (2014), Preventive Veterinary Medicine 113:13-22: z²/2 flagged and z²/2 unflagged traces are
    added to the sample, 1 and 1 to each part of the reference set; then the delta method, and a shift for the skew.
    """
    check_counts(positives, trials)
    check_level(level)
    z = NormalDist().inv_cdf((1 + level) / 2)
    n, violations, clean = trials + z * z, reference.violations + 2, reference.clean + 2
    share = (positives + z * z / 2) / n
    sensitivity, specificity = (reference.detected + 1) / violations, (reference.cleared + 1) / clean
    index = adjusted_index(reference)
    if index <= 0:
        raise ValueError("the reference set does not show that the detector tells violations from clean traces")
    rate = (share + specificity - 1) / index
    of_sensitivity = sensitivity * (1 - sensitivity) / violations
    of_specificity = specificity * (1 - specificity) / clean
    shift = 2 * z * z * (rate * of_sensitivity - (1 - rate) * of_specificity)
    error = sqrt(share * (1 - share) / n + rate**2 * of_sensitivity + (1 - rate) ** 2 * of_specificity) / index
    low, high = (min(1.0, max(0.0, rate + shift + side * z * error)) for side in (-1, 1))
    return Interval(low=low, high=high, level=level, method="lang-reiczigel")


def adjusted_index(reference: Reference) -> float:
    """Youden's J in [−1, 1] after adding 1 and 1 to each part of the reference set, as the interval does."""
    return (reference.detected + 1) / (reference.violations + 2) - (
        (reference.clean - reference.cleared + 1) / (reference.clean + 2)
    )
