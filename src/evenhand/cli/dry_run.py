"""``evenhand run --dry-run``: what would be asked, and what it would take."""

import asyncio

import click

from evenhand.adapters.base import model_info
from evenhand.engine import FairBenchEngine
from evenhand.engine.prepare import Audit, Prepared
from evenhand.instruments.audit.plan import estimate


def show_plan(audit: Audit, *, concurrency: int) -> None:
    """Print the plan of `audit`; no run is made and nothing is asked."""
    prepared = asyncio.run(FairBenchEngine().plan(audit))
    for line in _lines(prepared, concurrency):
        click.echo(line)


def _lines(prepared: Prepared, concurrency: int) -> list[str]:
    spec, plan = prepared.spec, prepared.plan
    takes = estimate(plan, max_tokens=spec.generation.max_tokens, system=spec.generation.system)
    scenarios = sum(len(group.scenarios) for group in spec.scenario_sets)
    output = "no limit" if takes.output_tokens_at_most is None else f"at most {takes.output_tokens_at_most:,}"
    seeds = prepared.adapter.capabilities.seeds
    return [
        f"Model       {spec.model}",
        f"Asks        {scenarios} scenarios, {len(plan.prompts)} prompts, {plan.replicates} replicates each",
        f"Calls       {takes.calls:,} ({concurrency} at once; retries come on top)",
        f"Tokens      about {takes.input_tokens:,} in, {output} out",
        f"Cost        {_cost(prepared)}",
        f"Seeds       from {spec.seed}; this adapter's support: {seeds}",
        f"Evaluators  {', '.join(f'{name} {version}' for name, version in spec.evaluators.items())}",
        *([f"Skipped     {', '.join(spec.skipped_evaluators)}"] if spec.skipped_evaluators else []),
        f"Metrics     {', '.join(spec.metrics)}",
        f"Spec        {spec.digest}",
        "Nothing was asked.",
    ]


def _cost(prepared: Prepared) -> str:
    provider = model_info(prepared.adapter).provider
    if provider in {"local", "simulated"}:
        return "none: runs on this machine"
    return "not known: Evenhand has no price for this model"
