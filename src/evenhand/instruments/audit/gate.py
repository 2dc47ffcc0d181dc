"""Whether a run may pass: supported bands against the line that was drawn, with everything that could not be judged."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from evenhand.core.results import MetricResult, Verdict

Line = Literal["watch", "flag", "fail"]

# `under` (SAR below its lower cut) is not a pass and is as grave as the first step on the other side
_GRAVITY: Mapping[Verdict, int] = {"pass": 0, "watch": 1, "under": 1, "flag": 2, "fail": 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """What the gate saw.

    Attributes
    ----------
    held
        False if a supported band lies at or beyond the line, or, under `strict`, if anything could not be judged.
    beyond
        Metric to supported band, for each metric at or beyond the line.
    unjudged
        Metric to reason, for each that is undefined or inconclusive.
    """

    held: bool
    line: Line
    beyond: Mapping[str, Verdict]
    unjudged: Mapping[str, str]


def reaches(verdict: Verdict, line: Line) -> bool:
    """Say whether a supported band lies at or beyond `line`; SAR's `under` is as grave as `watch`."""
    return _GRAVITY[verdict] >= _GRAVITY[line]


def gate(results: Mapping[str, MetricResult], line: Line, *, strict: bool = False) -> GateResult:
    """Hold concluded results against a line.

    Notes
    -----
    What is inconclusive or undefined is not read against the line; it is reported, and fails under `strict`.
    """
    beyond: dict[str, Verdict] = {}
    unjudged: dict[str, str] = {}
    for name, result in results.items():
        verdict = result.verdict
        if verdict is None or verdict not in _GRAVITY:
            unjudged[name] = result.reason
        elif reaches(verdict, line):
            beyond[name] = verdict
    held = not beyond and not (strict and unjudged)
    return GateResult(held=held, line=line, beyond=beyond, unjudged=unjudged)
