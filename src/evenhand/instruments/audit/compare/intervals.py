"""How far the true difference of a metric may lie from the one seen."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.core.results import Interval, MetricResult, Target
from evenhand.core.table import Flags, Floats
from evenhand.instruments.audit.compare.matched import Matched
from evenhand.instruments.audit.compare.question import Question
from evenhand.metrics.comparisons import FEWEST_CLUSTERS
from evenhand.stats.jackknife import stratified_jackknife
from evenhand.stats.stratified_difference import welch

GROUPS = 40
"""About how many groups of outputs a jackknife leaves out, one at a time."""
LEVEL = 0.95
FROM_BOTH = "limits of both runs set against each other"
WITHIN = "jackknife over replicates"
BETWEEN = "jackknife over scenarios"
NO_SCATTER = "no interval: nothing varies"
ONE_ANSWER = "no interval: one answer to each prompt shows no scatter"
FEW_SCENARIOS = f"no interval for prompts like these: it needs at least {FEWEST_CLUSTERS} scenarios"
LOST_VALUE = "no interval: without some of the answers the metric is undefined"

Results = Sequence[Mapping[str, MetricResult]]
Limits = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Left:
    """Variances with some outputs left out: (runs, metrics, 2) of values and excesses, for the metrics `names`."""

    names: Sequence[str]
    variance: Floats
    df: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Intervals:
    """What intervals are made of.

    Attributes
    ----------
    results
        Of each run, with the interval of its value; for the prompts that were asked.
    within
        Replicates left out; only metrics that have no interval of their own, or an excess. None with one replicate.
    between
        Scenarios left out of both runs at once; None where the target does not ask for it.
    why_not
        Why there can be none at all.
    """

    target: Target
    results: Results
    within: Left | None = None
    between: Left | None = None
    why_not: str = ""

    @classmethod
    def of(cls, matched: Matched, question: Question, *, with_excess: Collection[str]) -> "Intervals":
        """Compute the runs' own intervals, and leave out group after group where they do not suffice.

        Parameters
        ----------
        with_excess
            Metrics of which the excess is compared too.

        Notes
        -----
        From the lower limit of one run to the upper limit of the other: the difference lies inside whenever both values
        lie inside theirs, so that 95% limits cover it in at least 90% of comparisons. Adding squared distances to the
        values (`stats.stratified_difference.mover`) would be narrower, but plug-in values are biased by different
        amounts where models differ: in one simulated design it covered SAR in less than 70%. A metric without limits,
        and an excess, scatters as its jackknife says. For prompts like these, scenarios are clusters that both runs
        share; the interval is never narrower than the one for the prompts that were asked.
        """
        results = question.with_intervals(matched.split(), target="these prompts")
        jackknifed = [name for name in question.names if name in with_excess or _has_no_limits(results, name)]
        few = len(np.unique(matched.table.scenario)) < FEWEST_CLUSTERS
        is_clustered = question.target == "prompts like these"
        return cls(
            target=question.target,
            results=results,
            within=_within(matched, question, jackknifed),
            between=_between(matched, question) if is_clustered and not few else None,
            why_not=FEW_SCENARIOS if is_clustered and few else "",
        )

    def around(self, difference: float, name: str, quantity: int) -> Interval | str:
        """Return the interval of a difference, or why there is none."""
        if self.why_not:
            return self.why_not
        own, method = self._for_these(difference, name, quantity)
        ends = [own] if own else []
        if self.between is not None:
            method = BETWEEN
            variance = float(self.between.variance[0, self.between.names.index(name), quantity])
            ends.append(welch(difference, (variance, 0.0), (self.between.df, 1), level=LEVEL))
        if not ends:
            return ONE_ANSWER
        low, high = min(low for low, _ in ends), max(high for _, high in ends)
        if np.isnan(low) or np.isnan(high):
            return LOST_VALUE
        if high - low <= 1e-12:
            return NO_SCATTER
        # simulated coverage of the difference is not established for any of these methods
        return Interval(low=low, high=high, level=LEVEL, method=method, target=self.target, approximate=True)

    def _for_these(self, difference: float, name: str, quantity: int) -> tuple[Limits | None, str]:
        """Return limits for the prompts that were asked, and their method."""
        limits = [run[name].confidence_interval for run in self.results]
        if quantity == 0 and limits[0] is not None and limits[1] is not None:
            old, new = limits[0], limits[1]
            return (new.low - old.high, new.high - old.low), FROM_BOTH
        if self.within is None:
            return None, WITHIN
        v = self.within.variance[:, self.within.names.index(name), quantity]
        df = float(self.within.df)
        return welch(difference, (float(v[0]), float(v[1])), (df, df), level=LEVEL), WITHIN


def _has_no_limits(results: Results, name: str) -> bool:
    is_defined = all(run[name].value is not None for run in results)
    return is_defined and any(run[name].confidence_interval is None for run in results)


def _within(matched: Matched, question: Question, names: Sequence[str]) -> Left | None:
    strata = [_without(matched, question, names, groups) for groups in matched.left_out(GROUPS)] if names else []
    if not strata:
        return None
    # the runs are independent, so that leaving a replicate out of both at once gives the variance of each
    variance, df = stratified_jackknife(strata)
    return Left(names=names, variance=variance, df=df)


def _between(matched: Matched, question: Question) -> Left:
    numbers = _without(matched, question, question.names, matched.without_scenarios(GROUPS))
    variance, df = stratified_jackknife([numbers[:, 1:] - numbers[:, :1]])
    return Left(names=question.names, variance=variance, df=df)


def _without(matched: Matched, question: Question, names: Sequence[str], groups: Sequence[Flags]) -> Floats:
    """(groups, 2, metrics, 2) numbers of either run without each group."""
    return np.array([question.numbers(matched.split(kept=kept), names) for kept in groups])
