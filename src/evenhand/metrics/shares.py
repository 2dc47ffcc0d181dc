"""Shares of categories: what outputs show, or what their prompts asked for. Every output weighs 1."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.core.table import Flags, Floats, OutputTable

Counts = NDArray[np.int64]

MIN_DETERMINATE = 10
"""Fewer determinate outputs than this leave a comparison inconclusive."""
MAX_OUTSIDE = 0.05
"""A larger share of labels outside the taxonomy leaves a comparison inconclusive."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shares:
    """Category counts of one attribute, per key (scenario or group).

    Attributes
    ----------
    categories
        The K declared categories.
    counts
        (size, K) weights; a row sums to that key's `n`.
    n
        (size,) determinate outputs: those that show at least one declared category.
    shown
        (size,) outputs that show any label, declared or not.
    outside
        (size,) share of detected weight on labels outside the taxonomy, in [0, 1]; 0 where nothing was detected.
    entered, outside_only
        (rows,) determinate outputs; outputs that show nothing but labels outside the taxonomy.
    """

    attribute: str
    categories: tuple[str, ...]
    counts: Floats
    n: Counts
    shown: Counts
    outside: Floats
    entered: Flags
    outside_only: Flags


def detected_shares(
    table: OutputTable, attribute: str, categories: tuple[str, ...], *, rows: Flags, key: NDArray[np.integer], size: int
) -> Shares:
    """Count what the outputs themselves show.

    Parameters
    ----------
    rows
        (n,) outputs to look at; failed, blocked and empty ones never count.
    key
        (n,) where each output counts, 0 … `size` − 1.

    Notes
    -----
    An output naming two people counts ½ for each. If one of them is outside the taxonomy, the other counts 1,
    and the first adds ½ to the outside weight.
    """
    labels = table.detected_labels.get(attribute, ())
    weights = table.detected.get(attribute, np.zeros((len(table), 0)))
    inside = _columns(weights, labels, categories)
    total, inside_total = weights.sum(axis=1), inside.sum(axis=1)
    looked_at = rows & table.answered & ~table.empty
    return _tally(
        attribute,
        categories,
        weights=inside,
        inside_total=inside_total,
        total=total,
        looked_at=looked_at,
        key=key,
        size=size,
    )


def prompted_shares(table: OutputTable, attribute: str, categories: tuple[str, ...]) -> Shares:
    """Count, per scenario, the value that the prompts of the completed outputs asked for."""
    code = table.attributes.index(attribute) if attribute in table.attributes else -2
    looked_at = (table.attribute == code) & table.answered & ~table.empty
    weights = np.zeros((len(table), len(table.values)))
    weights[looked_at, table.value[looked_at]] = 1.0
    inside = _columns(weights, table.values, categories)
    return _tally(
        attribute,
        categories,
        weights=inside,
        inside_total=inside.sum(axis=1),
        total=weights.sum(axis=1),
        looked_at=looked_at,
        key=table.scenario,
        size=len(table.scenario_ids),
    )


def thin_reason(n: int, outside: float) -> str:
    """Say why a comparison of shares is inconclusive; empty if it is not."""
    if n < MIN_DETERMINATE:
        return f"only {n} determinate outputs; at least {MIN_DETERMINATE} are needed"
    if outside > MAX_OUTSIDE:
        return f"{outside:.0%} of the detected labels are outside the taxonomy (limit {MAX_OUTSIDE:.0%})"
    return ""


def _columns(weights: Floats, labels: tuple[str, ...], categories: tuple[str, ...]) -> Floats:
    aligned = np.zeros((len(weights), len(categories)))
    for column, category in enumerate(categories):
        if category in labels:
            aligned[:, column] = weights[:, labels.index(category)]
    return aligned


def _tally(
    attribute: str,
    categories: tuple[str, ...],
    *,
    weights: Floats,
    inside_total: Floats,
    total: Floats,
    looked_at: Flags,
    key: NDArray[np.integer],
    size: int,
) -> Shares:
    entered = looked_at & (inside_total > 0)
    each = weights[entered] / inside_total[entered, None]
    counts = [np.bincount(key[entered], weights=column, minlength=size) for column in each.T]
    shown = looked_at & (total > 0)
    shown_n = np.bincount(key[shown], minlength=size)
    outside = np.bincount(key[shown], weights=1 - inside_total[shown] / total[shown], minlength=size)
    return Shares(
        attribute=attribute,
        categories=categories,
        counts=np.stack(counts, axis=1) if counts else np.zeros((size, 0)),
        n=np.bincount(key[entered], minlength=size).astype(np.int64),
        shown=shown_n.astype(np.int64),
        outside=np.divide(outside, shown_n, out=np.zeros(size), where=shown_n > 0),
        entered=entered,
        outside_only=shown & ~entered,
    )
