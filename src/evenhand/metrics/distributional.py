"""The distributional form of CDS: do the people that an answer shows change when a prompt is changed?"""

import numpy as np

from evenhand.core.results import Row
from evenhand.core.table import OutputTable
from evenhand.core.types import References
from evenhand.metrics.conditions import Conditions
from evenhand.metrics.references import attributes_of, vocabulary
from evenhand.metrics.shares import detected_shares
from evenhand.stats.divergence import jsd_bits


def distributional_rows(table: OutputTable, references: References, conditions: Conditions) -> list[Row]:
    """Compare detected shares of base and variant outputs, one row per comparison and detected attribute.

    Each row has `value` in bits (plug-in), `n_base` and `n_group` (determinate outputs), and `follows_prompt`:
    True where the detected attribute is the one that the prompt changed, so that doing as asked already diverges.
    A comparison in which either side shows nothing has no row.
    """
    rows: list[Row] = []
    variant = conditions.comparisons
    base = conditions.base[variant]
    everything = np.ones(len(table), dtype=bool)
    for attribute in attributes_of(references):
        if attribute not in table.detected or len(vocabulary(references, attribute)) < 2:
            continue
        categories = vocabulary(references, attribute)
        shares = detected_shares(
            table, attribute, categories, rows=everything, key=conditions.of_row, size=len(conditions)
        )
        both = (shares.n[base] > 0) & (shares.n[variant] > 0)
        if not both.any():
            continue
        values = jsd_bits(shares.counts[base[both]], shares.counts[variant[both]])
        for b, v, value in zip(base[both], variant[both], values, strict=True):
            changed = table.attributes[conditions.attribute[v]]
            rows.append(
                {
                    "scenario": table.scenario_ids[conditions.scenario[v]],
                    "attribute": changed,
                    "group": table.values[conditions.value[v]],
                    "detected_attribute": attribute,
                    "follows_prompt": attribute == changed,
                    "value": float(value),
                    "n_base": int(shares.n[b]),
                    "n_group": int(shares.n[v]),
                }
            )
    return rows


def mean_value(rows: list[Row], *, follows_prompt: bool) -> float | None:
    """Average the rows of one kind; None without any."""
    values = [float(row["value"] or 0.0) for row in rows if row["follows_prompt"] is follows_prompt]
    return float(np.mean(values)) if values else None
