"""Names to things: what a call says in words becomes adapters, scenario sets, metrics."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from evenhand.core.types import Reference, References, Scenario, ScenarioSet
from evenhand.errors import UsageError
from evenhand.metrics.base import Metric
from evenhand.metrics.baselines import baseline as shipped_baseline
from evenhand.metrics.registry import registry as metric_registry
from evenhand.scenarios.registry import ScenarioRegistry

ScenarioSource = str | Path | Scenario | ScenarioSet
Baseline = str | Mapping[str, float]
"""One attribute's reference: ``"uniform"``, the name of a shipped baseline, or category to share."""


def scenario_sets(source: ScenarioSource | Sequence[ScenarioSource], registry: ScenarioRegistry) -> list[ScenarioSet]:
    """Turn names, files, scenarios and sets into sets; loose scenarios become one set called ``"scenarios"``."""
    items = [source] if isinstance(source, (str, Path, Scenario, ScenarioSet)) else list(source)
    sets: list[ScenarioSet] = []
    loose: list[Scenario] = []
    for item in items:
        match item:
            case ScenarioSet():
                sets.append(item)
            case Scenario():
                loose.append(item)
            case str() | Path():
                sets.append(registry.get(item))
            case _:
                raise UsageError(
                    f"scenarios takes names, paths, Scenario and ScenarioSet, not {type(item).__name__}: {item!r}"
                )
    if loose:
        sets.append(ScenarioSet(name="scenarios", scenarios=loose))
    if not sets:
        raise UsageError("no scenarios were given")
    return sets


def metrics(names: Sequence[str | Metric] | None, registered: Mapping[str, Metric]) -> list[Metric]:
    """Turn names into metrics: all built-in and all registered ones if none are named."""
    registry = metric_registry()
    if names is None:
        builtin = [registry.get(name)() for name in registry.names() if name not in registered]
        return [*builtin, *registered.values()]
    found = [
        name if isinstance(name, Metric) else registered[name] if name in registered else registry.get(name)()
        for name in names
    ]
    if not found:
        raise UsageError("no metrics were given")
    return list({metric.name: metric for metric in found}.values())


def with_baseline(
    sets: Sequence[ScenarioSet], baseline: References | Mapping[str, Baseline] | None
) -> list[ScenarioSet]:
    """Replace the references of every scenario by `baseline`, attribute by attribute.

    The replaced references become part of the spec, so that the stored run says what it was compared with.
    """
    match baseline:
        case None:
            return list(sets)
        case References():
            return [_with_references(group, baseline) for group in sets]
        case _:
            shares = {attribute: _reference(attribute, given, sets) for attribute, given in baseline.items()}
            return [_replace_all(group, shares) for group in sets]


def _with_references(group: ScenarioSet, given: References) -> ScenarioSet:
    scenarios = [
        replace(
            scenario,
            references={
                **scenario.references,
                **{a: r for (scenario_id, a), r in given.shares.items() if scenario_id == scenario.id},
            },
            stereotypes=given.stereotypes.get(scenario.id, scenario.stereotypes),
        )
        for scenario in group.scenarios
    ]
    return replace(group, scenarios=scenarios, taxonomies={**group.taxonomies, **given.taxonomies})


def _replace_all(group: ScenarioSet, shares: Mapping[str, Reference]) -> ScenarioSet:
    taxonomies = {**{a: tuple(r.shares) for a, r in shares.items()}, **group.taxonomies}
    scenarios = [replace(s, references={**s.references, **shares}) for s in group.scenarios]
    return replace(group, scenarios=scenarios, taxonomies=taxonomies)


def _reference(attribute: str, given: Baseline, sets: Sequence[ScenarioSet]) -> Reference:
    if isinstance(given, Mapping):
        total = sum(given.values())
        if not given or min(given.values()) < 0 or abs(total - 1) > 0.005:
            raise UsageError(
                f"the baseline for {attribute!r} must hold shares from 0 to 1 that sum to 1, not {given!r}"
            )
        return Reference(attribute=attribute, shares=dict(given), name="given in the call")
    if given != "uniform":
        return shipped_baseline(given, attribute)
    taxonomies = References.of(sets).taxonomies
    if attribute not in taxonomies:
        raise UsageError(f"no scenario set declares categories for {attribute!r}, so 'uniform' says nothing")
    categories = taxonomies[attribute]
    return Reference(attribute=attribute, shares=dict.fromkeys(categories, 1 / len(categories)), name="uniform")
