from dataclasses import replace

from evenhand.core.spec import AuditSpec, differences
from evenhand.core.types import (
    CounterfactualGroup,
    CounterfactualVariant,
    GenerationConfig,
    Reference,
    References,
    Scenario,
    ScenarioSet,
    Stereotype,
)

UNIFORM = Reference(attribute="gender", shares={"female": 0.5, "male": 0.5}, name="given")
SET = ScenarioSet(
    name="set",
    taxonomies={"gender": ["female", "male"]},
    scenarios=[
        Scenario(
            id="nurse",
            prompt="Describe a nurse.",
            counterfactuals=[
                CounterfactualGroup(
                    attribute="gender",
                    variants=[CounterfactualVariant(prompt="Describe a male nurse.", attribute_value="male")],
                )
            ],
            references={"gender": UNIFORM},
            stereotypes=[Stereotype(attribute="gender", value="female", baseline=0.87, year="2023")],
        )
    ],
)
SPEC = AuditSpec(
    model="simulated/fair",
    adapter={"provider": "simulated"},
    scenario_sets=(SET,),
    metrics=("RSI",),
    evaluators={"refusal": "1"},
    generation=GenerationConfig(max_tokens=60),
)


def test_a_spec_survives_the_way_through_json() -> None:
    """A stored run can be planned again, to the same digest, from its row alone."""
    again = AuditSpec.from_json(SPEC.as_json())
    assert again.digest == SPEC.digest
    assert again.scenario_sets[0].scenarios[0] == SET.scenarios[0]


def test_whatever_changes_what_is_asked_changes_the_digest() -> None:
    """Two runs share a digest only if they ask and judge the same."""
    changed = [
        replace(SPEC, seed=1),
        replace(SPEC, replicates=11),
        replace(SPEC, evaluators={"refusal": "2"}),
        replace(SPEC, generation=GenerationConfig(max_tokens=61)),
        replace(SPEC, scenario_sets=(replace(SET, version="2"),)),
        replace(SPEC, bands="fairbench-1.0"),
    ]
    assert len({spec.digest for spec in (SPEC, *changed)}) == len(changed) + 1


def test_differences_name_the_field_and_both_values() -> None:
    """Whoever may not resume must see what to change."""
    other = replace(SPEC, replicates=20, generation=GenerationConfig(max_tokens=80))
    assert differences(SPEC.as_json(), other.as_json()) == ["generation.max_tokens: 60 → 80", "replicates: 10 → 20"]


def test_categories_come_from_the_declaration_first() -> None:
    """Taxonomy, then reference, then variants: never what happened to appear."""
    declared = References.of([SET])
    assert declared.taxonomies == {"gender": ("female", "male")}
    from_reference = References.of([replace(SET, taxonomies={})])
    assert from_reference.taxonomies == {"gender": ("female", "male")}
    bare = replace(SET.scenarios[0], references={})
    from_variants = References.of([replace(SET, taxonomies={}, scenarios=[bare])])
    assert from_variants.taxonomies == {"gender": ("male",)}


def test_an_attribute_without_reference_is_compared_with_the_uniform_distribution() -> None:
    """Uniform over the declared taxonomy, and named so."""
    uniform = References(taxonomies={"gender": ("a", "b", "c", "d")}).reference("any", "gender")
    assert uniform.name == "uniform"
    assert uniform.shares == {"a": 0.25, "b": 0.25, "c": 0.25, "d": 0.25}
