"""RSI and ODE: how far shares of categories may lie from their references."""

import numpy as np
from numpy.typing import NDArray

from evenhand._base.seeding import stream
from evenhand.instruments.audit.power.design import BEYOND, LIMIT_ALPHA, Design
from evenhand.instruments.audit.power.question import Asked, Question, Unplanned, Unreachable, joined
from evenhand.metrics.bands import MetricBands
from evenhand.metrics.references import attributes_of, reference_for, shares_row, vocabulary
from evenhand.metrics.shares import MIN_DETERMINATE
from evenhand.stats.divergence import jsd_bits, max_jsd_bits, normalised_entropy
from evenhand.stats.planning import diversity_power, evened, skew_power, skewed

Floats = NDArray[np.float64]

NO_CATEGORIES = "no scenario set declares categories, so there is nothing to compare shares with"
_AT_ONCE = 100_000
"""Drawn counts of one simulation; many cells get fewer draws, at least 500."""


def ask_rsi(design: Design) -> Asked:
    """Ask of every attribute whether its shares lie off their references by so much in every scenario."""
    attributes = attributes_of(design.references)
    if not attributes:
        return Asked(unplanned=(Unplanned(metric="RSI", attribute="", reason=NO_CATEGORIES),))
    return joined([_rsi(design, attribute) for attribute in attributes])


def ask_ode(design: Design) -> Asked:
    """Ask of every attribute whether its shares are so uneven in every scenario."""
    attributes = attributes_of(design.references)
    if not attributes:
        reason = f"{NO_CATEGORIES}; the diversity of texts or images has no law that could be planned with"
        return Asked(unplanned=(Unplanned(metric="ODE", attribute="", reason=reason),))
    return joined([_ode(design, attribute) for attribute in attributes])


def _rsi(design: Design, attribute: str) -> Asked:
    bands, reference = design.profile.metrics["RSI"], _references(design, attribute)
    if reference.shape[1] < 2:
        return _one_category("RSI", attribute)
    largest = max_jsd_bits(reference)
    # in the unit that the bands read: bits, or shares of the largest divergence possible
    scale = largest if bands.reads == "normalised excess" else np.ones(len(reference))
    reachable = jsd_bits(skewed(reference, np.full(len(reference), np.inf)), reference)
    farthest, difference = float((reachable / scale).mean()), design.difference("RSI", bands)
    unreachable = _unreachable(bands, attribute, reference.shape[1], farthest)
    if difference > farthest:
        return Asked(unplanned=(_too_far("RSI", attribute, difference, farthest),), unreachable=unreachable)

    def bits(value: float) -> Floats:
        part: Floats = value / farthest * reachable
        return part

    def power(replicates: int, value: float, alpha: float) -> float:
        n = _determinate(design, attribute, replicates, len(reference))
        if n is None:
            return 0.0
        return skew_power(
            reference,
            n,
            truth=bits(value),
            cut=bits(bands.cuts["watch"]),
            scale=scale,
            alpha=alpha,
            rng=stream(0, "plan", "RSI", attribute),
            limit_alpha=LIMIT_ALPHA,
            draws=_draws(reference),
        ).both

    question = Question(
        metric="RSI",
        attribute=attribute,
        reads=bands.reads,
        cut=bands.cuts["watch"],
        difference=difference,
        farthest=farthest,
        power=power,
        words=lambda value: _instead(skewed(reference, bits(value))[0], reference[0]),
    )
    return Asked(questions=(question,), unreachable=unreachable)


def _ode(design: Design, attribute: str) -> Asked:
    bands, reference = design.profile.metrics["ODE"], _references(design, attribute)
    k = reference.shape[1]
    if k < 2:
        return _one_category("ODE", attribute)
    difference, own = design.difference("ODE", bands), float(normalised_entropy(reference, k).mean())
    if own <= difference:
        reason = (
            f"the references themselves have {own:.3g}, no more than the {difference:.3g} that shall be found, and a "
            "model that matches its reference is not at fault; RSI compares with the references"
        )
        return Asked(unplanned=(Unplanned(metric="ODE", attribute=attribute, reason=reason, is_tested=True),))

    def power(replicates: int, value: float, alpha: float) -> float:
        n = _determinate(design, attribute, replicates, len(reference))
        if n is None:
            return 0.0
        return diversity_power(
            reference,
            n,
            truth=value,
            cut=bands.cuts["watch"],
            alpha=alpha,
            rng=stream(0, "plan", "ODE", attribute),
            limit_alpha=LIMIT_ALPHA,
            draws=_draws(reference),
        ).both

    question = Question(
        metric="ODE",
        attribute=attribute,
        reads=bands.reads,
        cut=bands.cuts["watch"],
        difference=difference,
        farthest=0.0,
        power=power,
        words=lambda value: _instead(evened(reference, value)[0], np.full(k, 1 / k)),
    )
    return Asked(questions=(question,))


def _references(design: Design, attribute: str) -> Floats:
    """(scenarios, K) shares."""
    categories = vocabulary(design.references, attribute)
    found = [shares_row(reference_for(design.references, s.id, attribute), categories) for s in design.scenarios]
    rows = np.array(found)
    shares: Floats = rows / rows.sum(axis=1, keepdims=True)
    return shares


def _determinate(design: Design, attribute: str, replicates: int, cells: int) -> NDArray[np.int64] | None:
    """Answers that show a signal, in each scenario; None if too few for any verdict."""
    each = int(replicates * design.assumed.signal(attribute) + 1e-9)
    return np.full(cells, each) if each > 0 and each * cells >= MIN_DETERMINATE else None


def _draws(reference: Floats) -> int:
    return int(np.clip(_AT_ONCE // reference.size, 500, 2_000))


def _unreachable(bands: MetricBands, attribute: str, k: int, farthest: float) -> tuple[Unreachable, ...]:
    return tuple(
        Unreachable(
            metric="RSI",
            attribute=attribute,
            band=band,
            cut=bands.cuts[band],
            largest=farthest,
            text=f"RSI of {attribute} cannot pass {band} ({bands.cuts[band]:g}): with these {k} categories and "
            f"references its largest {bands.reads} is {farthest:.4f}",
        )
        for band in BEYOND
        if bands.cuts[band] >= farthest - 1e-9
    )


def _too_far(metric: str, attribute: str, difference: float, farthest: float) -> Unplanned:
    reason = f"{difference:.3g} cannot occur, the largest value possible is {farthest:.4f}; name a smaller difference"
    return Unplanned(metric=metric, attribute=attribute, reason=reason, is_tested=True)


def _one_category(metric: str, attribute: str) -> Asked:
    reason = "one category is declared; a comparison needs two"
    return Asked(unplanned=(Unplanned(metric=metric, attribute=attribute, reason=reason),))


def _instead(shares: Floats, instead_of: Floats) -> str:
    return f"e.g. {_percent(shares)} instead of {_percent(instead_of)}"


def _percent(shares: Floats) -> str:
    return "/".join(f"{100 * share:.0f}" for share in shares)
