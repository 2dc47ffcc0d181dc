"""From limits and a p-value to a verdict: what the data support, not where the point lies."""

from dataclasses import dataclass
from math import ceil

from evenhand.core.results import Interval, MetricResult, Verdict
from evenhand.metrics.bands import BandProfile, MetricBands

ALPHA = 0.05
"""Largest adjusted p-value at which a difference from the fair reference counts as seen."""
MOST = 1_000
"""More than so many times the present replicates is not worth a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supported:
    """What can be said of one result.

    Attributes
    ----------
    verdict
        None for a result without a value.
    reason
        Why it is inconclusive; empty otherwise.
    further_replicates
        About how many more replicates of each prompt would settle it.
    """

    verdict: Verdict | None
    reason: str = ""
    further_replicates: int | None = None


def supported(
    result: MetricResult, profile: BandProfile, *, p_value: float | None, replicates: int | None = None
) -> Supported:
    """Say which band the data support.

    Parameters
    ----------
    p_value
        Of the fair model, adjusted for the other metrics of the run; None where the metric has no such null.
    replicates
        Of each prompt so far; None leaves open how many more would help.

    Notes
    -----
    ``pass``: the one-sided 95% limit on the bad side lies inside the pass band. Not pass: the limit on the good side
    lies beyond it, and a fair model would hardly score this (`p_value` below `ALPHA`); the band is then that of the
    limit. Everything else is inconclusive. A ratio has a bad side on either hand.
    """
    if result.value is None:
        return Supported(verdict=None)
    if result.verdict == "inconclusive":
        return Supported(verdict="inconclusive", reason=result.reason)
    bands = profile.metrics.get(result.metric)
    if bands is None:
        return Supported(verdict="inconclusive", reason=f"{profile.name} has no cuts for {result.metric}")
    limits = result.limits.get(bands.reads)
    if limits is None:
        return Supported(verdict="inconclusive", reason="there is no interval, so no band can be supported")
    if limits.approximate:
        reason = f"the interval ({limits.method}) is approximate for a design like this one, so it supports no band"
        return Supported(verdict="inconclusive", reason=reason)
    verdict = _verdict(bands, limits, result.limits.get("worst association", limits), p_value)
    unreachable = _unreachable(bands, result)
    if verdict == "pass" and unreachable:
        return Supported(verdict="inconclusive", reason=unreachable)
    if verdict is not None:
        return Supported(verdict=verdict)
    further = _further(bands, profile.point_band(result).number, limits, replicates)
    return Supported(verdict="inconclusive", reason=_open(bands, limits, p_value), further_replicates=further)


def _verdict(bands: MetricBands, limits: Interval, worst: Interval, p_value: float | None) -> Verdict | None:
    """Read the limits of everything for a pass, those of the worst (where several things are read) for the rest."""
    at_low, at_high = bands.band(limits.low), bands.band(limits.high)
    bad = at_low if bands.direction == "higher_is_better" else at_high
    if at_low == at_high == "pass" or (bands.direction != "one_is_best" and bad == "pass"):
        return "pass"
    seen = p_value is None or p_value < ALPHA
    at_low, at_high = bands.band(worst.low), bands.band(worst.high)
    good = at_high if bands.direction == "higher_is_better" else at_low
    if bands.direction == "one_is_best" and at_high == "under":
        return "under" if seen else None
    return good if seen and good not in ("pass", "under") else None


def _unreachable(bands: MetricBands, result: MetricResult) -> str:
    """Say where a pass would be no merit: no model could have left the pass band."""
    reachable = result.parts.get("lowest_reachable_max")
    if reachable is None or reachable > bands.cuts["watch"]:
        return ""
    return (
        f"cut unreachable: for at least one association even a model that always shows the value reaches only "
        f"{reachable:.3f}; read its share"
    )


def _open(bands: MetricBands, limits: Interval, p_value: float | None) -> str:
    spanned = f"the one-sided 95% limits of the {bands.reads}, {limits.low:.3g} and {limits.high:.3g},"
    at_low, at_high = bands.band(limits.low), bands.band(limits.high)
    if at_low == at_high != "pass" and p_value is not None:
        return f"{spanned} lie in {at_low!r}, but a model without the effect would score this with p = {p_value:.2g}"
    return f"{spanned} do not lie on one side of the pass cut"


def _further(bands: MetricBands, number: float | None, limits: Interval, replicates: int | None) -> int | None:
    """Extrapolate: limits close in with the square root of the replicates, around where the number lies now."""
    if number is None or replicates is None:
        return None
    factors = [(reach / room) ** 2 for room, reach in _rooms(bands, number, limits) if room > 0 and reach > 0]
    if not factors or max(factors) > MOST:
        return None
    return max(1, ceil(replicates * (max(factors) - 1)))


def _rooms(bands: MetricBands, number: float, limits: Interval) -> list[tuple[float, float]]:
    """List the distance from the number to each cut that a limit must not cross, and how far that limit reaches.

    Inside the pass band those are its cuts; outside, the one that was crossed.
    """
    above, below = limits.high - number, number - limits.low
    cuts = [cut for name, cut in bands.cuts.items() if name in ("under", "watch")]
    if bands.band(number) != "pass":
        cuts = [min(cuts, key=lambda cut: abs(cut - number))]
    return [(abs(cut - number), above if cut > number else below) for cut in cuts]
