from dataclasses import replace

import pytest

from evenhand.core.spec import AuditSpec
from evenhand.core.types import (
    CounterfactualGroup,
    CounterfactualVariant,
    GenerationConfig,
    Scenario,
    ScenarioSet,
)
from evenhand.errors import UsageError
from evenhand.instruments.audit.plan import estimate, plan


def scenario(name: str) -> Scenario:
    variants = [
        CounterfactualVariant(prompt=f"Describe a {value} {name}.", attribute_value=value)
        for value in ("female", "male")
    ]
    return Scenario(
        id=name,
        prompt=f"Describe a {name}.",
        counterfactuals=[CounterfactualGroup(attribute="gender", variants=variants)],
    )


SPEC = AuditSpec(
    model="simulated/fair",
    adapter={"provider": "simulated"},
    scenario_sets=(ScenarioSet(name="set", scenarios=[scenario("nurse"), scenario("pilot")]),),
    metrics=("RSI",),
    evaluators={},
    replicates=3,
    seed=5,
)


def test_every_prompt_is_asked_once_before_any_is_asked_twice() -> None:
    """Replicate 1 of all prompts, then 2, then 3: stopping early leaves a balanced run."""
    planned = plan(SPEC)
    assert [r.replicate for r in planned.requests] == [1] * 6 + [2] * 6 + [3] * 6
    first = [(r.scenario_id, str(r.condition)) for r in planned.requests[:6]]
    assert first == [
        ("nurse", "base"),
        ("nurse", "gender=female"),
        ("nurse", "gender=male"),
        ("pilot", "base"),
        ("pilot", "gender=female"),
        ("pilot", "gender=male"),
    ]


def test_ids_and_seeds_are_unique_and_repeatable() -> None:
    """The same spec asks the same requests; replicates differ by their seed."""
    once, twice = plan(SPEC), plan(SPEC)
    assert once.requests == twice.requests
    assert len({r.id for r in once.requests}) == 18
    assert len({r.seed for r in once.requests}) == 18


def test_adding_a_scenario_leaves_the_seeds_of_the_others_alone() -> None:
    """A named stream per request: what else is asked does not move it."""
    fewer = replace(SPEC, scenario_sets=(ScenarioSet(name="set", scenarios=[scenario("pilot")]),))
    seeds = {(r.scenario_id, r.condition, r.replicate): r.seed for r in plan(SPEC).requests}
    assert all(seeds[r.scenario_id, r.condition, r.replicate] == r.seed for r in plan(fewer).requests)


def test_another_parameter_is_another_request() -> None:
    """An answer at another temperature may not be taken for this one."""
    warm = replace(SPEC, generation=GenerationConfig(temperature=1.0))
    assert not {r.id for r in plan(SPEC).requests} & {r.id for r in plan(warm).requests}


def test_one_id_in_two_sets_is_refused() -> None:
    """Results are stored by scenario id; two meanings would be mixed."""
    two = replace(SPEC, scenario_sets=(*SPEC.scenario_sets, ScenarioSet(name="other", scenarios=[scenario("nurse")])))
    with pytest.raises(UsageError, match="'nurse' appears in 'set' and again in 'other'"):
        plan(two)


def test_an_estimate_counts_calls_and_tokens() -> None:
    """18 calls; at most 18 × 60 tokens out; four characters a token in."""
    takes = estimate(plan(SPEC), max_tokens=60)
    characters = 3 * sum(len(prompt.text) for prompt in plan(SPEC).prompts)
    assert (takes.calls, takes.output_tokens_at_most, takes.input_tokens) == (18, 1080, -(-characters // 4))
    assert estimate(plan(SPEC), max_tokens=None).output_tokens_at_most is None
