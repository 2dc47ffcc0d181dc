"""The distributional form of CDS: do the people that an answer shows change when a prompt is changed?"""

from collections.abc import Sequence

import numpy as np

from evenhand.core.results import Row
from evenhand.core.table import OutputTable
from evenhand.core.types import References
from evenhand.metrics.conditions import Conditions, Places
from evenhand.metrics.distributional_null import with_fair_law
from evenhand.metrics.inference import Inference
from evenhand.metrics.references import attributes_of, vocabulary
from evenhand.metrics.shares import Shares, detected_shares
from evenhand.stats.divergence import jsd_bits


def distributional_rows(
    table: OutputTable, references: References, conditions: Conditions, inference: Inference | None = None
) -> list[Row]:
    """Compare detected shares of base and variant outputs, one row per comparison and detected attribute.

    Each row has `value` in bits (plug-in), `n_base` and `n_group` (determinate outputs), and `follows_prompt`:
    True where the detected attribute is the one that the prompt changed, so that doing as asked already diverges.
    With `inference` also `fair_expected` and `p_value`: what prompts that mean the same would show.
    A comparison in which either side shows nothing has no row.
    """
    rows: list[Row] = []
    variant = conditions.comparisons
    everything = np.ones(len(table), dtype=bool)
    for attribute in attributes_of(references):
        if attribute not in table.detected or len(vocabulary(references, attribute)) < 2:
            continue
        shares = detected_shares(
            table,
            attribute,
            vocabulary(references, attribute),
            rows=everything,
            key=conditions.of_row,
            size=len(conditions),
        )
        groups = variant[(shares.n[conditions.base[variant]] > 0) & (shares.n[variant] > 0)]
        if not len(groups):
            continue
        found = _rows(table, shares, conditions, groups)
        rows += found if inference is None else with_fair_law(found, groups, table, shares, conditions, inference)
    return rows


def mean_value(rows: Sequence[Row], *, follows_prompt: bool, column: str = "value") -> float | None:
    """Average a column over the rows of one kind; None without any."""
    values = [float(row[column] or 0.0) for row in rows if row["follows_prompt"] is follows_prompt]
    return float(np.mean(values)) if values else None


def _rows(table: OutputTable, shares: Shares, conditions: Conditions, groups: Places) -> list[Row]:
    base = conditions.base[groups]
    values = jsd_bits(shares.counts[base], shares.counts[groups])
    rows: list[Row] = []
    for b, v, value in zip(base, groups, values, strict=True):
        changed = table.attributes[conditions.attribute[v]]
        rows.append(
            {
                "scenario": table.scenario_ids[conditions.scenario[v]],
                "attribute": changed,
                "group": table.values[conditions.value[v]],
                "detected_attribute": shares.attribute,
                "follows_prompt": shares.attribute == changed,
                "value": float(value),
                "n_base": int(shares.n[b]),
                "n_group": int(shares.n[v]),
            }
        )
    return rows
