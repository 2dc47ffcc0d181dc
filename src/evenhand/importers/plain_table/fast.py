"""The quick way: one streaming pass of polars, and a proof that the table holds nothing that must be named.

The turns of a trace and attribute become the bits of one number. n turns have n bits exactly when all are different,
so that number shows that no turn is there twice; the same over the turns that fired shows in its lowest bit which came
first. Turns from 64 on are taken in blocks of 64.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evenhand.core.detections import Counts, DecisionStatus
from evenhand.importers.plain_table import vocabulary, words
from evenhand.importers.plain_table.cells import NEVER, Cells
from evenhand.importers.plain_table.layout import Layout
from evenhand.importers.plain_table.vocabulary import Decisions

if TYPE_CHECKING:
    import polars as pl

_BITS = 64
_OWN = ("trace", "vector", "replicate")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """What was found before the pass.

    Attributes
    ----------
    decisions
        Of the one column of the long form, or of each attribute's column.
    statuses
        Cells by status; None where there is no column for it.
    keys
        Columns that are grouped by.
    """

    decisions: Sequence[Decisions]
    statuses: Mapping[DecisionStatus, int] | None
    keys: tuple[str, ...]
    has_blocks: bool


def quick_cells(frame: "pl.LazyFrame", layout: Layout) -> Cells | None:
    """Count a table whose column names are those of the layout; None if single rows must be looked at.

    Returns
    -------
    Cells
        The same as the definitional way finds: a test demands it.
    """
    own = _own_names(frame, layout)
    plan = _plan(own, layout)
    if plan is None:
        return None
    groups = _named(_groups(own, plan))
    return None if groups is None or not _is_proven(groups, plan) else _cells(groups, layout, plan)


def _own_names(frame: "pl.LazyFrame", layout: Layout) -> "pl.LazyFrame":
    """Rename the columns, so that no attribute's name is in the way; leave out those that are not read."""
    import polars as pl

    columns = [pl.col(layout.names[place]).alias(word) for word, place in layout.place.items()]
    columns += [pl.col(name).alias(f"decision {i}") for i, name in enumerate(layout.attributes)]
    return frame.select(columns)


def _plan(frame: "pl.LazyFrame", layout: Layout) -> _Plan | None:
    names = [f"decision {i}" for i in range(len(layout.attributes))] or ["decision"]
    largest = vocabulary.largest_turn(frame, "turn")
    found = None if largest is None else vocabulary.decisions(frame, names)
    if largest is None or found is None:
        return None
    statuses = vocabulary.statuses(frame, "status", found) if "status" in layout.place else None
    if statuses is None and "status" in layout.place:
        return None
    words_ = (*_OWN, "attribute") if layout.form == "long" else _OWN
    keys = tuple(word for word in words_ if word in layout.place)
    return _Plan(decisions=found, statuses=statuses, keys=keys, has_blocks=largest >= _BITS)


