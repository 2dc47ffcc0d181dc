"""What will be asked: scenarios × conditions × replicates → requests. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand._base.digest import digest
from evenhand._base.seeding import derive
from evenhand.core.spec import AuditSpec
from evenhand.core.types import Request, RequestId, ScenarioSet
from evenhand.errors import UsageError
from evenhand.scenarios.generator import CounterfactualGenerator, Prompt


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Requests in the order in which they are asked.

    Attributes
    ----------
    requests
        Replicate 1 of every prompt, then 2, …: a run that stops early is balanced.
    prompts
        Different prompts, base and variants.
    """

    requests: Sequence[Request]
    prompts: Sequence[Prompt]
    replicates: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a plan, or one scenario set of it, will take.

    Attributes
    ----------
    calls
        Requests, without retries.
    input_tokens
        Rough: four characters of English a token.
    output_tokens_at_most
        Calls times the token limit; None if no limit is set.
    """

    calls: int
    input_tokens: int
    output_tokens_at_most: int | None


def plan(spec: AuditSpec) -> Plan:
    """Lay out every request of an audit.

    Raises
    ------
    UsageError
        If there are no replicates, or two scenario sets use one scenario id.
    """
    if spec.replicates < 1:
        raise UsageError(f"replicates must be at least 1, not {spec.replicates}")
    _refuse_shared_ids(spec.scenario_sets)
    generator = CounterfactualGenerator()
    prompts = [prompt for group in spec.scenario_sets for prompt in generator.expand(group)]
    if not prompts:
        raise UsageError("there is nothing to ask: the scenario set holds no prompt")
    requests = [_request(spec, prompt, replicate) for replicate in range(1, spec.replicates + 1) for prompt in prompts]
    return Plan(requests=tuple(requests), prompts=tuple(prompts), replicates=spec.replicates)


def estimate(planned: Plan, *, max_tokens: int | None, system: str | None = None) -> Estimate:
    """Say what a plan will take, before anything is spent."""
    return _estimate(planned.prompts, planned.replicates, max_tokens, system)


def estimate_by_set(planned: Plan, spec: AuditSpec) -> dict[str, Estimate]:
    """Say the same for each scenario set, by its name, in the order of the spec."""
    generation = spec.generation
    by_set: dict[str, list[Prompt]] = {group.name: [] for group in spec.scenario_sets}
    owner = {scenario.id: group.name for group in spec.scenario_sets for scenario in group.scenarios}
    for prompt in planned.prompts:
        by_set[owner[prompt.scenario_id]].append(prompt)
    return {
        name: _estimate(prompts, planned.replicates, generation.max_tokens, generation.system)
        for name, prompts in by_set.items()
    }


def _estimate(prompts: Sequence[Prompt], replicates: int, max_tokens: int | None, system: str | None) -> Estimate:
    overhead = len(system or "")
    characters = sum(len(prompt.text) + overhead for prompt in prompts) * replicates
    calls = len(prompts) * replicates
    return Estimate(
        calls=calls,
        input_tokens=-(-characters // 4),
        output_tokens_at_most=None if max_tokens is None else calls * max_tokens,
    )


def _request(spec: AuditSpec, prompt: Prompt, replicate: int) -> Request:
    condition = str(prompt.condition)
    seed = derive(spec.seed, "request", prompt.scenario_id, condition, replicate)
    generation = spec.generation
    messages = [{"role": "user", "content": prompt.text}]
    if generation.system is not None:
        messages.insert(0, {"role": "system", "content": generation.system})
    identity = {
        "adapter": spec.adapter,
        "model": spec.model,
        "parameters": {
            "max_tokens": generation.max_tokens,
            "temperature": generation.temperature,
            "top_p": generation.top_p,
            "seed": seed,
        },
        "messages": messages,
        "scenario": prompt.scenario_id,
        "condition": condition,
        "replicate": replicate,
    }
    return Request(
        id=RequestId(digest(identity)),
        scenario_id=prompt.scenario_id,
        condition=prompt.condition,
        replicate=replicate,
        prompt=prompt.text,
        seed=seed,
    )


def _refuse_shared_ids(sets: Sequence[ScenarioSet]) -> None:
    owner: dict[str, str] = {}
    for group in sets:
        for scenario in group.scenarios:
            if scenario.id in owner:
                raise UsageError(
                    f"scenario id {scenario.id!r} appears in {owner[scenario.id]!r} and again in {group.name!r}; "
                    "ids must be unique within a run"
                )
            owner[scenario.id] = group.name
