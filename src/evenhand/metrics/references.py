"""What outputs are compared with: whatever the caller gave, as `References`."""

from collections.abc import Mapping
from math import isclose, isfinite

import numpy as np
from numpy.typing import NDArray

from evenhand.core.table import OutputTable
from evenhand.core.types import Reference, References
from evenhand.errors import UsageError

SHARE_TOLERANCE = 1e-6


def references_of(baseline: References | Mapping[str, Mapping[str, float]] | None, table: OutputTable) -> References:
    """Turn the `baseline` argument of `Metric.compute` into references.

    Parameters
    ----------
    baseline
        References as they are; a mapping attribute → category → share, which holds for every scenario; or None,
        which compares with the uniform distribution.
    table
        The outputs. Where the caller declares no taxonomy, the values that prompts were changed to are one:
        they were chosen by whoever wrote the prompts, unlike the labels that happened to be detected.

    Raises
    ------
    UsageError
        If the shares of an attribute are negative or do not sum to 1.
    """
    if isinstance(baseline, References):
        return baseline
    given = {attribute: _reference(attribute, shares) for attribute, shares in (baseline or {}).items()}
    return References(
        taxonomies={**_prompted_values(table), **{a: tuple(r.shares) for a, r in given.items()}},
        shares={(s, attribute): reference for attribute, reference in given.items() for s in table.scenario_ids},
    )


def attributes_of(references: References) -> tuple[str, ...]:
    """List the attributes that have a taxonomy or a reference."""
    return tuple(dict.fromkeys([*references.taxonomies, *(attribute for _, attribute in references.shares)]))


def vocabulary(references: References, attribute: str) -> tuple[str, ...]:
    """List the possible categories of an attribute: its taxonomy, then what only a reference names.

    K, the number of categories, is the length of this list and never depends on what was detected.
    """
    named = [c for (_, a), r in references.shares.items() if a == attribute for c in r.shares]
    return tuple(dict.fromkeys([*references.taxonomies.get(attribute, ()), *named]))


def reference_for(references: References, scenario_id: str, attribute: str) -> Reference:
    """Return the declared reference, or the uniform one over the vocabulary."""
    if (scenario_id, attribute) in references.shares or attribute in references.taxonomies:
        return references.reference(scenario_id, attribute)
    categories = vocabulary(references, attribute)
    return Reference(attribute=attribute, shares=dict.fromkeys(categories, 1 / len(categories)), name="uniform")


def shares_row(reference: Reference, categories: tuple[str, ...]) -> NDArray[np.float64]:
    """Line up a reference's shares with `categories`; a category it does not name has share 0."""
    return np.array([reference.shares.get(category, 0.0) for category in categories])


def _reference(attribute: str, shares: Mapping[str, float]) -> Reference:
    bad = [f"{category}: {share}" for category, share in shares.items() if not (isfinite(share) and share >= 0)]
    if bad:
        raise UsageError(f"Baseline shares of {attribute!r} must be numbers from 0 to 1; change {', '.join(bad)}.")
    total = sum(shares.values())
    if not isclose(total, 1.0, abs_tol=SHARE_TOLERANCE):
        raise UsageError(
            f"Baseline shares of {attribute!r} sum to {total:g}, not to 1. Name every category, "
            "and divide each share by their sum."
        )
    return Reference(attribute=attribute, shares=dict(shares), name="given by the caller")


def _prompted_values(table: OutputTable) -> dict[str, tuple[str, ...]]:
    pairs = np.unique(np.stack([table.attribute, table.value])[:, table.attribute >= 0], axis=1)
    found: dict[str, list[str]] = {}
    for attribute, value in pairs.T:
        found.setdefault(table.attributes[attribute], []).append(table.values[value])
    return {attribute: tuple(values) for attribute, values in found.items()}
