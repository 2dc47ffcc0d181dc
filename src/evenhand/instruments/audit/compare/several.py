"""Runs → the pairs to compare, and the trend of more than two."""

from collections.abc import Sequence
from itertools import pairwise

from evenhand.instruments.audit.compare.pairing import Permutations, Run, compare_pair
from evenhand.instruments.audit.compare.plans import Prompt
from evenhand.instruments.audit.compare.question import Question
from evenhand.instruments.audit.compare.result import Comparison
from evenhand.instruments.audit.compare.trend import trend


def compare_runs(
    runs: Sequence[Run],
    question: Question,
    prompts: set[Prompt],
    permutations: Permutations,
    *,
    differing: Sequence[str] = (),
) -> Comparison:
    """Compare each run with the one before it, and of more than two the last with the first.

    Parameters
    ----------
    runs
        At least two, in the order in which they are compared.
    prompts
        What all of them asked.
    differing
        In what their plans differ, in phrases.
    """
    pairs = list(pairwise(runs))
    if len(runs) > 2:
        pairs.append((runs[0], runs[-1]))
    return Comparison(
        sides=[run.side for run in runs],
        pairs=[
            compare_pair(old, new, question, prompts, permutations, notes=_notes((old, new), differing))
            for old, new in pairs
        ],
        trend=trend(runs, question, prompts, seed=permutations.seed) if len(runs) > 2 else {},
        is_common=bool(differing),
        draws=permutations.draws,
        seed=permutations.seed,
    )


def _notes(runs: Sequence[Run], differing: Sequence[str]) -> list[str]:
    found = []
    if differing:
        found.append(
            f"The plans differ: {'; '.join(differing)}. Only what they have in common is compared, and what differs "
            "may be why a number moved."
        )
    found += [
        f"Run {run.side.run_id} is {run.side.status}: of it, only replicates with every prompt enter."
        for run in runs
        if run.side.status != "complete"
    ]
    return found
