"""A checked file to the scenario set that it describes; baseline names become figures with their source."""

from collections.abc import Mapping, Sequence

from evenhand.core.types import (
    CounterfactualGroup,
    CounterfactualVariant,
    Reference,
    Scenario,
    ScenarioSet,
    Stereotype,
)
from evenhand.metrics.baselines import Baseline
from evenhand.scenarios.checks_references import UNIFORM
from evenhand.scenarios.schema import GroupModel, ReferenceModel, ScenarioModel, SetModel, StereotypeModel

Table = Mapping[tuple[str, str], Baseline]


def build(model: SetModel, table: Table) -> ScenarioSet:
    """Make the set. `model` must have passed `checks`: names are taken to exist."""
    return ScenarioSet(
        name=model.name,
        version=model.version,
        description=model.description.strip(),
        dimensions=tuple(model.dimensions),
        taxonomies={attribute: tuple(categories) for attribute, categories in model.taxonomies.items()},
        scenarios=tuple(_scenario(scenario, model.taxonomies, table) for scenario in model.scenarios),
    )


def _scenario(model: ScenarioModel, taxonomies: Mapping[str, Sequence[str]], table: Table) -> Scenario:
    return Scenario(
        id=model.id,
        prompt=model.prompt.strip(),
        counterfactuals=tuple(_group(group) for group in model.counterfactuals),
        references={a: _reference(r, a, taxonomies, table) for a, r in model.references.items()},
        stereotypes=tuple(_stereotype(stereotype, table) for stereotype in model.stereotypes),
    )


def _group(model: GroupModel) -> CounterfactualGroup:
    variants = (
        CounterfactualVariant(
            prompt=variant.prompt.strip(), attribute_value=variant.value or variant.attribute_value or ""
        )
        for variant in model.variants
    )
    return CounterfactualGroup(attribute=model.attribute, variants=tuple(variants))


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
