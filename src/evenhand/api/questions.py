"""intersectional(): what answers to BBQ items say, without a model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evenhand.core.questions import Item
from evenhand.errors import UsageError
from evenhand.importers.answers import AnswerColumns, read_answers
from evenhand.instruments.intersectional.matching import Matched, match_answers
from evenhand.instruments.intersectional.result import Intersectional, score
from evenhand.instruments.intersectional.table import ItemTable
from evenhand.instruments.intersectional.variants import Variant
from evenhand.reporting.document.model import Document
from evenhand.reporting.intersectional.document import document
from evenhand.reporting.intersectional.reading import with_reading
from evenhand.scenarios.questions.registry import read_set

Answers = str | Path | Mapping[tuple[str, int], Sequence[str | int | None]]
"""A file, or (category, example_id) to the answers of its runs."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IntersectionalResult:
    """Answers with what they say.

    Attributes
    ----------
    found
        Every figure.
    table, matched
        Items and answers, in the same order.
    """

    found: Intersectional
    table: ItemTable
    matched: Matched
    source: Mapping[str, str]

    def document(self, *, title: str = "Intersectional questions", written: str) -> Document:
        """Write the report; `written` is a UTC time in ISO 8601."""
        made = document(self.found, title=title, written=written, source=self.source)
        return with_reading(made, self.matched, file=self.source["answers"])


def intersectional(
    answers: Answers,
    data: str | Path | Sequence[str | Path] | Sequence[Item],
    *,
    variant: Variant = "bbq",
    seed: int = 0,
    level: float = 0.95,
) -> IntersectionalResult:
    """Score answers to items in BBQ's schema.

    Parameters
    ----------
    answers
        A CSV, JSONL or Parquet file with the columns category, example_id, run, answer; or the answers themselves by
        item, one per run: the place of an option (0 to 2), its letter or its text, None for no answer in words.
    data
        Files of items, ``"mini"`` for the set that ships, or the items.
    variant
        Which other scorer's figures are wanted beside BBQ's: ``"helm"``, ``"lm-eval"``.
    seed
        Of the draws behind fair references and posteriors.
    level
        Of the intervals, in (0, 1).

    Raises
    ------
    DataError
        If a file does not hold what it must, or an answer belongs to no item.

    Examples
    --------
    >>> from evenhand.api import intersectional
    >>> from evenhand.scenarios.questions.registry import read_set
    >>> items = read_set("mini")
    >>> result = intersectional({item.key: [item.unknown] for item in items}, items)
    >>> result.found.overall.accuracy.ambiguous.value, result.found.overall.accuracy.disambiguated.value
    (1.0, 0.0)
    """
    items, data_named = _items(data)
    columns = read_answers(answers) if isinstance(answers, (str, Path)) else _columns(answers)
    if not len(columns):
        raise UsageError("there are no answers to score")
    matched = match_answers(
        items,
        categories=columns.categories,
        example_ids=columns.example_ids,
        runs=columns.runs,
        answers=columns.answers,
        rows=columns.rows,
        file=columns.file,
    )
    table = ItemTable.of(items)
    found = score(table, matched.choices, variant=variant, rng=np.random.default_rng(seed), level=level)
    source = {"answers": columns.file, "data": data_named}
    return IntersectionalResult(found=found, table=table, matched=matched, source=source)


def _items(data: str | Path | Sequence[str | Path] | Sequence[Item]) -> tuple[Sequence[Item], str]:
    sources = [data] if isinstance(data, (str, Path)) else list(data)
    items = [each for each in sources if isinstance(each, Item)]
    if items and len(items) == len(sources):
        return items, f"{len(items)} items"
    files = [each for each in sources if not isinstance(each, Item)]
    if items or not files:
        raise UsageError("give files of items, or items; not both, and at least one")
    return read_set(*files), ", ".join(Path(each).name for each in files)


def _columns(answers: Mapping[tuple[str, int], Sequence[str | int | None]]) -> AnswerColumns:
    made = AnswerColumns(file="the answers given")
    for (category, example_id), runs in answers.items():
        for run, answer in enumerate(runs, start=1):
            made.rows.append(len(made.rows) + 1)
            made.categories.append(category)
            made.example_ids.append(example_id)
            made.runs.append(str(run))
            made.answers.append(answer)
    return made
