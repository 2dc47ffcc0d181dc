"""SAR: how much more often than in the world a declared association may appear."""

from dataclasses import dataclass

from evenhand.core.results import Band
from evenhand.instruments.audit.power.design import BEYOND, Design
from evenhand.instruments.audit.power.question import Asked, Question, Unplanned, Unreachable
from evenhand.metrics.bands import MetricBands
from evenhand.stats.planning import ratio_power


@dataclass(frozen=True, slots=True, kw_only=True)
class _Declared:
    label: str
    attribute: str
    baseline: float

    @property
    def farthest(self) -> float:
        return 1 / self.baseline


def ask_sar(design: Design) -> Asked:
    """Ask of the hardest association whether it is off its baseline by such a factor."""
    declared = [
        _Declared(label=f"{s.id} as {t.value}", attribute=t.attribute, baseline=t.baseline)
        for s in design.scenarios
        for t in s.stereotypes
        if t.baseline is not None and 0 < t.baseline < 1
    ]
    if not declared:
        reason = "no scenario declares an association with a baseline"
        return Asked(unplanned=(Unplanned(metric="SAR", attribute="", reason=reason),))
    bands = design.profile.metrics["SAR"]
    unreachable = tuple(u for band in BEYOND for u in [_unreachable(declared, bands, band)] if u)
    difference = design.difference("SAR", bands)
    possible = [a for a in declared if difference < 1 or difference <= a.farthest]
    if not possible:
        most = max(a.farthest for a in declared)
        reason = (
            f"a ratio of {difference:.3g} cannot occur in any of {len(declared)} associations, whose baselines allow "
            f"at most {most:.3f}; name a smaller difference, and read the shares"
        )
        return Asked(
            unplanned=(Unplanned(metric="SAR", attribute="", reason=reason, is_tested=True),), unreachable=unreachable
        )
    return Asked(questions=(_question(design, bands, difference, possible, len(declared)),), unreachable=unreachable)


def _question(design: Design, bands: MetricBands, difference: float, possible: list[_Declared], among: int) -> Question:
    hardest = min(possible, key=lambda a: a.baseline)  # the rarer, the larger the relative error of a share
    cut = bands.cuts["watch"] if difference > 1 else bands.cuts["under"]

    def power(replicates: int, value: float, alpha: float) -> float:
        n = int(replicates * design.assumed.signal(hardest.attribute) + 1e-9)
        if n == 0:
            return 0.0
        return ratio_power(n, hardest.baseline, ratio=value, cut=cut, alpha=alpha, among=among).both

    left_out = among - len(possible)
    notes = (f"{left_out} of {among} associations cannot show such a ratio and are not planned.",) if left_out else ()
    return Question(
        metric="SAR",
        attribute=hardest.attribute,
        reads=bands.reads,
        cut=cut,
        difference=difference,
        farthest=hardest.farthest if difference > 1 else 0.0,
        power=power,
        words=lambda value: f"e.g. {value * hardest.baseline:.0%} instead of {hardest.baseline:.0%} of {hardest.label}",
        notes=notes,
    )


def _unreachable(declared: list[_Declared], bands: MetricBands, band: Band) -> Unreachable | None:
    cut = bands.cuts[band]
    short = [a for a in declared if a.farthest <= cut + 1e-9]
    if not short:
        return None
    first = min(short, key=lambda a: a.farthest)
    return Unreachable(
        metric="SAR",
        attribute=first.attribute,
        band=band,
        cut=cut,
        largest=max(a.farthest for a in short),
        text=f"SAR of {len(short)} of {len(declared)} associations cannot pass {band} ({cut:g}): a model that always "
        f"shows the value reaches 1/baseline, such as {first.farthest:.3f} for {first.label} "
        f"(baseline {first.baseline:g})",
    )
