"""Distances as results: one cell per scenario and attribute, one row per group."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import fsum, isnan

import numpy as np

from evenhand.core.results import MetricResult, Row, undefined
from evenhand.core.table import Flags, Floats, OutputTable
from evenhand.metrics.conditions import Conditions, Places
from evenhand.metrics.distance import Distances, Measured, distances
from evenhand.metrics.exclusions import Accounting, account
from evenhand.metrics.rollup import Cell

NO_REPLICATES = "no replicates: without two answers to each prompt, sampling noise cannot be told from divergence"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparison:
    """Distances, and which outputs they come from."""

    distances: Distances
    accounting: Accounting


def compare(table: OutputTable, what: Measured, conditions: Conditions) -> Comparison:
    """Compare every changed prompt with the base prompt of its scenario."""
    candidates = _compared_rows(conditions)
    entered = candidates & what.complete & table.answered & ~table.empty
    return Comparison(
        distances=distances(what, conditions, entered), accounting=account(table, candidates, entered, {})
    )


def divergence_cells(
    table: OutputTable, conditions: Conditions, main: Comparison, unmasked: Comparison | None
) -> list[Cell]:
    """Average the groups of each scenario and attribute; `unmasked` is reported beside, where it was measured."""
    accounts = main.accounting.counts_by(conditions.of_row, len(conditions))
    beside = None if unmasked is None else unmasked.distances.between
    cells = []
    for scenario, attribute, places in _by_cell(conditions):
        groups = conditions.comparisons[places]
        counted = [accounts[group] for group in {*groups.tolist(), int(conditions.base[groups[0]])}]
        result = _result(main.distances, places, beside, counted)
        cells.append(Cell(scenario=table.scenario_ids[scenario], attribute=table.attributes[attribute], result=result))
    return cells


def group_rows(table: OutputTable, conditions: Conditions, main: Comparison, unmasked: Comparison | None) -> list[Row]:
    """List every comparison with its distance, its floor and its parts."""
    found, base = main.distances, conditions.base[conditions.comparisons]
    beside = None if unmasked is None else unmasked.distances.between
    return [
        {
            "scenario": table.scenario_ids[conditions.scenario[group]],
            "attribute": table.attributes[conditions.attribute[group]],
            "group": table.values[conditions.value[group]],
            "value": _number(found.between, place),
            "within_floor": _number(found.within, place),
            "raw_text": _number(beside, place),
            **{part: _number(column, place) for part, column in found.parts.items()},
            "n_base": int(found.n[base[place]]),
            "n_group": int(found.n[group]),
        }
        for place, group in enumerate(conditions.comparisons)
    ]


def _compared_rows(conditions: Conditions) -> Flags:
    used = np.zeros(len(conditions), dtype=bool)
    used[conditions.comparisons] = True
    used[conditions.base[conditions.comparisons]] = True
    flags: Flags = used[conditions.of_row]
    return flags


def _by_cell(conditions: Conditions) -> Iterator[tuple[int, int, Places]]:
    """Walk the cells: scenario code, attribute code, places among the comparisons."""
    scenario = conditions.scenario[conditions.comparisons]
    attribute = conditions.attribute[conditions.comparisons]
    # comparisons are ordered by scenario, then attribute: a cell is a run
    starts = np.flatnonzero((np.diff(scenario) != 0) | (np.diff(attribute) != 0)) + 1
    for places in np.split(np.arange(len(scenario)), starts):
        yield int(scenario[places[0]]), int(attribute[places[0]]), places


def _result(
    found: Distances, places: Places, beside: Floats | None, counted: list[tuple[int, dict[str, int]]]
) -> MetricResult:
    excluded: dict[str, int] = {}
    for _, reasons in counted:
        for reason, n in reasons.items():
            excluded[reason] = excluded.get(reason, 0) + n
    values = found.between[places]
    known = places[~np.isnan(values)]
    if not len(known):
        reason = "no pair of a base and a changed answer could be measured"
        return undefined("CDS", reason, unit="distance", n_excluded=excluded)
    doubt = _doubt(found, places, known)
    return MetricResult(
        metric="CDS",
        unit="distance",
        n_excluded=excluded,
        value=_mean(found.between[known]),
        n_samples=sum(n for n, _ in counted),
        n_clusters=1,
        verdict="inconclusive" if doubt else None,
        reason=doubt,
        caveats=(f"Inconclusive: {doubt}.",) if doubt else (),
        parts=_parts(found, known, beside),
    )


def _doubt(found: Distances, places: Places, known: Places) -> str:
    if np.isnan(found.within[known]).any():
        return NO_REPLICATES
    if len(known) < len(places):
        return f"{len(places) - len(known)} of {len(places)} groups have no answer that could be measured"
    return ""


def _parts(found: Distances, known: Places, beside: Floats | None) -> Mapping[str, float | None]:
    columns = {**found.parts, "within_floor": found.within}
    means: dict[str, float | None] = {name: _mean(column[known]) for name, column in columns.items()}
    return {**means, "raw_text": None if beside is None else _mean(beside[known])}


def _mean(column: Floats) -> float | None:
    """Average; None if one is missing, since the mean of the others would belong to other groups."""
    total = fsum(column)
    return None if isnan(total) else total / len(column)


def _number(column: Floats | None, place: int) -> float | None:
    return None if column is None or np.isnan(column[place]) else float(column[place])
