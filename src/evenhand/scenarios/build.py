"""A checked file to the scenario set that it describes; baseline names become figures with their source."""

from collections.abc import Mapping, Sequence

from evenhand.core.types import (
    CounterfactualGroup,
    Reference,
    Scenario,
    ScenarioSet,
    Stereotype,
)
from evenhand.metrics.baselines import Baseline
from evenhand.scenarios.checks_references import UNIFORM
from evenhand.scenarios.expand import Lists, base_prompt, variants
from evenhand.scenarios.schema import ReferenceModel, ScenarioModel, SetModel, StereotypeModel

Table = Mapping[tuple[str, str], Baseline]


def build(model: SetModel, table: Table, lists: Lists) -> ScenarioSet:
    """Make the set. `model` must have passed every check: names are taken to exist, variants to be possible."""
    return ScenarioSet(
        name=model.name,
        version=model.version,
        description=model.description.strip(),
        dimensions=tuple(model.dimensions),
        taxonomies={attribute: tuple(categories) for attribute, categories in model.taxonomies.items()},
        scenarios=tuple(
            _scenario(scenario, model.taxonomies, table, turn=turn, lists=lists)
            for turn, scenario in enumerate(model.scenarios)
        ),
    )


def _scenario(
    model: ScenarioModel, taxonomies: Mapping[str, Sequence[str]], table: Table, *, turn: int, lists: Lists
) -> Scenario:
    base = base_prompt(model)
    assert isinstance(base, str), "checked before"
    return Scenario(
        id=model.id,
        prompt=base,
        counterfactuals=tuple(
            CounterfactualGroup(
                attribute=group.attribute, variants=variants(model, group, base, turn=turn, lists=lists)
            )
            for group in model.counterfactuals
        ),
        references={a: _reference(r, a, taxonomies, table) for a, r in model.references.items()},
        stereotypes=tuple(_stereotype(stereotype, table) for stereotype in model.stereotypes),
    )


def _reference(
    model: ReferenceModel, attribute: str, taxonomies: Mapping[str, Sequence[str]], table: Table
) -> Reference:
    if model.baseline == UNIFORM:
        categories = taxonomies[attribute]
        return Reference(attribute=attribute, shares=dict.fromkeys(categories, 1 / len(categories)), name=UNIFORM)
    if model.baseline is not None:
        return table[model.baseline, attribute].reference
    shares = model.shares or {}
    # rounded shares may miss 1 by half a percent; every test against them needs a distribution
    total = sum(shares.values())
    return Reference(
        attribute=attribute,
        shares={category: share / total for category, share in shares.items()},
        name="given in the scenario file",
        source=model.source or "",
        year=model.year or "",
        place=model.place or "",
    )


def _stereotype(model: StereotypeModel, table: Table) -> Stereotype:
    if not isinstance(model.baseline, str):
        return Stereotype(
            attribute=model.attribute,
            value=model.value,
            baseline=model.baseline,
            source=model.source or "",
            year=model.year or "",
            place=model.place or "",
        )
    reference = table[model.baseline, model.attribute].reference
    return Stereotype(
        attribute=model.attribute,
        value=model.value,
        baseline=reference.shares[model.value],
        baseline_name=reference.name,
        source=reference.source,
        year=reference.year,
        place=reference.place,
    )
