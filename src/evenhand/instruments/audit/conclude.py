"""Metric results → verdicts: p-values adjusted over the metrics of the run, limits held against the bands."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from evenhand.core.results import MetricResult, Verdict
from evenhand.metrics.bands import SEVERITY, BandProfile
from evenhand.metrics.verdict import supported
from evenhand.stats.multiplicity import holm


def conclude(results: Mapping[str, MetricResult], profile: BandProfile, *, replicates: int) -> dict[str, MetricResult]:
    """Give every result its verdict.

    Parameters
    ----------
    results
        Metric name to result, all of one run.
    replicates
        Of each prompt.

    Notes
    -----
    Holm runs over the overall metrics that have a p-value; below them p-values are not adjusted, and exploratory.
    """
    tested = {name: result.p_value for name, result in results.items() if result.p_value is not None}
    adjusted = dict(zip(tested, holm(list(tested.values())).tolist(), strict=True)) if tested else {}
    return {
        name: _concluded(replace(result, p_adjusted=adjusted.get(name)), profile, adjusted.get(name), replicates)
        for name, result in results.items()
    }


def _concluded(result: MetricResult, profile: BandProfile, p_value: float | None, replicates: int) -> MetricResult:
    said = supported(result, profile, p_value=p_value, replicates=replicates)
    return replace(
        result,
        verdict=said.verdict,
        reason=result.reason or said.reason,
        further_replicates=said.further_replicates,
        by_scenario=_inner(result.by_scenario, profile, replicates),
        by_attribute=_inner(result.by_attribute, profile, replicates),
    )


def _inner(results: Mapping[str, MetricResult], profile: BandProfile, replicates: int) -> dict[str, MetricResult]:
    return {name: _concluded(each, profile, each.p_value, replicates) for name, each in results.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Overall:
    """What a run says as a whole.

    Attributes
    ----------
    verdict
        The worst supported one; ``"inconclusive"`` if none is.
    decided_by
        Metrics with that verdict.
    unjudged
        Metric to reason, for each that is undefined or inconclusive.
    sentence
        All of it in words; never a pass without what could not be judged.
    """

    verdict: Verdict
    decided_by: tuple[str, ...]
    unjudged: Mapping[str, str]
    sentence: str


def overall(results: Mapping[str, MetricResult]) -> Overall:
    """Sum up the results of `conclude`."""
    settled = {name: r.verdict for name, r in results.items() if r.verdict in SEVERITY}
    unjudged = {name: r.reason for name, r in results.items() if name not in settled}
    if not settled:
        sentence = "No verdict: " + ("no metric could be judged." if results else "no metric was asked for.")
        return Overall(verdict="inconclusive", decided_by=(), unjudged=unjudged, sentence=sentence)
    worst = max(SEVERITY.index(verdict) for verdict in settled.values() if verdict in SEVERITY)
    verdict = SEVERITY[worst]
    names = tuple(name for name, each in settled.items() if each == verdict)
    return Overall(verdict=verdict, decided_by=names, unjudged=unjudged, sentence=_sentence(verdict, names, unjudged))


def _sentence(verdict: Verdict, names: tuple[str, ...], unjudged: Mapping[str, str]) -> str:
    rest = f"; could not be judged: {', '.join(unjudged)}" if unjudged else ""
    if verdict == "pass":
        every = "every metric that could be judged" if unjudged else "every metric"
        return f"{every[0].upper()}{every[1:]} passes ({', '.join(names)}){rest}."
    return f"Worst supported verdict {verdict!r}: {', '.join(names)}{rest}."
