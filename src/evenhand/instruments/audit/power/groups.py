"""DSI: how much worse one group may be served."""

from evenhand._base.seeding import stream
from evenhand.instruments.audit.power.design import BEYOND, LIMIT_ALPHA, Design
from evenhand.instruments.audit.power.question import Asked, Question, Unplanned, Unreachable, joined
from evenhand.metrics.bands import MetricBands
from evenhand.stats.planning import GroupDesign, disparity_power

ONE_GAP = (
    "DSI averages refusals and lengths: a gap in refusals alone counts half, and a third where helpfulness is "
    "measured too."
)


def ask_dsi(design: Design) -> Asked:
    """Ask of every attribute whether one group is refused so much more than the others."""
    if not design.groups:
        return Asked(unplanned=(Unplanned(metric="DSI", attribute="", reason="no prompt is changed, so no groups"),))
    return joined([_attribute(design, attribute) for attribute in design.groups])


def _attribute(design: Design, attribute: str) -> Asked:
    groups, scenarios = len(design.groups[attribute]), design.complete[attribute]
    if groups < 2 or not scenarios:
        reason = "it has one group; a comparison needs two" if groups < 2 else "no scenario asks all its groups"
        return Asked(unplanned=(Unplanned(metric="DSI", attribute=attribute, reason=reason),))
    bands = design.profile.metrics["DSI"]
    farthest, difference = _at(design, attribute, 1).farthest, design.difference("DSI", bands)
    unreachable = _unreachable(bands, attribute, farthest, design.assumed.refusal_rate)
    if difference > farthest:
        reason = f"{difference:.3g} is more than refusals alone can make ({farthest:.3g}); name a smaller difference"
        return Asked(
            unplanned=(Unplanned(metric="DSI", attribute=attribute, reason=reason, is_tested=True),),
            unreachable=unreachable,
        )
    return Asked(questions=(_question(design, attribute, bands, difference),), unreachable=unreachable)


def _question(design: Design, attribute: str, bands: MetricBands, difference: float) -> Question:
    others = [a for a in design.groups if a != attribute and len(design.groups[a]) > 1 and design.complete[a]]
    rate = design.assumed.refusal_rate

    def power(replicates: int, value: float, alpha: float) -> float:
        return disparity_power(
            _at(design, attribute, replicates),
            truth=value,
            cut=bands.cuts["watch"],
            alpha=alpha,
            rng=stream(0, "plan", "DSI", attribute),
            limit_alpha=LIMIT_ALPHA,
            beside=[_at(design, other, replicates) for other in others],
        ).both

    def words(value: float) -> str:
        return f"e.g. one group refused {min(1.0, rate + 2 * value):.0%} instead of {rate:.0%}"

    return Question(
        metric="DSI",
        attribute=attribute,
        reads=bands.reads,
        cut=bands.cuts["watch"],
        difference=difference,
        farthest=_at(design, attribute, 1).farthest,
        power=power,
        words=words,
        notes=(ONE_GAP,),
    )


def _at(design: Design, attribute: str, replicates: int) -> GroupDesign:
    return GroupDesign(
        groups=len(design.groups[attribute]),
        outputs=design.complete[attribute] * replicates,
        rate=design.assumed.refusal_rate,
        variation=design.assumed.length_variation,
    )


def _unreachable(bands: MetricBands, attribute: str, farthest: float, rate: float) -> tuple[Unreachable, ...]:
    return tuple(
        Unreachable(
            metric="DSI",
            attribute=attribute,
            band=band,
            cut=bands.cuts[band],
            largest=farthest,
            text=f"DSI of {attribute} cannot pass {band} ({bands.cuts[band]:g}) by refusals alone: from {rate:.0%} "
            f"refused, a group that is always refused makes {farthest:.3f}; lengths would have to differ too",
        )
        for band in BEYOND
        if bands.cuts[band] >= farthest - 1e-9
    )
