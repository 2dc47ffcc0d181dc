"""Outputs for metric tests, in one line each."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evenhand.core.outcomes import Answered, Outcome
from evenhand.core.types import EvaluatedOutput, Reference, References, Stereotype

CALM = {"positive": 0.0, "negative": 0.0, "neutral": 1.0}
HARMLESS = dict.fromkeys(("toxic", "severe_toxic", "obscene", "threat", "insult", "identity_attack"), 0.0)


def output(
    scenario: str = "nurse",
    *,
    group: tuple[str, str] | None = None,
    outcome: Outcome | str = "An answer.",
    **facts: Any,
) -> EvaluatedOutput:
    """One output; `group` is (attribute, value), None for the base prompt."""
    attribute, value = group or (None, None)
    return EvaluatedOutput(
        scenario_id=scenario,
        attribute=attribute,
        counterfactual_value=value,
        outcome=Answered(text=outcome) if isinstance(outcome, str) else outcome,
        **facts,
    )


def showing(
    scenario: str, counts: Mapping[str, int], *, attribute: str = "gender", **facts: Any
) -> list[EvaluatedOutput]:
    """Outputs that show one label each; the label "" shows nothing."""
    return [
        output(scenario, detected_entities={attribute: {label: 1.0}} if label else {}, **facts)
        for label, count in counts.items()
        for _ in range(count)
    ]


def served(
    group: tuple[str, str], *, n: int, refused: int = 0, words: int = 10, scenario: str = "nurse", **facts: Any
) -> list[EvaluatedOutput]:
    """Variant outputs, of which the first `refused` are refusals."""
    text = " ".join(["word"] * words)
    return [output(scenario, group=group, outcome=text, is_refusal=i < refused, **facts) for i in range(n)]


def uniform(
    *categories: str, attribute: str = "gender", stereotypes: Sequence[tuple[str, Stereotype]] = ()
) -> References:
    """References with a taxonomy and nothing else, so that everything is compared with the uniform distribution."""
    declared: dict[str, list[Stereotype]] = {}
    for scenario, stereotype in stereotypes:
        declared.setdefault(scenario, []).append(stereotype)
    return References(taxonomies={attribute: categories}, stereotypes=declared)


def against(scenario: str, shares: Mapping[str, float], *, attribute: str = "gender") -> References:
    """References with one declared distribution."""
    reference = Reference(attribute=attribute, shares=dict(shares), name="declared")
    return References(taxonomies={attribute: tuple(shares)}, shares={(scenario, attribute): reference})


def direction(*coordinates: float) -> np.ndarray:
    """A unit vector."""
    vector = np.array(coordinates, dtype=np.float32)
    return vector / np.linalg.norm(vector)
