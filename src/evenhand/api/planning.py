"""plan_audit(): what an audit takes, and what it can show, before anything is spent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evenhand.adapters.base import default_config
from evenhand.adapters.prices import Price
from evenhand.adapters.registry import open_adapter
from evenhand.api.auditing import wait_for
from evenhand.core.protocols import Adapter
from evenhand.core.spec import AuditSpec
from evenhand.core.types import GenerationConfig, References
from evenhand.engine import FairBenchEngine
from evenhand.engine.pricing import pricing
from evenhand.engine.resolve import Baseline, ScenarioSource, scenario_sets, with_baseline
from evenhand.engine.resolve import metrics as resolved_metrics
from evenhand.errors import UsageError
from evenhand.instruments.audit.plan import Estimate, Plan, estimate, plan
from evenhand.instruments.audit.power import Assumptions, PowerPlan, assumptions_from, plan_power
from evenhand.metrics.base import Metric
from evenhand.scenarios.registry import ScenarioRegistry
from evenhand.storage.base import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPlan:
    """What an audit takes, and what it can show.

    Attributes
    ----------
    model
        None if none was named; nothing is then known of its price.
    scenario_sets
        Name to number of scenarios.
    prompts
        Different prompts, base and variants.
    power
        What can be found; `power.replicates` is the number that everything here speaks of.
    takes
        Calls and tokens at that number.
    price
        None if it is not known.
    budget_usd
        What the replicates had to fit into, if they had to.
    """

    model: str | None
    scenario_sets: Mapping[str, int]
    prompts: int
    power: PowerPlan
    takes: Estimate
    price: Price | None
    budget_usd: float | None = None

    @property
    def usd_at_most(self) -> float | None:
        """Cost if every answer is as long as it may be; None without a price or a limit of the answers."""
        return None if self.price is None else usd_at_most(self.takes, self.price)

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON."""
        return {
            "model": self.model,
            "scenario_sets": dict(self.scenario_sets),
            "prompts": self.prompts,
            "calls": self.takes.calls,
            "input_tokens": self.takes.input_tokens,
            "output_tokens_at_most": self.takes.output_tokens_at_most,
            "usd_at_most": self.usd_at_most,
            "price_as_of": None if self.price is None else self.price.as_of,
            "budget_usd": self.budget_usd,
            **self.power.as_json(),
        }


def plan_audit(
    scenarios: ScenarioSource | Sequence[ScenarioSource],
    *,
    model: str | Adapter | None = None,
    metrics: Sequence[str | Metric] | None = None,
    baseline: References | Mapping[str, Baseline] | None = None,
    generation_config: GenerationConfig | None = None,
    bands: str = "evenhand-1",
    power: float = 0.8,
    differences: Mapping[str, float] | None = None,
    assumed: Assumptions | None = None,
    replicates: int | None = None,
    budget_usd: float | None = None,
) -> AuditPlan:
    """Plan an audit of `scenarios`: replicates for the differences that matter, or what given replicates can show.

    Parameters
    ----------
    scenarios, metrics, baseline, bands
        As `audit`.
    model
        ``"provider/name"`` or an adapter, for its price; None plans without one. Nothing is sent to it.
    generation_config
        Its token limit and system prompt bound the cost.
    power, differences, assumed
        As `plan_power`.
    replicates
        Replicates that one can afford; None looks for those needed.
    budget_usd
        US dollars that one can afford: the replicates are the most that fit by the estimate of `takes`. Not together
        with `replicates`.

    Raises
    ------
    UsageError, DataError
        If something cannot be honoured.
    """
    if replicates is not None and budget_usd is not None:
        raise UsageError("replicates and a budget both say how much one can afford; give one of them")
    if replicates is not None and replicates < 1:
        raise UsageError(f"replicates must be at least 1, not {replicates}")
    price, generation, name = _model(model, generation_config)
    sets = with_baseline(scenario_sets(scenarios, ScenarioRegistry()), baseline)
    spec = AuditSpec(
        model=name or "",
        adapter={},
        scenario_sets=sets,
        metrics=[metric.name for metric in resolved_metrics(metrics, {})],
        evaluators={},
        generation=generation,
        replicates=1,
        bands=bands,
    )
    once = plan(spec)
    if budget_usd is not None:
        replicates = _affordable(budget_usd, _takes(once, spec), price, name)
    found = plan_power(spec, replicates=replicates, power=power, differences=differences, assumed=assumed)
    return AuditPlan(
        model=name,
        scenario_sets={group.name: len(group.scenarios) for group in sets},
        prompts=len(once.prompts),
        power=found,
        takes=_takes(replace(once, replicates=found.replicates), spec),
        price=price,
        budget_usd=budget_usd,
    )


def assumptions_like(run_id: str, *, store: Store | str | Path | None = None) -> Assumptions:
    """Take planning values from a stored run: its share of answers with a signal, its refusals, its spreads.

    Raises
    ------
    UnknownNameError
        If there is no such run.
    """
    engine = FairBenchEngine(store)
    try:
        run = engine.get_run(run_id)
        outputs = engine.outputs(run.id)
    finally:
        engine.close()
    return assumptions_from(outputs, run.results, replicates=int(run.spec["replicates"]), name=run.id)


def _takes(planned: Plan, spec: AuditSpec) -> Estimate:
    return estimate(planned, max_tokens=spec.generation.max_tokens, system=spec.generation.system)


def usd_at_most(takes: Estimate, price: Price) -> float | None:
    """Cost of an estimate if every answer is as long as it may be; None if there is no limit and tokens are billed."""
    if price.is_free:
        return 0.0
    if takes.output_tokens_at_most is None:
        return None
    return (takes.input_tokens * price.input_usd + takes.output_tokens_at_most * price.output_usd) / 1_000_000


def _model(
    model: str | Adapter | None, generation: GenerationConfig | None
) -> tuple[Price | None, GenerationConfig, str | None]:
    if model is None:
        return None, generation or GenerationConfig(), None
    adapter = open_adapter(model) if isinstance(model, str) else model
    try:
        sampling = generation or default_config(adapter)
        return pricing(adapter, sampling).price, sampling, adapter.name
    finally:
        if adapter is not model:
            wait_for(adapter.aclose())


def _affordable(budget_usd: float, once: Estimate, price: Price | None, model: str | None) -> int:
    if not budget_usd > 0:
        raise UsageError(f"a budget must be above 0 USD, not {budget_usd:g}")
    if price is None:
        named = "name a model whose price is known" if model is None else f"no price is known for {model}"
        raise UsageError(f"a budget says nothing without a price: {named}, or say --replicates N instead")
    if price.is_free:
        raise UsageError(f"{model} bills nothing, so a budget bounds nothing; say --replicates N instead")
    each = usd_at_most(once, price)
    if each is None:
        raise UsageError("a budget needs a worst case, and answers without a limit have none: set a token limit")
    if each > budget_usd:
        raise UsageError(
            f"a budget of {budget_usd:g} USD does not cover one replicate of every prompt, which may cost up to "
            f"{each:.2g} USD; give more, ask fewer scenarios, or lower the token limit"
        )
    return int(budget_usd / each + 1e-9)
