"""What the small columns of a table say, looked at once: turns, decisions, statuses."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from evenhand.core.detections import DecisionStatus
from evenhand.importers.plain_table import words

if TYPE_CHECKING:
    import polars as pl

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """The expressions of one column of decisions; rows whose cell is empty are neither."""

    is_yes: "pl.Expr"
    is_filled: "pl.Expr"
    has_missing: bool


def decisions(frame: "pl.LazyFrame", columns: Sequence[str]) -> list[Decisions] | None:
    """Look at columns of decisions; None if a cell is not one."""
    import polars as pl

    schema, found = frame.collect_schema(), []
    seen = pl.collect_all([_seen(frame, name, schema[name]) for name in columns], engine="streaming")
    for name, facts in zip(columns, seen, strict=True):
        column, kind = pl.col(name), schema[name]
        if kind == pl.Boolean or kind.is_integer():
            low, high, missing = facts.row(0)
            if (low is not None and low < 0) or (high is not None and high > 1):
                return None
            is_yes = column if kind == pl.Boolean else column == 1
            found.append(Decisions(is_yes=is_yes, is_filled=column.is_not_null(), has_missing=missing > 0))
        else:
            meaning = _meanings(facts[name].to_list(), words.decision)
            if meaning is None:
                return None
            yes = [text for text, said in meaning.items() if said is True]
            no = [text for text, said in meaning.items() if said is False]
            column = column.cast(pl.String)
            found.append(
                Decisions(
                    is_yes=column.is_in(yes),
                    is_filled=column.is_in([*yes, *no]),
                    has_missing=None in meaning.values(),
                )
            )
    return found


def largest_turn(frame: "pl.LazyFrame", column: str) -> int | None:
    """Return the largest turn; None if a cell is not one, or there is no row."""
    kind = frame.collect_schema()[column]
    facts = _seen(frame, column, kind).collect(engine="streaming")
    if kind.is_integer():
        low, high, missing = facts.row(0)
        return high if low is not None and not missing and low >= 0 and high < 10**15 else None
    meaning = _meanings(facts[column].to_list(), words.turn)
    return max(meaning.values()) if meaning else None


def statuses(frame: "pl.LazyFrame", column: str, found: Sequence[Decisions]) -> Mapping[DecisionStatus, int] | None:
    """Count the cells of each status; None if one is not known, or contradicts a decision beside it."""
    import polars as pl

    empty = pl.sum_horizontal([(~each.is_filled).fill_null(value=True).cast(pl.UInt32) for each in found])
    table = (
        frame.select(pl.col(column).cast(pl.String).alias("status"), empty.alias("empty"))
        .group_by("status")
        .agg(
            pl.len().alias("rows"),
            pl.col("empty").cast(pl.UInt64).sum(),
            (pl.col("empty") > 0).sum().alias("open"),
        )
        .collect(engine="streaming")
    )
    counted: dict[DecisionStatus, int] = {}
    for text, rows, cells, with_empty in table.iter_rows():
        try:
            said = words.status(text)
        except words.Unreadable:
            return None
        if (said == "judged" and with_empty) or (said not in (None, "judged") and with_empty < rows):
            return None
        _count(counted, "judged", rows * len(found) - cells)
        _count(counted, "unscored" if said in (None, "judged") else said, cells)
    return counted


def _count(counted: dict[DecisionStatus, int], status: DecisionStatus, cells: int) -> None:
    if cells:
        counted[status] = counted.get(status, 0) + cells


def _seen(frame: "pl.LazyFrame", name: str, kind: "pl.DataType") -> "pl.LazyFrame":
    import polars as pl

    column = pl.col(name)
    if kind == pl.Boolean or kind.is_integer():
        return frame.select(column.min().alias("low"), column.max().alias("high"), column.null_count().alias("missing"))
    return frame.select(column.cast(pl.String).unique())


def _meanings(texts: Sequence[str | None], read: Callable[[object], T]) -> dict[str | None, T] | None:
    try:
        return {text: read(text) for text in texts}
    except words.Unreadable:
        return None
