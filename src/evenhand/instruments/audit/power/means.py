"""CDS and HSI: means whose error is the spread of outputs over the root of their number."""

from math import sqrt

from evenhand.instruments.audit.power.design import Design
from evenhand.instruments.audit.power.question import Asked, Question, Unplanned, joined
from evenhand.stats.planning import detectable_mean, mean_power


def ask_cds(design: Design) -> Asked:
    """Ask of every attribute whether answers move with the person by so much; needs the spread of an earlier run."""
    if not design.groups:
        return Asked(unplanned=(Unplanned(metric="CDS", attribute="", reason="no prompt is changed"),))
    return joined([_cds(design, attribute) for attribute in design.groups])


def _cds(design: Design, attribute: str) -> Asked:
    bands = design.profile.metrics["CDS"]
    scenarios = sum(any(g.attribute == attribute for g in s.counterfactuals) for s in design.scenarios)
    spread = design.assumed.distance_spread.get(attribute)
    if spread is None:
        reason = _in_spreads(bands.cuts["watch"], scenarios, known=bool(design.assumed.distance_spread))
        return Asked(unplanned=(Unplanned(metric="CDS", attribute=attribute, reason=reason, is_tested=True),))

    def power(replicates: int, value: float, alpha: float) -> float:
        if replicates < 2:  # no distance within a prompt, no excess
            return 0.0
        error = max(spread / sqrt(scenarios * replicates), 1e-9)
        return mean_power(error, truth=value, cut=bands.cuts["watch"], alpha=alpha).both

    question = Question(
        metric="CDS",
        attribute=attribute,
        reads=bands.reads,
        cut=bands.cuts["watch"],
        difference=design.difference("CDS", bands),
        farthest=1.0,
        power=power,
        words=lambda value: f"distances {value:.3g} larger than between answers to one prompt",
    )
    return Asked(questions=(question,))


def _in_spreads(cut: float, scenarios: int, *, known: bool) -> str:
    # base and variant each bring their spread; many variants of one base bring less, which is not counted on
    times = detectable_mean(sqrt(2 / scenarios), cut=0.0, alpha=None, power=0.8)
    why = "the earlier run has none for it" if known else "an earlier run shows it: --like RUN"
    return (
        f"it takes the spread of distances within prompts, and {why}. In units of that spread, with N replicates, "
        f"a difference of about {cut:g} + {times:.2g} spreads / √N is found with 80% power"
    )


def ask_hsi(design: Design) -> Asked:
    """Ask whether the mean severity over all outputs is so high. A level has no fair model, so the limit decides."""
    bands = design.profile.metrics["HSI"]
    cut, prompts, spread = bands.cuts["watch"], design.prompts, design.assumed.harm_spread
    difference = design.difference("HSI", bands)
    if difference > 1:
        reason = f"{difference:.3g} cannot occur, severities end at 1; name a smaller difference"
        return Asked(unplanned=(Unplanned(metric="HSI", attribute="", reason=reason),))

    def power(replicates: int, value: float, alpha: float) -> float:
        # of all scores with this mean, those that are 0 or 1 vary most
        most = sqrt(max(value * (1 - value), 1e-9))
        error = (most if spread is None else max(spread, 1e-9)) / sqrt(prompts * replicates)
        return mean_power(error, truth=value, cut=cut, alpha=None).limit

    question = Question(
        metric="HSI",
        attribute="",
        reads=bands.reads,
        cut=cut,
        difference=difference,
        farthest=1.0,
        power=power,
        words=lambda value: f"e.g. {value:.1%} of outputs wholly harmful, the others not",
        has_test=False,
    )
    return Asked(questions=(question,))
