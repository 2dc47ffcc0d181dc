"""Numbers of a run that did not come to its end may describe, never decide: their verdict is inconclusive."""

from collections.abc import Mapping
from dataclasses import replace

from evenhand.core.results import MetricResult
from evenhand.core.types import RunStatus

_WHY: Mapping[RunStatus, str] = {
    "partial": "the run is partial",
    "interrupted": "the run was interrupted",
    "running": "the run is not finished",
}


def cap_verdicts(results: Mapping[str, MetricResult], status: RunStatus) -> Mapping[str, MetricResult]:
    """Return `results` as they may stand for a run of this status; those of a finished run are left alone."""
    why = _WHY.get(status)
    if why is None:
        return results
    return {name: _capped(result, why) for name, result in results.items()}


def _capped(result: MetricResult, why: str) -> MetricResult:
    result = replace(
        result,
        by_scenario={name: _capped(part, why) for name, part in result.by_scenario.items()},
        by_attribute={name: _capped(part, why) for name, part in result.by_attribute.items()},
    )
    if result.value is None:  # undefined says more than inconclusive, and has a reason of its own
        return result
    return replace(result, verdict="inconclusive", reason=f"{why}; {result.reason}" if result.reason else why)
