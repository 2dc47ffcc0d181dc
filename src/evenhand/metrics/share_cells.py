"""What RSI and ODE share: category shares per scenario and attribute, with their reference, as cells and rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evenhand.core.results import Direction, MetricResult, Row, undefined
from evenhand.core.table import Flags, Floats, OutputTable
from evenhand.core.types import Reference, References
from evenhand.metrics.count_cells import CountCell
from evenhand.metrics.exclusions import account
from evenhand.metrics.references import attributes_of, reference_for, shares_row, vocabulary
from evenhand.metrics.rollup import Cell, Rollup
from evenhand.metrics.shares import Shares, detected_shares, thin_reason

Score = Callable[[Floats, Floats], tuple[Floats, Mapping[str, Floats]]]
"""Counts (m, K) and reference shares (m, K) to values (m,) and named parts (m,)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShareMetric:
    """How a metric turns shares into a number."""

    metric: str
    unit: str
    direction: Direction
    score: Score
    caveats: tuple[str, ...] = ()
    observed: bool = True
    """False where prompted values are counted, so that no evaluator had to look for signals."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Compared:
    """The shares of one attribute, beside the references they are compared with, one per scenario."""

    shares: Shares
    references: Sequence[Reference]
    candidates: Flags


def base_comparisons(table: OutputTable, references: References) -> list[Compared]:
    """Compare what base-prompt outputs show with the references, attribute by attribute."""
    found = []
    for attribute in attributes_of(references):
        shares = detected_shares(
            table,
            attribute,
            vocabulary(references, attribute),
            rows=table.is_base,
            key=table.scenario,
            size=len(table.scenario_ids),
        )
        found.append(compared(table, shares, references, table.is_base))
    return found


def compared(table: OutputTable, shares: Shares, references: References, candidates: Flags) -> Compared:
    """Put shares beside their references; `candidates` are the outputs that could have entered."""
    declared = [reference_for(references, s, shares.attribute) for s in table.scenario_ids]
    return Compared(shares=shares, references=declared, candidates=candidates)


def combine(table: OutputTable, comparisons: Sequence[Compared], how: ShareMetric) -> MetricResult:
    """Score every cell and roll the cells up.

    A thin scenario is inconclusive by itself. What contains it is only if all of it together is thin.
    """
    if not comparisons:
        return _undefined(how, "no attribute has a declared taxonomy or reference")
    candidates = np.logical_or.reduce([c.candidates for c in comparisons])
    if not candidates.any():
        return _undefined(how, f"there are no outputs of {'base' if how.observed else 'changed'} prompts")
    entered = np.logical_or.reduce([c.shares.entered for c in comparisons])
    outside = np.logical_or.reduce([c.shares.outside_only for c in comparisons])
    accounting = account(table, candidates, entered, _why(table, outside, how))
    accounts = accounting.counts_by(table.scenario, len(table.scenario_ids))
    rollup = Rollup(
        metric=how.metric,
        unit=how.unit,
        direction=how.direction,
        accounting=accounting,
        scenario_accounts=dict(zip(table.scenario_ids, accounts, strict=True)),
    )
    cells = [cell for comparison in comparisons for cell in _cells(table, comparison, how)]
    rows = [row for comparison in comparisons for row in _rows(table, comparison)]
    pooled = [row for comparison in comparisons for row in _pooled(comparison.shares)]
    strict = rollup.over(cells, caveats=how.caveats, tables={"shares": rows, "pooled": pooled})
    lenient = rollup.over([_tolerated(cell) for cell in cells], caveats=how.caveats, tables=strict.tables)
    by_attribute = {c.shares.attribute: _held_to(lenient.by_attribute[c.shares.attribute], [c]) for c in comparisons}
    return replace(_held_to(lenient, comparisons), by_scenario=strict.by_scenario, by_attribute=by_attribute)


def count_cells(table: OutputTable, comparisons: Sequence[Compared]) -> list[CountCell]:
    """List the cells that have a value, with their counts and references."""
    found = []
    for comparison in comparisons:
        shares = comparison.shares
        if len(shares.categories) < 2:
            continue
        found += [
            CountCell(
                scenario=table.scenario_ids[code],
                attribute=shares.attribute,
                counts=shares.counts[code],
                n=int(shares.n[code]),
                reference=shares_row(comparison.references[code], shares.categories),
            )
            for code in np.flatnonzero(shares.n > 0).tolist()
        ]
    return found


def _tolerated(cell: Cell) -> Cell:
    """Return a cell whose own thinness says nothing about what contains it."""
    if cell.result.value is None:
        return cell
    return replace(cell, result=replace(cell.result, verdict=None, reason="", caveats=()))


def _held_to(result: MetricResult, comparisons: Sequence[Compared]) -> MetricResult:
    """Hold a result to the same limits as a scenario: enough determinate outputs, few outside the taxonomy."""
    if result.value is None or result.verdict == "inconclusive":
        return result
    n = sum(int(c.shares.n.sum()) for c in comparisons)
    shown = sum(int(c.shares.shown.sum()) for c in comparisons)
    outside = sum(float((c.shares.outside * c.shares.shown).sum()) for c in comparisons)
    thin = thin_reason(n, outside / shown if shown else 0.0)
    return replace(result, verdict="inconclusive", reason=thin) if thin else result


def _why(table: OutputTable, outside_only: Flags, how: ShareMetric) -> dict[str, Flags]:
    """Name the reasons beyond no usable answer; an output that no evaluator looked at could not be judged."""
    return {"out_of_taxonomy": outside_only, **({"no signal": table.detection_judged} if how.observed else {})}


def _cells(table: OutputTable, comparison: Compared, how: ShareMetric) -> list[Cell]:
    shares = comparison.shares
    accounting = account(table, comparison.candidates, shares.entered, _why(table, shares.outside_only, how))
    accounts = accounting.counts_by(table.scenario, len(table.scenario_ids))
    values, parts = _scores(comparison, how)
    cells = []
    for code in _asked(table, comparison):
        entered, excluded = accounts[code]
        if np.isnan(values[code]):
            result = replace(_undefined(how, _no_value(shares, excluded)), n_excluded=excluded)
        else:
            result = _result(how, shares, code, float(values[code]), excluded)
            result = replace(
                result,
                parts={
                    **{name: float(column[code]) for name, column in parts.items()},
                    "no_signal_share": _no_signal_share(entered, excluded),
                    "out_of_taxonomy_share": float(shares.outside[code]),
                },
            )
        cells.append(Cell(scenario=table.scenario_ids[code], attribute=shares.attribute, result=result))
    return cells


def _asked(table: OutputTable, comparison: Compared) -> list[int]:
    """List the codes of the scenarios that have candidates."""
    codes: list[int] = np.unique(table.scenario[comparison.candidates]).tolist()
    return codes


def _scores(comparison: Compared, how: ShareMetric) -> tuple[Floats, dict[str, Floats]]:
    shares = comparison.shares
    size = len(shares.n)
    values = np.full(size, np.nan)
    has = np.flatnonzero(shares.n > 0)
    if len(shares.categories) < 2 or not len(has):
        return values, {}
    q = np.stack([shares_row(comparison.references[int(code)], shares.categories) for code in has])
    values[has], found = how.score(shares.counts[has], q)
    parts = {name: np.full(size, np.nan) for name in found}
    for name, column in found.items():
        parts[name][has] = column
    return values, parts


def _result(how: ShareMetric, shares: Shares, code: int, value: float, excluded: Mapping[str, int]) -> MetricResult:
    thin = thin_reason(int(shares.n[code]), float(shares.outside[code]))
    return MetricResult(
        metric=how.metric,
        value=value,
        unit=how.unit,
        direction=how.direction,
        n_samples=int(shares.n[code]),
        n_clusters=1,
        n_excluded=excluded,
        verdict="inconclusive" if thin else None,
        reason=thin,
        caveats=(f"Inconclusive: {thin}.",) if thin else (),
    )


def _no_signal_share(entered: int, excluded: Mapping[str, int]) -> float:
    """Share of the judged outputs that show nothing; only called where at least one entered."""
    silent = excluded.get("no signal", 0)
    return silent / (silent + entered + excluded.get("out_of_taxonomy", 0))


def _no_value(shares: Shares, excluded: Mapping[str, int]) -> str:
    if len(shares.categories) < 2:
        return f"{shares.attribute} has {len(shares.categories)} declared category; a comparison needs two"
    listing = ", ".join(f"{n} {reason}" for reason, n in excluded.items())
    return f"no output shows any {shares.attribute} of the taxonomy ({listing or 'no outputs'})"


def _undefined(how: ShareMetric, reason: str) -> MetricResult:
    return replace(undefined(how.metric, reason, unit=how.unit), direction=how.direction)


def _rows(table: OutputTable, comparison: Compared) -> list[Row]:
    shares, rows = comparison.shares, list[Row]()
    for code in _asked(table, comparison):
        reference, n = comparison.references[code], int(shares.n[code])
        q = shares_row(reference, shares.categories)
        for column, category in enumerate(shares.categories):
            count = float(shares.counts[code, column])
            rows.append(
                {
                    "scenario": table.scenario_ids[code],
                    "attribute": shares.attribute,
                    "category": category,
                    "count": count,
                    "n": n,
                    "share": count / n if n else None,
                    "reference": float(q[column]),
                    "reference_name": reference.name,
                }
            )
    return rows


def _pooled(shares: Shares) -> list[Row]:
    """Describe all scenarios together; opposite skews cancel here, so no value is read from it."""
    n = int(shares.n.sum())
    totals = shares.counts.sum(axis=0)
    return [
        {
            "attribute": shares.attribute,
            "category": category,
            "count": float(count),
            "n": n,
            "share": float(count) / n if n else None,
        }
        for category, count in zip(shares.categories, totals, strict=True)
    ]
