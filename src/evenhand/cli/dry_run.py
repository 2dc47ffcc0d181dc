"""``evenhand run --dry-run``: what would be asked, and what it would take."""

import asyncio
from collections.abc import Iterator

import click

from evenhand.adapters.prices import Price
from evenhand.api.planning import usd_at_most
from evenhand.cli.takes import cost, short_cost, tokens
from evenhand.engine import FairBenchEngine
from evenhand.engine.prepare import Audit, Prepared
from evenhand.instruments.audit.plan import Estimate, estimate, estimate_by_set
from evenhand.instruments.audit.power import with_replicates


def show_plan(audit: Audit, *, concurrency: int) -> None:
    """Print the plan of `audit`; no run is made and nothing is asked."""
    prepared = asyncio.run(FairBenchEngine().plan(audit))
    for line in _lines(prepared, concurrency):
        click.echo(line)


def _lines(prepared: Prepared, concurrency: int) -> Iterator[str]:
    spec, plan, price = prepared.spec, prepared.plan, prepared.pricing.price
    takes = estimate(plan, max_tokens=spec.generation.max_tokens, system=spec.generation.system)
    scenarios = sum(len(group.scenarios) for group in spec.scenario_sets)
    yield f"Model       {spec.model}"
    yield f"Asks        {scenarios} scenarios, {len(plan.prompts)} prompts, {plan.replicates} replicates each"
    yield f"Calls       {takes.calls:,} ({concurrency} at once; retries come on top)"
    yield f"Tokens      {tokens(takes)}"
    yield f"Cost        {cost(takes, price)}"
    if prepared.budget_usd is not None:
        yield f"Budget      {_budget(prepared.budget_usd, takes, price)}"
    by_set = estimate_by_set(plan, spec)
    for name, part in by_set.items() if len(by_set) > 1 else ():
        yield f"Set         {name}: {part.calls:,} calls, {tokens(part)} tokens, cost {short_cost(part, price)}"
    yield f"Power       {with_replicates(spec).line()}"
    yield f"Seeds       from {spec.seed}; this adapter's support: {prepared.adapter.capabilities.seeds}"
    yield f"Evaluators  {', '.join(f'{name} {version}' for name, version in spec.evaluators.items())}"
    if spec.skipped_evaluators:
        yield f"Skipped     {', '.join(spec.skipped_evaluators)}"
    yield f"Metrics     {', '.join(spec.metrics)}"
    yield f"Spec        {spec.digest}"
    yield "Nothing was asked."


def _budget(budget_usd: float, takes: Estimate, price: Price | None) -> str:
    most = None if price is None else usd_at_most(takes, price)
    if most is not None and most <= budget_usd:
        return f"{budget_usd:,.4f} USD: should be enough"
    return f"{budget_usd:,.4f} USD: may not be enough; the run would then stop early, and a larger one goes on with it"
