"""Which runs may be compared: what was asked and how it was judged, without who answered and when."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evenhand._base.digest import digest
from evenhand.core.spec import AuditSpec, differences
from evenhand.core.types import References, Scenario, ScenarioSet
from evenhand.errors import UsageError

Prompt = tuple[str, str | None, str | None]
"""Scenario, attribute, value."""

_MAY_DIFFER = {"model", "adapter", "seed", "bands"}
_JUDGING = {"evaluators", "skipped_evaluators", "masking"}
_CONTENT = {"scenario_sets"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A run's spec under the run's id."""

    run_id: str
    spec: AuditSpec

    def prompts(self) -> Mapping[Prompt, str]:
        """Map each prompt to a digest of its text and of all that it is judged against."""
        return {
            prompt: content
            for group in self.spec.scenario_sets
            for scenario in group.scenarios
            for prompt, content in _prompts(scenario, group)
        }


def check_all(plans: Sequence[Plan], *, common: bool) -> list[str]:
    """Refuse plans whose numbers would not compare.

    Parameters
    ----------
    common
        Let plans differ, since only what they have in common is compared.

    Returns
    -------
    list
        In what they differ from the first, in phrases; empty where the plans are the same.

    Raises
    ------
    UsageError
        If answers were judged differently, if plans differ and `common` is False, or if they share no prompt or metric.
    """
    first = plans[0]
    found = [phrase for plan in plans[1:] for phrase in _check(first, plan, common=common)]
    ids = f"Runs {', '.join(plan.run_id for plan in plans[:-1])} and {plans[-1].run_id}"
    if not common_prompts(*plans):
        raise UsageError(f"{ids} have no prompt in common; compare runs of one scenario set.")
    if not common_metrics(*plans):
        raise UsageError(f"{ids} have no metric in common; compare runs that computed the same metrics.")
    return list(dict.fromkeys(found))


def _check(first: Plan, second: Plan, *, common: bool) -> list[str]:
    both = f"Runs {first.run_id} and {second.run_id}"
    judged = _differing(first, second, _JUDGING)
    if judged:
        raise UsageError(
            f"{both} were judged differently, so their numbers do not compare: {'; '.join(judged)}. "
            "Run the older one again, and compare with that run."
        )
    found = [*_differing(first, second, _settings(first) - _JUDGING), *_prompt_differences(first, second)]
    if found and not common:
        raise UsageError(
            f"{both} have different plans: {'; '.join(found)}. "
            "Compare what they have in common with --common, or run one of them again with the other's plan."
        )
    return found


def common_prompts(*plans: Plan) -> set[Prompt]:
    """Prompts that every plan asks in the same words and holds against the same references."""
    shared = set(plans[0].prompts().items())
    for plan in plans[1:]:
        shared &= plan.prompts().items()
    return {prompt for prompt, _ in shared}


def common_metrics(*plans: Plan) -> list[str]:
    """Metrics of every plan, in the order of the first."""
    return [name for name in plans[0].spec.metrics if all(name in plan.spec.metrics for plan in plans)]


def references_for(plan: Plan, prompts: set[Prompt]) -> References:
    """References of the scenarios that `prompts` belong to."""
    everything, asked = References.of(plan.spec.scenario_sets), {scenario for scenario, _, _ in prompts}
    return References(
        taxonomies=everything.taxonomies,
        shares={key: share for key, share in everything.shares.items() if key[0] in asked},
        stereotypes={scenario: found for scenario, found in everything.stereotypes.items() if scenario in asked},
    )


def _settings(plan: Plan) -> set[str]:
    return set(plan.spec.as_json()) - _MAY_DIFFER - _CONTENT


def _differing(first: Plan, second: Plan, keys: set[str]) -> list[str]:
    return differences(_kept(first, keys), _kept(second, keys))


def _kept(plan: Plan, keys: set[str]) -> Mapping[str, Any]:
    return {key: value for key, value in plan.spec.as_json().items() if key in keys}


def _prompt_differences(first: Plan, second: Plan) -> list[str]:
    old, new = first.prompts(), second.prompts()
    changed = sum(old[prompt] != new[prompt] for prompt in old.keys() & new.keys())
    counts = {
        f"only in {first.run_id}": len(old.keys() - new.keys()),
        f"only in {second.run_id}": len(new.keys() - old.keys()),
        "differ in their text or references": changed,
    }
    found = [f"{count} {where}" for where, count in counts.items() if count]
    return [f"prompts: {', '.join(found)}, of {len(old)} and {len(new)}"] if found else []


def _prompts(scenario: Scenario, group: ScenarioSet) -> list[tuple[Prompt, str]]:
    against = {
        "base": scenario.prompt,
        "references": {a: dict(r.shares) for a, r in scenario.references.items()},
        "stereotypes": [[s.attribute, s.value, s.baseline] for s in scenario.stereotypes],
        "taxonomies": {a: list(categories) for a, categories in group.taxonomies.items()},
    }
    found: list[tuple[Prompt, str]] = [((scenario.id, None, None), digest(against))]
    for counterfactual in scenario.counterfactuals:
        for variant in counterfactual.variants:
            prompt = (scenario.id, counterfactual.attribute, variant.attribute_value)
            found.append((prompt, digest({**against, "variant": variant.prompt})))
    return found
