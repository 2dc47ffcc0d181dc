"""A call in words → everything a run needs, checked before any call to a model is made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evenhand.adapters.base import check_config, default_config, model_info
from evenhand.core.protocols import Adapter, Evaluator
from evenhand.core.results import Target
from evenhand.core.spec import AuditSpec
from evenhand.core.types import GenerationConfig, References, ScenarioSet
from evenhand.engine.budget import checked_budget
from evenhand.engine.pricing import Pricing, check_affordable, pricing
from evenhand.engine.resolve import Baseline, ScenarioSource, metrics, scenario_sets, with_baseline
from evenhand.errors import UsageError
from evenhand.evaluation.masking import mask_version
from evenhand.evaluation.registry import load_evaluators
from evenhand.instruments.audit.plan import Plan, plan
from evenhand.metrics.bands import load_profile
from evenhand.metrics.base import Metric
from evenhand.scenarios.registry import ScenarioRegistry


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """An audit as a caller asks for it.

    Attributes
    ----------
    model
        ``"provider/name"``, the name of a registered adapter, or an adapter.
    scenarios
        Name, file, Scenario or ScenarioSet, or several of them.
    metrics
        Names; None for all built-in and registered ones.
    baseline
        Replaces the scenarios' references, attribute by attribute; None keeps them.
    generation_config
        How to sample; its `seed`, if set, is the seed of the run.
    replicates
        Generations per prompt.
    seed
        Seed of the run.
    skip_evaluators
        Evaluators to leave out. Metrics that need them are undefined, never 0.
    bands
        Band profile.
    target
        What intervals speak about: the prompts that were asked, or prompts like them.
    name
        How people will call the run; the scenario sets' names if None.
    budget_usd
        US dollars that the run may cost in all, earlier executions included; None for no limit. What is asked does
        not depend on it, so it is no part of the spec: the same audit with a larger budget goes on with the run.
    """

    model: str | Adapter
    scenarios: ScenarioSource | Sequence[ScenarioSource]
    metrics: Sequence[str | Metric] | None = None
    baseline: References | Mapping[str, Baseline] | None = None
    generation_config: GenerationConfig | None = None
    replicates: int = 10
    seed: int = 0
    skip_evaluators: Sequence[str] = ()
    bands: str = "evenhand-1"
    target: Target = "these prompts"
    name: str | None = None
    budget_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """An audit with every name resolved."""

    name: str
    adapter: Adapter
    metrics: Sequence[Metric]
    evaluators: Sequence[Evaluator]
    spec: AuditSpec
    plan: Plan
    pricing: Pricing
    budget_usd: float | None = None


def prepare(
    audit: Audit,
    adapter: Adapter,
    *,
    scenarios: ScenarioRegistry,
    registered_metrics: Mapping[str, Metric],
) -> Prepared:
    """Resolve names, check what the adapter can do, load the evaluators, lay out the plan.

    Raises
    ------
    UsageError
        If anything in the call cannot be honoured.
    DataError
        If a scenario file does not say what it must.
    """
    generation = audit.generation_config or default_config(adapter)
    check_config(adapter, generation)
    load_profile(audit.bands)
    sets = with_baseline(scenario_sets(audit.scenarios, scenarios), audit.baseline)
    chosen = metrics(audit.metrics, registered_metrics)
    seed = audit.seed if generation.seed is None else generation.seed
    spec = _spec(audit, adapter, sets, chosen, replace(generation, seed=None), seed)
    planned = plan(spec)  # before the evaluators: a wrong file should not wait for models to load
    budget, priced = checked_budget(audit.budget_usd), pricing(adapter, spec.generation)
    check_affordable(budget, priced, (prompt.text for prompt in planned.prompts), model=adapter.name)
    evaluators = load_evaluators(skip=audit.skip_evaluators)
    return Prepared(
        name=audit.name or ", ".join(group.name for group in sets),
        adapter=adapter,
        metrics=chosen,
        evaluators=evaluators,
        spec=replace(spec, evaluators={e.name: e.version for e in evaluators}),
        plan=planned,
        pricing=priced,
        budget_usd=budget,
    )


def _spec(
    audit: Audit,
    adapter: Adapter,
    sets: Sequence[ScenarioSet],
    chosen: Sequence[Metric],
    generation: GenerationConfig,
    seed: int,
) -> AuditSpec:
    if audit.replicates < 1:
        raise UsageError(f"replicates must be at least 1, not {audit.replicates}")
    info = model_info(adapter)
    return AuditSpec(
        model=adapter.name,
        adapter={"provider": info.provider, "name": info.name, **info.details},
        scenario_sets=sets,
        metrics=[metric.name for metric in chosen],
        evaluators={},
        skipped_evaluators=sorted(set(audit.skip_evaluators)),
        masking=mask_version(),
        generation=generation,
        replicates=audit.replicates,
        seed=seed,
        bands=audit.bands,
        target=audit.target,
    )