def _groups(frame: "pl.LazyFrame", plan: _Plan) -> "pl.DataFrame":
    """Gather by trace and attribute: bits of turns, bits of turns that fired, rows, rows with a decision."""
    import polars as pl

    turn = pl.col("turn")
    if frame.collect_schema()["turn"].is_integer():
        turn = turn.cast(pl.UInt64)
    else:
        turn = turn.cast(pl.String).str.strip_chars(words.BLANKS).cast(pl.UInt64)
    within = turn % _BITS if plan.has_blocks else turn
    bit = pl.lit(2, dtype=pl.UInt64).pow(within.cast(pl.UInt32))
    columns, keys = [bit.alias("bit")], list(plan.keys)
    if plan.has_blocks:
        columns.append((turn // _BITS).alias("block"))
        keys.append("block")
    sums = [pl.col("bit").bitwise_or().alias("turns"), pl.len().cast(pl.Int64).alias("rows")]
    none = pl.lit(0, dtype=pl.UInt64)
    for i, each in enumerate(plan.decisions):
        sums.append(pl.when(each.is_yes).then(pl.col("bit")).otherwise(none).bitwise_or().alias(f"fired {i}"))
        if each.has_missing:
            sums.append(each.is_filled.sum().cast(pl.Int64).alias(f"judged {i}"))
    return frame.with_columns(columns).group_by(keys).agg(sums).collect(engine="streaming")


def _named(groups: "pl.DataFrame") -> "pl.DataFrame | None":
    """Turn the keys into text; None if a name is missing, or has blanks around it."""
    import polars as pl

    keys = [name for name in (*_OWN, "attribute") if name in groups.columns]
    groups = groups.with_columns(pl.col(name).cast(pl.String) for name in keys)
    for name in keys:
        column = groups[name]
        if name in ("trace", "attribute") and column.null_count():
            return None
        blank = column.str.contains(r"^[ \t]|[ \t]$|^$").any()
        if blank and name in ("trace", "attribute"):
            return None
        if blank:
            groups = groups.with_columns(pl.col(name).str.strip_chars(words.BLANKS))
    return groups.with_columns(pl.col(name).fill_null("") for name in keys)


def _is_proven(groups: "pl.DataFrame", plan: _Plan) -> bool:
    """Whether no turn is there twice, and every trace has one vector and one replicate."""
    bits = np.bitwise_count(groups["turns"].to_numpy())
    if not np.array_equal(bits, groups["rows"].to_numpy()):
        return False
    own = [name for name in _OWN if name in groups.columns]
    if len(own) > 1 and groups.select(own).n_unique() != groups["trace"].n_unique():
        return False
    try:
        for text in groups["replicate"].unique() if "replicate" in own else ():
            words.replicate(text)
    except words.Unreadable:
        return False
    return len(groups) > 0 and len(plan.decisions) > 0


def _cells(groups: "pl.DataFrame", layout: Layout, plan: _Plan) -> Cells:
    traces, trace = _ranked(groups["trace"])
    if layout.form == "long":
        attributes, column = _ranked(groups["attribute"])
        columns, shape = [column], (len(traces), len(attributes))
    else:
        attributes = sorted(layout.attributes)
        columns = [np.full(len(groups), attributes.index(name)) for name in layout.attributes]
        shape = len(traces), len(attributes)
    block = groups["block"].to_numpy().astype(np.int64) if plan.has_blocks else np.zeros(len(groups), dtype=np.int64)
    rows, judged = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    first_turn = np.full(shape, NEVER, dtype=np.int64)
    for i, (each, attribute) in enumerate(zip(plan.decisions, columns, strict=True)):
        places, count = (trace, attribute), groups["rows"].to_numpy()
        np.add.at(rows, places, count)
        np.add.at(judged, places, groups[f"judged {i}"].to_numpy() if each.has_missing else count)
        np.minimum.at(first_turn, places, _lowest(groups[f"fired {i}"].to_numpy(), block))
    vectors, vector = _vectors(groups, trace, len(traces))
    filled, cells = int(judged.sum()), int(rows.sum())
    counted: dict[DecisionStatus, int] = {"judged": filled, "unscored": cells - filled}
    return Cells(
        traces=traces,
        attributes=attributes,
        vectors=vectors,
        vector=vector,
        n_turns=_turns(trace, block, groups["turns"].to_numpy(), len(traces)),
        rows=rows,
        judged=judged,
        first_turn=first_turn,
        statuses=plan.statuses if plan.statuses is not None else {k: n for k, n in counted.items() if n},
    )


def _ranked(column: "pl.Series") -> tuple[list[str], Counts]:
    """Return the different names in rising order, and each row's place among them."""
    import polars as pl

    names = column.unique().sort()
    return names.to_list(), column.cast(pl.Enum(names)).to_physical().to_numpy().astype(np.int64)


def _vectors(groups: "pl.DataFrame", trace: Counts, n: int) -> tuple[list[str], Counts]:
    found = np.zeros(n, dtype=np.int64)
    if "vector" not in groups.columns:
        return [""], found
    vectors, code = _ranked(groups["vector"])
    found[trace] = code
    return vectors, found


def _lowest(fired: "np.ndarray", block: Counts) -> Counts:
    """Return the turn of the lowest bit; `NEVER` where there is none."""
    lowest = fired & (~fired + np.uint64(1))
    turn = np.frexp(lowest.astype(np.float64))[1].astype(np.int64) - 1 + _BITS * block  # a power of two is exact
    found: Counts = np.where(fired > 0, turn, NEVER)
    return found


def _turns(trace: Counts, block: Counts, bits: "np.ndarray", n: int) -> Counts:
    """Count the distinct turns of each trace, over its attributes."""
    if not block.any():
        united = np.zeros(n, dtype=np.uint64)
        np.bitwise_or.at(united, trace, bits)
        return np.bitwise_count(united).astype(np.int64)
    places, group = np.unique(np.stack([trace, block]), axis=1, return_inverse=True)
    united = np.zeros(places.shape[1], dtype=np.uint64)
    np.bitwise_or.at(united, group.ravel(), bits)
    found: Counts = np.bincount(places[0], weights=np.bitwise_count(united), minlength=n).astype(np.int64)
    return found
