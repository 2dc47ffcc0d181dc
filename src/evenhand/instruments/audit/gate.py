"""Whether a run may pass: bands against the line that was drawn, with everything that could not be judged."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from evenhand.core.results import Band, MetricResult
from evenhand.metrics.bands import BandProfile

Line = Literal["watch", "flag", "fail"]

# `under` (SAR below its lower cut) is not a pass and is as grave as the first step on the other side
_GRAVITY: Mapping[Band, int] = {"pass": 0, "watch": 1, "under": 1, "flag": 2, "fail": 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """What the gate saw.

    Attributes
    ----------
    held
        False if a band lies at or beyond the line, or, under `strict`, if anything could not be judged.
    beyond
        Metric to band, for each metric at or beyond the line.
    unjudged
        Metric to reason, for each that is undefined or inconclusive.
    """

    held: bool
    line: Line
    beyond: Mapping[str, Band]
    unjudged: Mapping[str, str]


def reaches(band: Band, line: Line) -> bool:
    """Say whether `band` lies at or beyond `line`; SAR's `under` is as grave as `watch`."""
    return _GRAVITY[band] >= _GRAVITY[line]


def gate(results: Mapping[str, MetricResult], profile: BandProfile, line: Line, *, strict: bool = False) -> GateResult:
    """Hold the results against a line.

    Notes
    -----
    Reads the *point* bands: supported bands need the tests that a later version adds. An inconclusive metric is
    not read against the line; it is reported, and fails under `strict`.
    """
    beyond: dict[str, Band] = {}
    unjudged: dict[str, str] = {}
    for name, result in results.items():
        band = profile.point_band(result).band
        if result.status == "undefined" or result.verdict == "inconclusive":
            unjudged[name] = result.reason
        elif band is not None and reaches(band, line):
            beyond[name] = band
    held = not beyond and not (strict and unjudged)
    return GateResult(held=held, line=line, beyond=beyond, unjudged=unjudged)
