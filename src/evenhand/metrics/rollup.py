"""From scenario × attribute cells to one number: equal weight for each attribute, then each scenario."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Any

from evenhand.core.results import Direction, MetricResult, undefined
from evenhand.metrics.exclusions import Accounting


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One metric over one scenario and one attribute."""

    scenario: str
    attribute: str
    result: MetricResult


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rollup:
    """How cells of one metric are put together.

    Attributes
    ----------
    accounting
        Of all outputs, whatever the attribute, so that an output in two cells counts once.
    scenario_accounts
        Scenario to outputs that entered and exclusions by reason, in the order of the report.
    """

    metric: str
    unit: str
    direction: Direction
    accounting: Accounting
    scenario_accounts: Mapping[str, tuple[int, Mapping[str, int]]]

    def over(self, cells: Sequence[Cell], **facts: Any) -> MetricResult:
        """Combine cells into the overall result, with `by_scenario` and `by_attribute`.

        Parameters
        ----------
        cells
            At least one.
        facts
            Further fields of the overall result: tables, caveats.

        Notes
        -----
        An attribute of which no cell has a value is not measured: it is named in a caveat and does not enter.
        A single cell without a value is a gap in the comparison and makes what contains it inconclusive.
        """
        measured = {cell.attribute for cell in cells if cell.result.value is not None}
        by_attribute = {a: self._attribute(a, [c for c in cells if c.attribute == a]) for a in _names(cells)}
        if not measured:
            reason = "; ".join(dict.fromkeys(result.reason for result in by_attribute.values()))
            return replace(self._undefined(reason), by_attribute=by_attribute, **facts)
        by_scenario = self._scenarios(cells, measured)
        entered, excluded = self.accounting.counts()
        unmeasured = [f"{a} is not measured: {r.reason}." for a, r in by_attribute.items() if r.value is None]
        caveats = [*facts.pop("caveats", ()), *unmeasured]
        return replace(
            self._mean([(s, r) for s, r in by_scenario.items()], caveats, what="scenarios"),
            n_samples=entered,
            n_excluded=excluded,
            n_clusters=sum(r.value is not None for r in by_scenario.values()),
            by_scenario=by_scenario,
            by_attribute=by_attribute,
            **facts,
        )

    def _scenarios(self, cells: Sequence[Cell], measured: set[str]) -> dict[str, MetricResult]:
        grouped: dict[str, list[tuple[str, MetricResult]]] = {s: [] for s in self.scenario_accounts}
        for cell in cells:
            if cell.attribute in measured:
                grouped[cell.scenario].append((cell.attribute, cell.result))
        found = {}
        for scenario, parts in grouped.items():
            if not parts:
                continue
            entered, excluded = self.scenario_accounts[scenario]
            mean = self._mean(parts, (), what="attributes")
            found[scenario] = replace(
                mean,
                n_samples=entered,
                n_excluded=excluded,
                n_clusters=int(mean.value is not None),
                by_attribute=dict(parts),
            )
        return found

    def _attribute(self, attribute: str, cells: Sequence[Cell]) -> MetricResult:
        mean = self._mean([(c.scenario, c.result) for c in cells], (), what="scenarios")
        excluded: dict[str, int] = {}
        for cell in cells:
            for reason, n in cell.result.n_excluded.items():
                excluded[reason] = excluded.get(reason, 0) + n
        return replace(
            mean,
            n_samples=sum(c.result.n_samples for c in cells),
            n_excluded=excluded,
            n_clusters=sum(c.result.value is not None for c in cells),
        )

    def _mean(self, named: Sequence[tuple[str, MetricResult]], caveats: Sequence[str], *, what: str) -> MetricResult:
        defined = [result for _, result in named if result.value is not None]
        if not defined:
            return self._undefined("; ".join(dict.fromkeys(result.reason for _, result in named)))
        gaps = {n: r.reason for n, r in named if r.value is None}
        doubts = {n: r.reason for n, r in named if r.value is None or r.verdict == "inconclusive"}
        reason = _summary(doubts, len(named), what)
        notes = [f"Without a value: {n} ({why})." for n, why in list(gaps.items())[:3]]
        if len(gaps) > 3:
            notes.append(f"Without a value: {len(gaps) - 3} more {what}.")
        return MetricResult(
            metric=self.metric,
            value=_average([r.value for r in defined if r.value is not None]),
            unit=self.unit,
            direction=self.direction,
            verdict="inconclusive" if doubts else None,
            reason=reason,
            caveats=tuple(dict.fromkeys([*caveats, *_shared_caveats(defined), *notes])),
            parts=_mean_parts(defined),
        )

    def _undefined(self, reason: str) -> MetricResult:
        _, excluded = self.accounting.counts()
        result = undefined(self.metric, reason, unit=self.unit, n_excluded=excluded)
        return replace(result, direction=self.direction)


def _names(cells: Sequence[Cell]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cell.attribute for cell in cells))


def _summary(doubts: Mapping[str, str], total: int, what: str) -> str:
    """Say how many are in doubt; the only one speaks for itself."""
    if not doubts:
        return ""
    name, why = next(iter(doubts.items()))
    if total == 1:
        return why
    return f"{len(doubts)} of {total} {what} are inconclusive; {name}: {why}"


def _mean_parts(results: Sequence[MetricResult]) -> dict[str, float | None]:
    """Average each part over the results; None where one of them lacks it, since the means would not compare."""
    names = dict.fromkeys(name for result in results for name in result.parts)
    columns = {name: [result.parts.get(name) for result in results] for name in names}
    known = {name: [x for x in column if x is not None] for name, column in columns.items()}
    return {name: _average(xs) if len(xs) == len(results) else None for name, xs in known.items()}


def _average(numbers: Sequence[float]) -> float:
    return fsum(numbers) / len(numbers)


def _shared_caveats(results: Sequence[MetricResult]) -> list[str]:
    """Keep a caveat that holds for every part; what is particular to one stays with it."""
    common = set(results[0].caveats).intersection(*(result.caveats for result in results))
    return [caveat for caveat in results[0].caveats if caveat in common]
