"""``evenhand violations run``: put attack vectors to a model, and print the violation rate."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from evenhand.adapters.base import ModelAdapter, default_config
from evenhand.adapters.registry import open_adapter
from evenhand.adapters.retry import RetryPolicy
from evenhand.api.red_team import RedTeamResult, hold
from evenhand.cli import complete
from evenhand.cli.endings import leave_if_unfinished
from evenhand.cli.interrupts import run_interruptibly
from evenhand.cli.offline import is_wanted, stay_offline
from evenhand.cli.options import store_option
from evenhand.cli.progress import ProgressBars
from evenhand.cli.run_order import settings
from evenhand.cli.violations_conversations import lines
from evenhand.cli.violations_results import Wanted, result_options, show_result
from evenhand.engine.red_team_prepare import RedTeam, prepare_red_team
from evenhand.engine.stopping import Stop
from evenhand.errors import UsageError


@click.command(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("vectors", metavar="SET|FILE")
@click.option(
    "--model",
    required=True,
    metavar="PROVIDER/NAME",
    shell_complete=complete.models,
    help="Model to talk to, as in local/smollm2-135m.",
)
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="Setting of the provider, as in slots=2.")
@click.option("--base-url", metavar="URL", help="Address of an OpenAI-compatible server.")
@click.option("--vector", "only", multiple=True, metavar="ID", help="Run this vector of the set; may be given again.")
@click.option(
    "--replicates", type=click.IntRange(min=1), default=25, show_default=True, help="Conversations, or pairs, a vector."
)
@click.option(
    "--control", "is_control", is_flag=True, help="Say the same on both sides of each pair: what chance does."
)
@click.option("--concurrency", type=click.IntRange(min=1), default=8, show_default=True, help="Conversations at once.")
@click.option("--attempts", type=click.IntRange(min=1), default=5, show_default=True, help="Tries per turn.")
@click.option(
    "--max-tokens",
    type=click.IntRange(min=1),
    help="Limit of a reply [default: 256; none where the adapter takes no limit].",
)
@click.option("--temperature", type=click.FloatRange(min=0), help="Sampling temperature [default: the model's].")
@click.option("--top-p", type=click.FloatRange(min=0, max=1), help="Nucleus sampling [default: the model's].")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the run.")
@click.option(
    "--resume",
    "resume_id",
    metavar="RUN",
    shell_complete=complete.runs,
    help="Go on with this run; ask its failed turns again.",
)
@click.option("--new", "is_new", is_flag=True, help="Start a new run even if an equal one is unfinished.")
@click.option("--budget", "budget_usd", type=float, metavar="USD", help="End the run, partial, before it costs more.")
@click.option("--offline", is_flag=True, help="Refuse every connection but loopback; also $EVENHAND_OFFLINE=1.")
@click.option("--dry-run", is_flag=True, help="Show what would be asked, and stop.")
@result_options
@store_option
def run(
    *,
    wanted: Wanted,
    concurrency: int,
    attempts: int,
    resume_id: str | None,
    is_new: bool,
    offline: bool,
    dry_run: bool,
    store: str | None,
    **given: Any,  # what to ask; `_order` reads it
) -> None:
    """Put the attack vectors of SET (a name from `evenhand violations vectors`, or a YAML file) to a model, decide on
    every turn, and print the violation rate.

    Every turn is stored as it happens. The same command goes on with the newest unfinished run that was asked in the
    same way; no stored turn is asked again.
    """
    if resume_id and is_new:
        raise UsageError("--resume goes on with a run and --new starts one; give one of them")
    if offline or is_wanted():
        stay_offline(click.get_current_context(), store)
    adapter, asked = _order(given)
    if dry_run:
        _show_plan(asked, adapter)
        return
    notes = Console(stderr=True)

    async def work(stop: Stop) -> RedTeamResult:
        async with adapter:
            with ProgressBars(notes) as bars:
                return await hold(
                    asked,
                    adapter,
                    concurrency=concurrency,
                    resume=resume_id or ("new" if is_new else "auto"),
                    store=store,
                    retry=RetryPolicy(attempts=attempts),
                    listener=bars,
                    stop=stop,
                )

    result = run_interruptibly(work, say=notes.print)
    show_result(result, wanted)
    leave_if_unfinished(
        result.run.status, failed="The model or the network failed for every turn; see the failures above."
    )


def _order(given: Mapping[str, Any]) -> tuple[ModelAdapter, RedTeam]:
    adapter = open_adapter(given["model"], settings(given["options"], given["base_url"]))
    sampling = {name: given[name] for name in ("max_tokens", "temperature", "top_p") if given[name] is not None}
    base = default_config(adapter)
    asked = RedTeam(
        vectors=Path(given["vectors"]) if Path(given["vectors"]).is_file() else given["vectors"],
        only=given["only"],
        replicates=given["replicates"],
        seed=given["seed"],
        generation_config=type(base)(**{"max_tokens": base.max_tokens, **sampling}),
        is_control=given["is_control"],
        budget_usd=given["budget_usd"],
    )
    return adapter, asked


def _show_plan(asked: RedTeam, adapter: ModelAdapter) -> None:
    async def close() -> None:
        await adapter.aclose()

    prepared = prepare_red_team(asked, adapter)
    for line in lines(prepared):
        click.echo(line)
    asyncio.run(close())
