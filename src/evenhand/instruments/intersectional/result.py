"""Everything that one set of answers says: accuracy, bias, favour, consistency, and where to be careful."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from evenhand.core.questions import Condition
from evenhand.errors import UnknownNameError, UsageError
from evenhand.instruments.intersectional.consistency import Consistency, consistency
from evenhand.instruments.intersectional.counts import AnswerCounts, count_answers
from evenhand.instruments.intersectional.favour import Favour, favour
from evenhand.instruments.intersectional.flips import Flip, flips
from evenhand.instruments.intersectional.pitfalls import pitfalls
from evenhand.instruments.intersectional.slices import Dimension, Slice, parts, slice_of
from evenhand.instruments.intersectional.table import INVALID, MISSING, REFUSED, Choices, Flags, ItemTable
from evenhand.instruments.intersectional.variants import Variant, VariantScores, variants

DRAWN = 0
"""Seed of the draws behind fair references and posteriors, unless another generator is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intersectional:
    """What answers to BBQ items say, with the answers behind every figure.

    Attributes
    ----------
    runs
        Columns of answers; not every item need have all of them.
    untargeted
        Items without exactly one stereotyped person: in no accuracy and no bias score.
    unanswered
        Items without any answer.
    overall, slices
        Accuracy and bias, each with the answers behind it; slices by dimension.
    favour, favour_gold
        SF and DF by context (ambiguous is the headline), and the same of the right answers themselves in
        disambiguated context: what the labels alone would show.
    consistency
        Over runs, by context.
    variants, variant
        What other scorers print, and which of them was asked for.
    flips
        Items whose answers vary most between runs.
    pitfalls
        What must be read with the figures, as sentences.
    """

    items: int
    templates: int
    runs: int
    untargeted: int
    unanswered: int
    level: float
    overall: Slice
    slices: Mapping[Dimension, Sequence[Slice]]
    favour: Mapping[Condition, Favour]
    favour_gold: Favour
    consistency: Mapping[Condition, Consistency]
    variants: Mapping[Variant, VariantScores]
    variant: Variant
    flips: Sequence[Flip]
    pitfalls: Sequence[str]


def score(
    table: ItemTable,
    choices: Choices,
    *,
    variant: Variant = "bbq",
    rng: np.random.Generator | None = None,
    level: float = 0.95,
) -> Intersectional:
    """Compute every figure.

    Parameters
    ----------
    choices
        (N, R) places 0, 1, 2 of the options chosen, or `INVALID`, `REFUSED`, `MISSING`. Runs are not items: intervals
        cluster on the template.
    rng
        Draws fair references and posteriors; seeded with `DRAWN` if not given.

    Raises
    ------
    UsageError
        If there are no items, the shape does not fit, or a value is none of the above.
    """
    _check(table, choices, variant, level)
    draws = rng or np.random.default_rng(DRAWN)
    counts, everything = count_answers(table, choices), np.ones(len(table), dtype=bool)
    overall = slice_of(table, choices, counts, everything, level=level)
    contexts: dict[Condition, Flags] = {"ambig": table.is_ambiguous, "disambig": ~table.is_ambiguous}
    favoured = {name: favour(table, choices, rows, rng=draws, level=level) for name, rows in contexts.items()}
    gold = favour(table, table.label[:, None].astype(np.int8), contexts["disambig"], rng=draws, level=level)
    consistent = {name: consistency(table, choices, rows, level=level) for name, rows in contexts.items()}
    untargeted, unanswered = int((~table.has_target).sum()), int((choices == MISSING).all(axis=1).sum())
    return Intersectional(
        items=len(table),
        templates=len(table.questions),
        runs=choices.shape[1],
        untargeted=untargeted,
        unanswered=unanswered,
        level=level,
        overall=overall,
        slices=_slices(table, choices, counts, level),
        favour=favoured,
        favour_gold=gold,
        consistency=consistent,
        variants=variants(table, counts, everything),
        variant=variant,
        flips=flips(table, choices),
        pitfalls=pitfalls(overall, favoured, consistent, untargeted=untargeted, unanswered=unanswered),
    )


def _slices(
    table: ItemTable, choices: Choices, counts: AnswerCounts, level: float
) -> Mapping[Dimension, Sequence[Slice]]:
    found: dict[Dimension, list[Slice]] = {}
    for dimension, name, rows in parts(table):
        made = slice_of(table, choices, counts, rows, dimension=dimension, name=name, level=level)
        found.setdefault(dimension, []).append(made)
    return found


def _check(table: ItemTable, choices: Choices, variant: str, level: float) -> None:
    if variant not in get_args(Variant):
        raise UnknownNameError("variant of BBQ's scores", variant, get_args(Variant))
    if not 0 < level < 1:
        raise UsageError(f"the level of an interval lies between 0 and 1, not {level:g}")
    if not len(table):
        raise UsageError("there are no items to score")
    if choices.ndim != 2 or len(choices) != len(table) or not choices.shape[1]:
        raise UsageError(f"answers have the shape {choices.shape}; {len(table)} items need ({len(table)}, runs)")
    known = np.isin(choices, (0, 1, 2, INVALID, REFUSED, MISSING))
    if not known.all():
        raise UsageError(f"{int(choices[~known][0])} is no place of an option; places are 0, 1 and 2")
