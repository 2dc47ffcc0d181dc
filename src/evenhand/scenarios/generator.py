"""Scenarios to prompts: the base prompt, then every variant in the order in which it is declared."""

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.core.types import Condition, Scenario, ScenarioSet


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One text to put to the model, and what was changed in it."""

    scenario_id: str
    condition: Condition
    text: str


class CounterfactualGenerator:
    """Expands scenarios into their base and counterfactual prompts. Text and image sets alike."""

    def expand(self, scenarios: Scenario | ScenarioSet | Sequence[Scenario]) -> list[Prompt]:
        """Return the prompts of one scenario, of a set, or of several scenarios.

        Returns
        -------
        list of Prompt
            Scenario by scenario: base first, then the variants, group by group. One entry per prompt, whatever the
            number of replicates.
        """
        match scenarios:
            case Scenario():
                return _prompts(scenarios)
            case ScenarioSet():
                return self.expand(scenarios.scenarios)
            case _:
                return [prompt for scenario in scenarios for prompt in _prompts(scenario)]


def _prompts(scenario: Scenario) -> list[Prompt]:
    base = Prompt(scenario_id=scenario.id, condition=Condition(), text=scenario.prompt)
    return [base, *_variants(scenario)]


def _variants(scenario: Scenario) -> list[Prompt]:
    return [
        Prompt(
            scenario_id=scenario.id,
            condition=Condition(attribute=group.attribute, value=variant.attribute_value),
            text=variant.prompt,
        )
        for group in scenario.counterfactuals
        for variant in group.variants
    ]
