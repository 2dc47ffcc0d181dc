"""Replicates that an audit needs for the differences that matter, and differences that so many replicates find."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from evenhand.core.spec import AuditSpec
from evenhand.errors import UsageError
from evenhand.instruments.audit.power.assumptions import Assumptions
from evenhand.instruments.audit.power.design import Design, design_of
from evenhand.instruments.audit.power.groups import ask_dsi
from evenhand.instruments.audit.power.means import ask_cds, ask_hsi
from evenhand.instruments.audit.power.question import Asked, Question, Unplanned, Unreachable, joined
from evenhand.instruments.audit.power.ratios import ask_sar
from evenhand.instruments.audit.power.shares import ask_ode, ask_rsi
from evenhand.metrics.bands import load_profile
from evenhand.stats.planning import detectable_effect, smallest_size

ALPHA = 0.05
MOST = 10_000
"""More replicates than this are not looked for."""

ASK: Mapping[str, Callable[[Design], Asked]] = {
    "RSI": ask_rsi,
    "ODE": ask_ode,
    "CDS": ask_cds,
    "HSI": ask_hsi,
    "SAR": ask_sar,
    "DSI": ask_dsi,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One metric and attribute in a plan.

    Attributes
    ----------
    reads, cut
        Quantity that the bands read, and the cut of its pass band.
    difference, meaning
        True value that shall be found, and an example of it in words.
    replicates
        Smallest number that finds it; None if none up to `MOST` does, or it was not looked for.
    detectable, detectable_meaning
        Smallest true value beyond the cut that the plan's replicates find; None if they find none.
    """

    metric: str
    attribute: str
    reads: str
    cut: float
    difference: float
    meaning: str
    replicates: int | None
    detectable: float | None
    detectable_meaning: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerPlan:
    """What can be found.

    Attributes
    ----------
    needed
        Replicates that find every difference that can be planned; None if there is none, or one takes too many.
    replicates
        Replicates that `detectable` speaks of: those given, or those needed, or 10.
    is_given
        Whether the caller gave them.
    power, alpha
        Chance of finding a difference; level of the tests, Holm's worst case.
    tests
        Overall metrics with a test: `alpha` is .05 over their number.
    unplanned, unreachable
        What cannot be planned, and cuts that no model can cross.
    """

    profile: str
    power: float
    tests: int
    alpha: float
    assumed: Assumptions
    needed: int | None
    replicates: int
    is_given: bool
    planned: tuple[Planned, ...]
    unplanned: tuple[Unplanned, ...]
    unreachable: tuple[Unreachable, ...]

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON."""
        return asdict(self)

    def line(self) -> str:
        """Say in one line what the replicates can show."""
        found = [f"{_name(p)} {p.detectable:.3g}" for p in self.planned if p.detectable is not None]
        missed = [_name(p) for p in self.planned if p.detectable is None]
        many = f"With {self.replicates} replicate{'' if self.replicates == 1 else 's'}"
        if not found:
            return f"{many} no difference beyond the pass cuts can be detected ({self.power:.0%} power)."
        nothing = f"; nothing for {', '.join(missed)}" if missed else ""
        return f"{many} a difference of {', '.join(found)} can be detected ({self.power:.0%} power){nothing}."


def plan_power(
    spec: AuditSpec,
    *,
    replicates: int | None = None,
    power: float = 0.8,
    differences: Mapping[str, float] | None = None,
    assumed: Assumptions | None = None,
) -> PowerPlan:
    """Plan an audit.

    Parameters
    ----------
    spec
        What is asked. Its own number of replicates plays no part.
    replicates
        Those one can afford; None takes those needed.
    power
        Chance of finding each difference, in (0, 1).
    differences
        Metric to the true value that shall be found, in the quantity that its bands read; by default halfway between
        the pass cut and the next one.
    assumed
        What is assumed about the answers.

    Raises
    ------
    UsageError
        If a number is out of range, or a difference cannot be asked for.

    Notes
    -----
    A difference counts as found where a verdict other than "pass" would follow: the one-sided 95% limit lies beyond
    the pass cut, and p lies below .05 over the number of tested metrics, which is the worst that Holm can ask. For
    HSI, which has no test, the limit alone. Every scenario is taken to differ by the same amount.
    """
    asked = _asked(spec, power, differences or {}, assumed or Assumptions())
    alpha = ALPHA / max(1, _tests(asked))
    sizes = [
        smallest_size(lambda n, q=q: q.power(n, q.difference, alpha), power, most=MOST)  # type: ignore[misc]
        for q in asked.questions
    ]
    known = [size for size in sizes if size is not None]
    needed = max(known) if known and len(known) == len(sizes) else None
    made = _plan(spec, asked, power, alpha, replicates or needed or 10, assumed or Assumptions())
    return replace(
        made,
        needed=needed,
        is_given=replicates is not None,
        planned=tuple(replace(p, replicates=size) for p, size in zip(made.planned, sizes, strict=True)),
    )


def with_replicates(spec: AuditSpec, *, power: float = 0.8, assumed: Assumptions | None = None) -> PowerPlan:
    """Say what the spec's own replicates can show, without looking for the number that would be needed."""
    known = assumed or Assumptions()
    asked = _asked(spec, power, {}, known)
    return _plan(spec, asked, power, ALPHA / max(1, _tests(asked)), spec.replicates, known)


def _asked(spec: AuditSpec, power: float, differences: Mapping[str, float], assumed: Assumptions) -> Asked:
    if not 0 < power < 1:
        raise UsageError(f"power is a chance between 0 and 1, such as 0.8, not {power:g}")
    profile = load_profile(spec.bands)
    design = design_of(spec, profile, assumed, differences)
    return joined([_ask(metric, design) for metric in spec.metrics])


def _ask(metric: str, design: Design) -> Asked:
    if metric not in ASK:
        reason = "it is no built-in metric, so nothing is known about its law"
    elif metric not in design.profile.metrics:
        reason = f"{design.profile.name} has no cuts for it"
    else:
        return ASK[metric](design)
    return Asked(unplanned=(Unplanned(metric=metric, attribute="", reason=reason),))


def _tests(asked: Asked) -> int:
    """Overall metrics that the run will test; attributes of one are parts of it."""
    tested = {q.metric for q in asked.questions if q.has_test} | {u.metric for u in asked.unplanned if u.is_tested}
    return len(tested)


def _plan(
    spec: AuditSpec, asked: Asked, power: float, alpha: float, replicates: int, assumed: Assumptions
) -> PowerPlan:
    return PowerPlan(
        profile=spec.bands,
        power=power,
        tests=_tests(asked),
        alpha=alpha,
        assumed=assumed,
        needed=None,
        replicates=replicates,
        is_given=True,
        planned=tuple(_detect(question, replicates, power, alpha) for question in asked.questions),
        unplanned=asked.unplanned,
        unreachable=asked.unreachable,
    )


def _detect(question: Question, replicates: int, power: float, alpha: float) -> Planned:
    found = detectable_effect(
        lambda value: question.power(replicates, value, alpha), power, cut=question.cut, farthest=question.farthest
    )
    return Planned(
        metric=question.metric,
        attribute=question.attribute,
        reads=question.reads,
        cut=question.cut,
        difference=question.difference,
        meaning=question.words(question.difference),
        replicates=None,
        detectable=found,
        detectable_meaning="" if found is None else question.words(found),
        notes=question.notes,
    )


def _name(planned: Planned) -> str:
    return f"{planned.metric} ({planned.attribute})" if planned.attribute else planned.metric
