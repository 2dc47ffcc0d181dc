"""What labels are permuted in: the outputs of one scenario, base and changed prompts, with their distances."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.core.table import Floats, OutputTable
from evenhand.metrics.conditions import Conditions
from evenhand.metrics.distance import WEIGHTS, Measured
from evenhand.stats.divergence import unit_rows
from evenhand.stats.energy import label_means, per_pair
from evenhand.stats.pairwise import absolute_to_labels, cosine_to_labels

Rows = NDArray[np.intp]
Floats32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Block:
    """One scenario in which base and changed prompts all have two answers.

    Attributes
    ----------
    scenario
        Its name.
    attributes
        (groups,) attribute of each changed prompt.
    rows
        (m,) outputs, as places in the table.
    label
        (m,) 0 for base outputs, 1 … groups otherwise.
    """

    scenario: str
    attributes: tuple[str, ...]
    rows: Rows
    label: NDArray[np.int64]

    @property
    def groups(self) -> int:
        """Changed prompts."""
        return len(self.attributes)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """(1 + groups,) outputs of each prompt."""
        return np.bincount(self.label).astype(np.int64)


def blocks(table: OutputTable, conditions: Conditions, rows: Rows) -> Iterator[Block]:
    """Walk the scenarios whose prompts all have two answers among `rows`."""
    group = conditions.of_row[rows]
    order = np.argsort(group, kind="stable")  # groups are numbered by scenario, the base first
    rows, group = rows[order], group[order]
    scenario = conditions.scenario[group]
    for inside in np.split(np.arange(len(rows)), np.flatnonzero(np.diff(scenario)) + 1):
        if not len(inside):
            continue
        codes, label, counts = np.unique(group[inside], return_inverse=True, return_counts=True)
        if conditions.attribute[codes[0]] >= 0 or counts.min() < 2 or len(codes) < 2:
            continue
        yield Block(
            scenario=table.scenario_ids[scenario[inside[0]]],
            attributes=tuple(table.attributes[conditions.attribute[code]] for code in codes[1:]),
            rows=rows[inside],
            label=label.astype(np.int64),
        )


def row_distances(what: Measured, rows: Rows) -> Floats32:
    """(m, m) weighted mean distance of outputs, in single precision; 0 on the diagonal."""
    unit = unit_rows(what.embedding[rows]).astype(np.float32)
    total = WEIGHTS["embedding"] * (1 - unit @ unit.T)
    for part, scores in what.scores.items():
        for column in scores[rows].astype(np.float32).T:
            total += np.float32(WEIGHTS[part] / scores.shape[1]) * np.abs(column[:, None] - column[None])
    total /= np.float32(_weight(what))
    np.fill_diagonal(total, 0.0)
    distance: Floats32 = total
    return distance


def mean_distances(what: Measured, block: Block, distance: Floats32 | None) -> Floats:
    """(m, 1 + groups) mean distance of each output to the other outputs of each prompt.

    Without the matrix of all distances, which grows with the square of the outputs, in O(m log m).
    """
    if distance is not None:
        return label_means(distance, block.label, block.groups)
    total = WEIGHTS["embedding"] * cosine_to_labels(
        unit_rows(what.embedding[block.rows]), block.label, block.groups + 1
    )
    for part, scores in what.scores.items():
        for column in scores[block.rows].T:
            total += WEIGHTS[part] / scores.shape[1] * absolute_to_labels(column, block.label, block.groups + 1)
    return per_pair(total / _weight(what), block.label)


def _weight(what: Measured) -> float:
    return WEIGHTS["embedding"] + sum(WEIGHTS[part] for part in what.scores)
