"""Scenarios to prompts: base first, then the variants as declared."""

from evenhand.core.types import Condition, CounterfactualGroup, CounterfactualVariant, Scenario, ScenarioSet
from evenhand.scenarios.generator import CounterfactualGenerator, Prompt


def scenario(identifier):
    return Scenario(
        id=identifier,
        prompt="Base.",
        counterfactuals=[
            CounterfactualGroup(
                attribute="gender",
                variants=[
                    CounterfactualVariant(prompt="Female.", attribute_value="female"),
                    CounterfactualVariant(prompt="Male.", attribute_value="male"),
                ],
            ),
            CounterfactualGroup(
                attribute="race", variants=[CounterfactualVariant(prompt="Black.", attribute_value="black")]
            ),
        ],
    )


def test_the_base_comes_first_and_the_variants_in_declared_order():
    """One prompt each, with what was changed."""
    assert CounterfactualGenerator().expand(scenario("s")) == [
        Prompt(scenario_id="s", condition=Condition(), text="Base."),
        Prompt(scenario_id="s", condition=Condition(attribute="gender", value="female"), text="Female."),
        Prompt(scenario_id="s", condition=Condition(attribute="gender", value="male"), text="Male."),
        Prompt(scenario_id="s", condition=Condition(attribute="race", value="black"), text="Black."),
    ]


def test_a_set_is_expanded_scenario_by_scenario():
    """A set, or its scenarios in a list, give the same prompts."""
    pair = [scenario("s"), scenario("t")]
    expanded = CounterfactualGenerator().expand(ScenarioSet(name="a", scenarios=pair))
    assert expanded == CounterfactualGenerator().expand(pair)
    assert [prompt.scenario_id for prompt in expanded] == ["s"] * 4 + ["t"] * 4


def test_a_scenario_without_groups_is_its_base_prompt():
    """Representation can be measured without any counterfactual."""
    (prompt,) = CounterfactualGenerator().expand(Scenario(id="s", prompt="Base."))
    assert prompt.condition.is_base
