"""Which prompt each output answers: one group code per scenario and condition, and what is compared with what."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.core.table import OutputTable

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Conditions:
    """Groups of outputs that answer the same prompt.

    Attributes
    ----------
    of_row
        (n,) code of each output's group.
    scenario, attribute, value
        (groups,) codes into the table's names; attribute and value are −1 for base prompts.
    base
        (groups,) code of the base group of the same scenario; −1 where the base prompt was not asked.
    comparisons
        (m,) codes of the changed prompts whose base prompt was asked too, by scenario, then attribute.
    """

    of_row: Places
    scenario: Places
    attribute: Places
    value: Places
    base: Places
    comparisons: Places

    def __len__(self) -> int:
        return len(self.scenario)


def conditions_of(table: OutputTable) -> Conditions:
    """Find the groups."""
    n_attributes, n_values = len(table.attributes) + 1, len(table.values) + 1
    key = (table.scenario.astype(np.int64) * n_attributes + table.attribute + 1) * n_values + table.value + 1
    keys, of_row = np.unique(key, return_inverse=True)
    pair, value = np.divmod(keys, n_values)
    scenario, attribute = np.divmod(pair, n_attributes)
    base_of = np.full(len(table.scenario_ids), -1, dtype=np.int64)
    is_base = attribute == 0
    base_of[scenario[is_base]] = np.flatnonzero(is_base)
    return Conditions(
        of_row=of_row.astype(np.int64),
        scenario=scenario,
        attribute=attribute - 1,
        value=value - 1,
        base=base_of[scenario],
        comparisons=np.flatnonzero(~is_base & (base_of[scenario] >= 0)),
    )
