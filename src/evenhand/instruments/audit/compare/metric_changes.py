"""Metric by metric: how far two runs are apart, and whether their answers dealt out anew would be as far apart."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evenhand._base.seeding import stream
from evenhand.core.results import Interval, MetricResult
from evenhand.core.table import Floats
from evenhand.instruments.audit.compare.intervals import Intervals
from evenhand.instruments.audit.compare.matched import Matched
from evenhand.instruments.audit.compare.question import QUANTITIES, Question, as_numbers
from evenhand.instruments.audit.compare.result import Change

FEWEST_DRAWS, ENOUGH = 99, 20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Dealt:
    """What permuted run labels give, for each metric and quantity (m, 2).

    Attributes
    ----------
    p_value
        NaN where there is no difference to test.
    scatter
        Standard deviation of the differences.
    draws
        (m,) permutations used.
    """

    p_value: Floats
    scatter: Floats
    draws: NDArray[np.intp]


def metric_changes(matched: Matched, question: Question, *, draws: int, seed: int) -> list[Change]:
    """Compare every metric; p-values are not adjusted yet.

    Parameters
    ----------
    draws
        Most permutations; a metric of which `ENOUGH` of at least `FEWEST_DRAWS` were as far apart as what was observed
        needs no more.

    Notes
    -----
    The p-value permutes run labels within prompts, which is exact where the answers to each prompt come from one law
    in both runs (Good 2005, ch. 6); stopping early keeps it so (Besag and Clifford 1991, Biometrika 78:301-304).
    """
    results, names = question.results(matched.split()), question.names
    observed = as_numbers(results, names)
    dealt = _deal(matched, question, names, observed, draws=draws, seed=seed)
    with_excess = {name for name in names if all(run[name].excess is not None for run in results)}
    intervals = Intervals.of(matched, question, with_excess=with_excess)
    return [
        _tested(_plain(name, quantity, (results[0][name], results[1][name]), matched.each), dealt, intervals, place)
        for place, name in enumerate(names)
        for quantity, label in enumerate(QUANTITIES)
        if label == "value" or name in with_excess
    ]


def _plain(name: str, quantity: int, pair: tuple[MetricResult, MetricResult], n: int) -> Change:
    old, new = pair
    reasons = [f"{run.reason} ({when} run)" for when, run in (("old", old), ("new", new)) if run.value is None]
    if old.value is new.value is None and old.reason == new.reason:
        reasons = [f"{old.reason} (both runs)"]
    is_value = QUANTITIES[quantity] == "value"
    return Change(
        name=name,
        quantity="value" if is_value else "excess",
        unit=old.unit or new.unit,
        old=old.value if is_value else old.excess,
        new=new.value if is_value else new.excess,
        direction=old.direction if is_value else "lower_is_better",
        reason="; ".join(reasons),
        n=(n, n),
    )


def _tested(change: Change, dealt: Dealt, intervals: Intervals, place: int) -> Change:
    if change.difference is None:
        return change
    quantity = QUANTITIES.index(change.quantity)
    p_value, scatter = float(dealt.p_value[place, quantity]), float(dealt.scatter[place, quantity])
    interval = intervals.around(change.difference, change.name, quantity)
    return replace(
        change,
        p_value=None if np.isnan(p_value) else p_value,
        test=f"run labels permuted within prompts, {int(dealt.draws[place])} draws",
        scatter=scatter if scatter > 0 else None,
        interval=interval if isinstance(interval, Interval) else None,
        no_interval="" if isinstance(interval, Interval) else interval,
    )


def _deal(
    matched: Matched, question: Question, names: Sequence[str], observed: Floats, *, draws: int, seed: int
) -> Dealt:
    rng = stream(seed, "compare", "metrics")
    apart = np.abs(observed[1] - observed[0])
    extreme, used = np.zeros(apart.shape, dtype=np.intp), np.zeros(len(names), dtype=np.intp)
    sums, squares, finite = np.zeros(apart.shape), np.zeros(apart.shape), np.zeros(apart.shape)
    open_ = [place for place in range(len(names)) if not np.isnan(apart[place, 0])]
    for draw in range(1, draws + 1):
        if not open_:
            break
        numbers = question.numbers(matched.split(matched.dealt(rng)), [names[place] for place in open_])
        difference = numbers[1] - numbers[0]
        known = ~np.isnan(difference)
        # a draw without a value might have been anything: it counts against the difference
        extreme[open_] += ~known | (np.abs(difference) >= apart[open_] - 1e-12)
        sums[open_] += np.where(known, difference, 0.0)
        squares[open_] += np.where(known, difference, 0.0) ** 2
        finite[open_] += known
        used[open_] = draw
        if draw >= FEWEST_DRAWS:
            open_ = [place for place in open_ if _is_open(extreme[place], apart[place])]
    p_value = np.where(np.isnan(apart), np.nan, (1 + extreme) / (1 + used[:, None]))
    # around 0, which is what labels without meaning give on average
    return Dealt(p_value=p_value, scatter=np.sqrt(squares / np.maximum(finite, 1)), draws=used)


def _is_open(extreme: NDArray[np.intp], apart: Floats) -> bool:
    tested = ~np.isnan(apart)
    return bool((extreme[tested] < ENOUGH).any())
