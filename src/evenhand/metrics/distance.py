"""Distance between the outputs of two prompts: embedding, sentiment and toxicity, as means over all pairs."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.core.table import TOXICITY, Flags, Floats, OutputTable
from evenhand.metrics.conditions import Conditions, Places
from evenhand.stats.pairwise import absolute_differences, cosine_between, cosine_within, unit_sums

WEIGHTS = {"embedding": 1.0, "sentiment": 0.3, "toxicity": 0.3}
TOXICITY_USED = ("toxic", "severe_toxic", "identity_attack")
_COLUMNS = [TOXICITY.index(name) for name in TOXICITY_USED]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measured:
    """The measurements that distances are computed from, either of the text as it is or of the masked text.

    Attributes
    ----------
    embedding
        (n, d), NaN rows where not judged.
    scores
        ``"sentiment"`` (n, 3) and ``"toxicity"`` (n, 3), where any output has them.
    masked
        Parts that were measured on masked text.
    """

    embedding: NDArray[np.float32]
    scores: Mapping[str, Floats]
    masked: tuple[str, ...]

    @property
    def complete(self) -> Flags:
        """(n,) outputs that have every part."""
        flags: Flags = ~np.isnan(self.embedding[:, 0])
        for scores in self.scores.values():
            flags = flags & ~np.isnan(scores).any(axis=1)
        return flags


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Distances:
    """Mean distances, per comparison of a changed prompt with its base prompt.

    Attributes
    ----------
    parts
        Part to (m,) mean distance between base and variant outputs; NaN where one of them has no output.
    between
        (m,) weighted mean of the parts.
    within
        (m,) half the mean distance among base outputs plus half that among variant outputs: what sampling alone
        brings. NaN where one of them has fewer than two outputs.
    n
        (groups,) outputs that entered.
    """

    parts: Mapping[str, Floats]
    between: Floats
    within: Floats
    n: Places


def measured(table: OutputTable, *, masked: bool) -> Measured | None:
    """Choose the measurements: of masked text where there are any, else (or if not `masked`) of the text as it is.

    None if no output has an embedding, without which there is no distance.
    """
    use_masked = {
        "embedding": table.embedding_masked is not None,
        "sentiment": bool((~np.isnan(table.sentiment_masked)).any()),
        "toxicity": bool((~np.isnan(table.toxicity_masked)).any()),
    }
    chosen = {part: masked and there for part, there in use_masked.items()}
    candidates = {
        "sentiment": table.sentiment_masked if chosen["sentiment"] else table.sentiment,
        "toxicity": (table.toxicity_masked if chosen["toxicity"] else table.toxicity)[:, _COLUMNS],
    }
    embedding = table.embedding_masked if chosen["embedding"] else table.embedding
    if embedding is None:
        return None
    return Measured(
        embedding=embedding,
        scores={part: scores for part, scores in candidates.items() if (~np.isnan(scores)).any()},
        masked=tuple(part for part, is_masked in chosen.items() if is_masked),
    )


def distances(what: Measured, conditions: Conditions, entered: Flags) -> Distances:
    """Compute the mean distances over the outputs that `entered`.

    Notes
    -----
    Every entering output has every part, so the weighted mean of the part means is exactly the mean of the
    weighted pair distances.
    """
    rows = np.flatnonzero(entered)
    group, size = conditions.of_row[rows], len(conditions)
    n = np.bincount(group, minlength=size).astype(np.int64)
    variant = conditions.comparisons
    base = conditions.base[variant]
    sums = unit_sums(what.embedding, rows, group, size)
    between = {"embedding": cosine_between(sums, n, base, variant)}
    within = {"embedding": cosine_within(sums, n)}
    for part, scores in what.scores.items():
        between[part], within[part] = _absolute(scores[rows], group, conditions)
    floor = _weighted(within)
    return Distances(parts=between, between=_weighted(between), within=(floor[base] + floor[variant]) / 2, n=n)


def _absolute(scores: Floats, group: Places, conditions: Conditions) -> tuple[Floats, Floats]:
    """Mean over the columns of their mean absolute differences: between per comparison, within per group."""
    stratum, is_base = conditions.scenario[group], conditions.attribute[group] < 0
    size, variant = len(conditions), conditions.comparisons
    found = [absolute_differences(x, stratum, is_base, group, size) for x in scores.T]
    return np.mean([b[variant] for b, _ in found], axis=0), np.mean([w for _, w in found], axis=0)


def _weighted(parts: Mapping[str, Floats]) -> Floats:
    total: Floats = np.sum([WEIGHTS[part] * mean for part, mean in parts.items()], axis=0)
    return total / sum(WEIGHTS[part] for part in parts)
