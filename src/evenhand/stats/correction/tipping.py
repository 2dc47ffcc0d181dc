"""Tipping points: how good or bad the detector would have to be for its corrected rate to cross a limit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Outcome = Literal["tips", "always above", "never above"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TippingPoint:
    """One assumption about the detector, and where the other would tip the conclusion.

    Attributes
    ----------
    specificity
        Assumed, in [0, 1].
    sensitivity
        At which the corrected rate equals the limit: it is above the limit for lower sensitivities, below for higher
        ones. None where nothing tips.
    outcome
        ``"tips"``; ``"always above"`` or ``"never above"`` the limit for every sensitivity at which the detector fires
        more often on violations than on clean traces.
    """

    specificity: float
    sensitivity: float | None
    outcome: Outcome


def tipping_points(observed: float, limit: float, *, specificities: Sequence[float]) -> tuple[TippingPoint, ...]:
    """Sensitivity at which the corrected rate crosses the limit, for each assumed specificity.

    Parameters
    ----------
    observed
        Share flagged, in [0, 1].
    limit
        True rate that matters, in (0, 1).
    specificities
        To assume, each in [0, 1].

    Returns
    -------
    tuple of TippingPoint
        In the order given.

    Raises
    ------
    ValueError
        If a share is outside its range.

    Notes
    -----
    From observed = limit·Se + (1 − limit)(1 − Sp), the identity behind Rogan and Gladen (1978). A table of what one
    would have to believe, for readers without a reference set; it estimates nothing.

    Examples
    --------
    >>> from evenhand.stats.correction import tipping_points
    >>> for point in tipping_points(0.10, 0.08, specificities=[1, 0.95, 0.88]):
    ...     print(point.specificity, point.outcome, point.sensitivity and round(point.sensitivity, 3))
    1 always above None
    0.95 tips 0.675
    0.88 never above None
    """
    return tuple(_point(observed, limit, specificity) for specificity in specificities)


def tipping_sensitivity(observed: float, limit: float, *, specificity: float) -> float | None:
    """Sensitivity in (1 − specificity, 1] at which the corrected rate equals the limit; None where nothing tips."""
    return _point(observed, limit, specificity).sensitivity


def tipping_specificity(observed: float, limit: float, *, sensitivity: float) -> float | None:
    """Specificity in (1 − sensitivity, 1] at which the corrected rate equals the limit; None where nothing tips.

    The corrected rate is above the limit for higher specificities, below for lower ones.
    """
    _check(observed, limit, sensitivity)
    specificity = 1 - (observed - limit * sensitivity) / (1 - limit)
    return specificity if 1 - sensitivity < specificity <= 1 else None


def _point(observed: float, limit: float, specificity: float) -> TippingPoint:
    _check(observed, limit, specificity)
    sensitivity = (observed - (1 - limit) * (1 - specificity)) / limit
    if sensitivity > 1:  # at exactly 1 a perfect sensitivity gives the limit itself, which is not above it
        return TippingPoint(specificity=specificity, sensitivity=None, outcome="always above")
    if sensitivity <= 1 - specificity:
        return TippingPoint(specificity=specificity, sensitivity=None, outcome="never above")
    return TippingPoint(specificity=specificity, sensitivity=sensitivity, outcome="tips")


def _check(observed: float, limit: float, quality: float) -> None:
    if not (0 <= observed <= 1 and 0 <= quality <= 1):
        raise ValueError("rate, sensitivity and specificity must lie between 0 and 1")
    if not 0 < limit < 1:
        raise ValueError(f"the limit must lie between 0 and 1, not {limit}")
