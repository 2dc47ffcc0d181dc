"""What a spec asks, as the counts that a plan needs: scenarios, groups, references, cuts."""

from collections.abc import Mapping
from dataclasses import dataclass

from evenhand.core.results import Band
from evenhand.core.spec import AuditSpec
from evenhand.core.types import References, Scenario
from evenhand.errors import UsageError
from evenhand.instruments.audit.power.assumptions import Assumptions
from evenhand.metrics.bands import BandProfile, MetricBands

BEYOND: tuple[Band, ...] = ("watch", "flag", "fail")
LIMIT_ALPHA = 0.03
"""Error of a limit that is planned with, where the run's limits follow a direction that is itself estimated: that costs
power, as if they were at 97% and not at 95%. Found by simulation of those limits (docs: plan a run)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """An audit before it is run.

    Attributes
    ----------
    groups
        Attribute to the values that prompts are changed to, anywhere.
    complete
        Attribute to the number of scenarios that ask all its groups.
    differences
        Metric to the true value that shall be found, where the caller says.
    """

    spec: AuditSpec
    scenarios: tuple[Scenario, ...]
    references: References
    groups: Mapping[str, tuple[str, ...]]
    complete: Mapping[str, int]
    profile: BandProfile
    assumed: Assumptions
    differences: Mapping[str, float]

    @property
    def prompts(self) -> int:
        """Base prompts and variants."""
        return sum(1 + sum(len(g.variants) for g in s.counterfactuals) for s in self.scenarios)

    def difference(self, metric: str, bands: MetricBands) -> float:
        """Return the value that shall be found: the caller's, or halfway between the pass cut and the next one."""
        given = self.differences.get(metric)
        return given if given is not None else (bands.cuts["watch"] + bands.cuts["flag"]) / 2


def design_of(spec: AuditSpec, profile: BandProfile, assumed: Assumptions, differences: Mapping[str, float]) -> Design:
    """Count what `spec` asks.

    Raises
    ------
    UsageError
        If a difference is asked of a metric that is not planned, or lies inside its pass band.
    """
    scenarios = tuple(s for group in spec.scenario_sets for s in group.scenarios)
    asked = [
        {g.attribute: {v.attribute_value for v in g.variants} for g in scenario.counterfactuals}
        for scenario in scenarios
    ]
    names = dict.fromkeys(attribute for groups in asked for attribute in groups)
    groups = {a: tuple(sorted(set().union(*(each.get(a, set()) for each in asked)))) for a in names}
    _check(differences, spec, profile)
    return Design(
        spec=spec,
        scenarios=scenarios,
        references=References.of(spec.scenario_sets),
        groups=groups,
        complete={a: sum(each.get(a) == set(groups[a]) for each in asked) for a in names},
        profile=profile,
        assumed=assumed,
        differences=differences,
    )


def _check(differences: Mapping[str, float], spec: AuditSpec, profile: BandProfile) -> None:
    for metric, value in differences.items():
        if metric not in spec.metrics or metric not in profile.metrics:
            planned = ", ".join(name for name in spec.metrics if name in profile.metrics)
            raise UsageError(f"a difference of {metric} cannot be planned; this audit has cuts for: {planned}")
        bands = profile.metrics[metric]
        if bands.band(value) == "pass":
            cuts = ", ".join(f"{band} {cut:g}" for band, cut in bands.cuts.items())
            raise UsageError(
                f"a difference of {value:g} lies inside the pass band of {metric}, where nothing shall be found; "
                f"name one beyond it (cuts of {profile.name}: {cuts})"
            )
