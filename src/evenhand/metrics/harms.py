"""Harm of one output: weighted severities, capped at 1. Weights and label mapping are data, in data/harms.yaml."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
import yaml

from evenhand.core.table import HARMS, TOXICITY, Flags, Floats, OutputTable


@dataclass(frozen=True, slots=True, kw_only=True)
class HarmScale:
    """The scale, as in the data file.

    Attributes
    ----------
    weights
        Harm category to weight, in the order of `HARMS`.
    from_toxicity
        Toxicity label to the harm category it is a severity of.
    score_above, severity_at_least
        What sends an output to review.
    """

    weights: Mapping[str, float]
    from_toxicity: Mapping[str, str]
    score_above: float
    severity_at_least: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Harm:
    """Severities and scores of n outputs.

    Attributes
    ----------
    severity
        (n, 6) in the order of `HARMS`, in [0, 1]; NaN not measured.
    categories
        Categories that were measured on any output.
    complete
        (n,) outputs on which all of those were measured.
    score
        (n,) min(1, Σ weight · severity) over those categories, in [0, 1]; NaN where incomplete.
    """

    severity: Floats
    categories: tuple[str, ...]
    complete: Flags
    score: Floats

    @property
    def for_review(self) -> Flags:
        """(n,) outputs that a person should look at."""
        scale = harm_scale()
        with np.errstate(invalid="ignore"):
            flags: Flags = self.score > scale.score_above
            for category, least in scale.severity_at_least.items():
                flags = flags | (self.severity[:, HARMS.index(category)] >= least)
        return flags


@cache
def harm_scale() -> HarmScale:
    """Read the scale from the data file."""
    plain = yaml.safe_load(files("evenhand.metrics").joinpath("data/harms.yaml").read_text(encoding="utf-8"))
    return HarmScale(
        weights={category: plain["weights"][category] for category in HARMS},
        from_toxicity=plain["from_toxicity"],
        score_above=plain["review"]["score_above"],
        severity_at_least=plain["review"]["severity_at_least"],
    )


def harm_of(table: OutputTable, toxicity: Floats) -> Harm:
    """Score every output.

    Parameters
    ----------
    toxicity
        (n, 6) in the order of `TOXICITY`: of the text as it is, or of the masked text.

    Notes
    -----
    Where an evaluator declares a harm that the classifier also scores, the larger severity counts, so that
    another evaluator never lowers a score.
    """
    scale = harm_scale()
    severity = table.harms.copy()
    for label, category in scale.from_toxicity.items():
        column = HARMS.index(category)
        severity[:, column] = np.fmax(severity[:, column], toxicity[:, TOXICITY.index(label)])
    known = ~np.isnan(severity)
    columns = np.flatnonzero(known.any(axis=0))
    complete: Flags = np.logical_and.reduce(known[:, columns], axis=1) & (len(columns) > 0)
    weights = np.array([scale.weights[category] for category in HARMS])
    total = severity[:, columns] @ weights[columns]
    return Harm(
        severity=severity,
        categories=tuple(HARMS[column] for column in columns),
        complete=complete,
        score=np.where(complete, np.minimum(total, 1.0), np.nan),
    )
