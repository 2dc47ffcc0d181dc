"""One set of figures for a part of the items: a category, a polarity, a contrast, a subgroup, a template, or all."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evenhand.instruments.intersectional.accuracy import Accuracy, accuracy
from evenhand.instruments.intersectional.bias import Bias, bias
from evenhand.instruments.intersectional.counts import AnswerCounts, total
from evenhand.instruments.intersectional.table import MISSING, Choices, Flags, ItemTable
from evenhand.instruments.intersectional.targets import CONTRASTS

Dimension = Literal["all", "category", "polarity", "contrast", "subgroup", "template"]
DIMENSIONS: tuple[Dimension, ...] = ("category", "polarity", "contrast", "subgroup", "template")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What came back in one context; it stands beside every figure.

    Attributes
    ----------
    items
        Items asked, those without an answer among them.
    missing
        Answers that are not there: runs × items − (parsed + invalid).
    parsed
        Answers that are an option.
    unknown
        Parsed answers that say nobody can know.
    invalid
        Answers that are no option; `refused` of them decline to answer.
    """

    items: int
    missing: int
    parsed: int
    unknown: int
    invalid: int
    refused: int

    @property
    def answered(self) -> int:
        """Parsed and invalid answers."""
        return self.parsed + self.invalid

    @property
    def abstention(self) -> float | None:
        """Unknown over parsed, in [0, 1]; None if nothing could be parsed."""
        return self.unknown / self.parsed if self.parsed else None

    @property
    def invalid_rate(self) -> float | None:
        """Invalid over answered, in [0, 1]; None if nothing was answered."""
        return self.invalid / self.answered if self.answered else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """The figures of a part of the items that have a target.

    Attributes
    ----------
    dimension, name
        How the part was cut, and which part it is. An item counts for both subgroups that it names.
    ambiguous, disambiguated
        What came back, by context.
    """

    dimension: Dimension
    name: str
    ambiguous: Answers
    disambiguated: Answers
    accuracy: Accuracy
    bias: Bias


def slice_of(
    table: ItemTable,
    choices: Choices,
    counts: AnswerCounts,
    rows: Flags,
    *,
    dimension: Dimension = "all",
    name: str = "all",
    level: float = 0.95,
) -> Slice:
    """Compute the figures of the items in `rows`."""
    used = rows & table.has_target
    few, few_counts = table.only(used), counts.only(used)  # a template has 1 of 70 items: all else follows its size
    every = np.ones(len(few), dtype=bool)
    return Slice(
        dimension=dimension,
        name=name,
        ambiguous=_answers(choices, counts, used & table.is_ambiguous),
        disambiguated=_answers(choices, counts, used & ~table.is_ambiguous),
        accuracy=accuracy(few, few_counts, every, level=level),
        bias=bias(few, few_counts, every, level=level),
    )


def parts(table: ItemTable) -> Iterator[tuple[Dimension, str, Flags]]:
    """Cut the items every way: dimension, name, (N,) flags of the part. Empty parts are left out."""
    categories = np.array([item.category for item in table.items])
    for category in dict.fromkeys(categories.tolist()):
        yield "category", category, categories == category
    for name, flags in (("negative", table.is_negative), ("non-negative", ~table.is_negative)):
        if flags.any():
            yield "polarity", name, flags
    for code, (letter, meaning) in enumerate(CONTRASTS.items()):
        if (table.contrast == code).any():
            yield "contrast", f"{letter}: {meaning}", table.contrast == code
    for code, name in enumerate(table.subgroups):
        yield "subgroup", name, (table.subgroup == code).any(axis=1)
    for code, name in enumerate(table.questions):
        yield "template", name, table.question == code


def _answers(choices: Choices, counts: AnswerCounts, rows: Flags) -> Answers:
    return Answers(
        items=int(rows.sum()),
        missing=int((choices[rows] == MISSING).sum()),
        parsed=total(counts.parsed, rows),
        unknown=total(counts.unknown, rows),
        invalid=total(counts.invalid, rows),
        refused=total(counts.refused, rows),
    )
