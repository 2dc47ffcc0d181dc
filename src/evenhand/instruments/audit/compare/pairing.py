"""Two runs → what moved between them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evenhand.core.table import OutputTable
from evenhand.instruments.audit.compare.matched import Matched, match
from evenhand.instruments.audit.compare.measures import measure_changes
from evenhand.instruments.audit.compare.metric_changes import metric_changes
from evenhand.instruments.audit.compare.plans import Prompt
from evenhand.instruments.audit.compare.question import Question
from evenhand.instruments.audit.compare.result import ALPHA, Change, Pair, Side
from evenhand.stats.multiplicity import holm
from evenhand.stats.smallest_difference import smallest_seen

LARGE, DRAWS_OF_LARGE = 5_000, 199
"""Outputs of a run above which a test makes do with fewer permutations; 199 still reach an adjusted .05 of 9 tests."""
VARIETY = (
    "The value of CDS also moves when answers only become more or less varied; its excess is what lies above the "
    "distance between two answers to the same prompt."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run as it is compared."""

    side: Side
    outputs: OutputTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Permutations:
    """How run labels are permuted.

    Attributes
    ----------
    draws
        Most permutations of a metric's test.
    """

    draws: int
    seed: int = 0


def compare_pair(
    old: Run,
    new: Run,
    question: Question,
    prompts: set[Prompt],
    permutations: Permutations,
    *,
    notes: Sequence[str] = (),
) -> Pair:
    """Compare two runs over `prompts`.

    Parameters
    ----------
    notes
        What is known about the runs already.
    """
    matched = match(old.outputs, new.outputs, prompts)
    used, draws, seed = matched.each, permutations.draws, permutations.seed
    most = min(draws, DRAWS_OF_LARGE) if used > LARGE else draws
    metrics = adjusted(metric_changes(matched, question, draws=most, seed=seed))
    measures = adjusted(measure_changes(matched, question.target, seed=seed))
    return Pair(
        old=old.side,
        new=new.side,
        prompts=len(matched.sizes),
        outputs=used,
        metrics=metrics,
        measures=measures,
        notes=(*notes, *_notes(old, new, matched, metrics), *_fewer_draws(draws, most, used)),
    )


def adjusted(changes: Sequence[Change]) -> tuple[Change, ...]:
    """Adjust the p-values of one family by Holm, and what would have been seen with them."""
    tested = [change for change in changes if change.p_value is not None]
    if not tested:
        return tuple(changes)
    p_adjusted = dict(zip(map(id, tested), holm([c.p_value or 0.0 for c in tested]).tolist(), strict=True))
    return tuple(
        replace(change, p_adjusted=p_adjusted.get(id(change)), smallest_seen=_seen(change, len(tested)))
        for change in changes
    )


def _seen(change: Change, tests: int) -> float | None:
    return None if change.scatter is None else smallest_seen(change.scatter, tests=tests, alpha=ALPHA)


def _notes(old: Run, new: Run, matched: Matched, metrics: Sequence[Change]) -> list[str]:
    used, prompts = matched.each, len(matched.sizes)
    found = [
        f"Of run {run.side.run_id}, {used} of {len(run.outputs)} outputs are compared, to {prompts} of "
        f"{run.side.prompts} prompts."
        for run in (old, new)
        if len(run.outputs) != used
    ]
    if len(np.unique(matched.sizes)) > 1:
        found.append(
            "Some prompts have one output: a model at temperature 0 gave the same text every time, which counts once."
        )
    if any(change.quantity == "excess" and change.name == "CDS" for change in metrics):
        found.append(VARIETY)
    return found


def _fewer_draws(asked: int, used: int, outputs: int) -> list[str]:
    if used == asked:
        return []
    return [f"Tests of metrics use {used} permutations instead of {asked}: {outputs} outputs of each run are many."]
