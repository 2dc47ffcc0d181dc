"""What the distributional form of CDS would be if a changed prompt were the base prompt: fair mean and p-value."""

from collections.abc import Sequence

import numpy as np

from evenhand.core.results import Row
from evenhand.core.table import Floats, OutputTable
from evenhand.metrics.conditions import Conditions, Places
from evenhand.metrics.inference import Inference
from evenhand.metrics.shares import Shares
from evenhand.stats.label_divergence import OneLaw, one_law

WORK = 200_000
"""Divisions that may be drawn for one detected attribute."""
FEWEST_DRAWS = 199


def with_fair_law(
    rows: Sequence[Row],
    groups: Places,
    table: OutputTable,
    shares: Shares,
    conditions: Conditions,
    inference: Inference,
) -> list[Row]:
    """Add `fair_expected` (bits) and `p_value` (exploratory) to rows of one detected attribute.

    Parameters
    ----------
    rows
        As `distributional_rows` makes them.
    groups
        (rows,) the group that each row compares with its base.

    Notes
    -----
    Outputs of the two prompts are divided between them anew: in every way where these are few, else at random. The
    whole output moves, with all the people it shows.
    """
    each, kinds = _kinds(table, shares)
    size = len(conditions)
    code = conditions.of_row[shares.entered] * len(kinds) + each
    counts = np.bincount(code, minlength=size * len(kinds)).reshape(size, len(kinds)).astype(np.int64)
    draws = min(inference.draws, max(FEWEST_DRAWS, WORK // len(rows)))
    known: dict[tuple[bytes, bytes], OneLaw] = {}
    found: list[Row] = []
    for row, group in zip(rows, groups, strict=True):
        base, own = counts[conditions.base[group]], counts[group]
        key = base.tobytes(), own.tobytes()
        law = known.get(key)
        if law is None:
            rng = inference.rng("CDS", "shown", row["detected_attribute"], row["scenario"], row["group"])
            law = one_law(base, own, kinds, draws=draws, rng=rng)
        if law.exact:  # the same counts elsewhere have the same law; drawn ones keep to their own stream
            known[key] = law
        found.append({**row, "fair_expected": law.expected, "p_value": law.p_value})
    return found


def _kinds(table: OutputTable, shares: Shares) -> tuple[Places, Floats]:
    """Return the kind of each determinate output, and what each kind shows: (kinds, K), rows summing to 1."""
    labels = table.detected_labels[shares.attribute]
    columns = np.zeros((int(shares.entered.sum()), len(shares.categories)))
    weights = table.detected[shares.attribute][shares.entered]
    for place, category in enumerate(shares.categories):
        if category in labels:
            columns[:, place] = weights[:, labels.index(category)]
    columns /= columns.sum(axis=1, keepdims=True)
    if ((columns == 0) | (columns == 1)).all():
        return columns.argmax(axis=1).astype(np.int64), np.eye(len(shares.categories))
    kinds, each = np.unique(columns, axis=0, return_inverse=True)
    return each.reshape(-1).astype(np.int64), kinds
