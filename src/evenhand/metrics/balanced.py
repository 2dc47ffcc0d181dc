"""Group means that compare like with like: only scenarios that asked every group, each scenario weighing the same."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.core.table import Flags, Floats, OutputTable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Balanced:
    """The outputs of one attribute's variants. The base prompt is not a group.

    Attributes
    ----------
    groups
        Values that prompts were changed to, anywhere in the table.
    scenarios
        (S,) codes of the scenarios in which every group was asked.
    rows
        (n,) outputs of this attribute in those scenarios.
    left_out
        (n,) outputs of this attribute in the other scenarios.
    cell
        (n,) place in the (S, G) matrix, row by row; meaningless outside `rows`.
    """

    attribute: str
    groups: tuple[str, ...]
    scenarios: NDArray[np.int64]
    rows: Flags
    left_out: Flags
    cell: NDArray[np.int64]

    @property
    def shape(self) -> tuple[int, int]:
        """Complete scenarios and groups."""
        return len(self.scenarios), len(self.groups)

    def counts(self, rows: Flags) -> NDArray[np.int64]:
        """Count the outputs of each scenario and group that are in `rows`, shape (S, G)."""
        size = len(self.scenarios) * len(self.groups)
        return np.bincount(self.cell[self.rows & rows], minlength=size).astype(np.int64).reshape(self.shape)

    def means(self, x: Floats, rows: Flags) -> Floats:
        """Average `x` (n,) over the outputs in `rows`, shape (S, G); NaN where there is none."""
        used = self.rows & rows
        size = len(self.scenarios) * len(self.groups)
        total = np.bincount(self.cell[used], weights=x[used], minlength=size).reshape(self.shape)
        count = self.counts(rows)
        mean: Floats = np.divide(total, count, out=np.full(self.shape, np.nan), where=count > 0)
        return mean


def balance(table: OutputTable, attribute: int) -> Balanced:
    """Find the groups of an attribute (by its code) and the scenarios that asked all of them."""
    of_attribute = table.attribute == attribute
    groups = np.unique(table.value[of_attribute])
    asked = np.zeros((len(table.scenario_ids), len(table.values)), dtype=bool)
    asked[table.scenario[of_attribute], table.value[of_attribute]] = True
    complete: Flags = np.logical_and.reduce(asked[:, groups], axis=1)
    place = np.full(len(table.values) + 1, 0, dtype=np.int64)  # one more: base prompts have value −1
    place[groups] = np.arange(len(groups))
    order = np.cumsum(complete) - 1
    return Balanced(
        attribute=table.attributes[attribute],
        groups=tuple(table.values[group] for group in groups),
        scenarios=np.flatnonzero(complete),
        rows=of_attribute & complete[table.scenario],
        left_out=of_attribute & ~complete[table.scenario],
        cell=order[table.scenario] * len(groups) + place[table.value],
    )


def over_scenarios(matrix: Floats) -> tuple[Floats, int]:
    """Average each group over scenarios.

    Parameters
    ----------
    matrix
        (S, G), NaN where a scenario says nothing about a group.

    Returns
    -------
    means
        (G,); NaN for a group about which no scenario says anything.
    n_scenarios
        Scenarios averaged: those that say something about every other group, so that no group is compared over
        prompts that another was not measured on.
    """
    speaks, common = comparable(~np.isnan(matrix))
    means = np.full(matrix.shape[1], np.nan)
    if common.any():
        means[speaks] = matrix[common][:, speaks].mean(axis=0)
    return means, int(common.sum())


def comparable(known: Flags) -> tuple[Flags, Flags]:
    """Say which groups (G,) are known anywhere, and which scenarios (S,) know all of those, from (S, G) flags."""
    speaks: Flags = np.logical_or.reduce(known, axis=0)
    common: Flags = np.logical_and.reduce(known[:, speaks], axis=1) & bool(speaks.any())
    return speaks, common


def spread(means: Floats) -> float | None:
    """Largest minus smallest of the groups that have a mean; None with fewer than two."""
    known = means[~np.isnan(means)]
    return float(known.max() - known.min()) if len(known) > 1 else None
