"""Answers that name items → one row of choices per item; an unknown item is an error, what is no option is counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.core.questions import Item
from evenhand.errors import DataError
from evenhand.instruments.intersectional.replies import place_of
from evenhand.instruments.intersectional.table import INVALID, MISSING, Choices

SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Unparsed:
    """An answer that is no option of its item."""

    row: int
    category: str
    example_id: int
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Matched:
    """Answers, item by item.

    Attributes
    ----------
    choices
        (N, R) places, `INVALID` or `MISSING`, in the order of the items.
    runs
        Names of the R runs, in the order in which they first appear.
    answers
        Answers read.
    invalid
        Of them those that are no option; `unparsed` shows the first few.
    """

    choices: Choices
    runs: tuple[str, ...]
    answers: int
    invalid: int
    unparsed: Sequence[Unparsed]


def match_answers(
    items: Sequence[Item],
    *,
    categories: Sequence[str],
    example_ids: Sequence[int],
    runs: Sequence[str],
    answers: Sequence[str | int | None],
    rows: Sequence[int],
    file: str,
) -> Matched:
    """Put answers into the order of the items.

    Parameters
    ----------
    categories, example_ids, runs, answers, rows
        Of each answer: the item, the run, index, letter or text, and where it stands in `file`.

    Raises
    ------
    DataError
        If an answer names no item, or (category, example_id, run) occurs twice.
    """
    place_of_item = {item.key: place for place, item in enumerate(items)}
    columns = {name: column for column, name in enumerate(dict.fromkeys(runs))}
    choices = np.full((len(items), len(columns)), MISSING, dtype=np.int8)
    written: dict[tuple[int, int], int] = {}
    remembered: dict[tuple[int, str | int | None], int] = {}
    unparsed: list[Unparsed] = []
    invalid = 0
    for category, example_id, run, answer, row in zip(categories, example_ids, runs, answers, rows, strict=True):
        place = place_of_item.get((category, example_id))
        if place is None:
            raise _unknown(category, example_id, place_of_item, file, row)
        cell = place, columns[run]
        if cell in written:
            raise DataError(
                f"item {category} {example_id} has two answers in run {run}; the other is in row {written[cell]}",
                file=file,
                line=row,
            )
        written[cell] = row
        chosen = _chosen(items[place], place, answer, remembered)
        if chosen == INVALID:
            invalid += 1
            if len(unparsed) < SHOWN:
                unparsed.append(Unparsed(row=row, category=category, example_id=example_id, answer=str(answer)[:80]))
        choices[cell] = chosen
    return Matched(choices=choices, runs=tuple(columns), answers=len(rows), invalid=invalid, unparsed=unparsed)


def _chosen(
    item: Item, place: int, answer: str | int | None, remembered: dict[tuple[int, str | int | None], int]
) -> int:
    if isinstance(answer, int):  # the quick way: indices need no look at the options
        return answer if 0 <= answer <= 2 else INVALID
    known = remembered.get((place, answer))
    if known is None:
        found = place_of(answer, item.options)
        known = remembered[place, answer] = INVALID if found is None else found
    return known


def _unknown(category: str, example_id: int, items: Mapping[tuple[str, int], int], file: str, row: int) -> DataError:
    categories = dict.fromkeys(name for name, _ in items)
    if category in categories:
        problem = f"there is no item {example_id} of {category} in the data; ids are the data's example_id"
    else:
        problem = f"the data has no category {category!r}, only {', '.join(categories)}; give its file with --data too"
    return DataError(problem, file=file, line=row)
