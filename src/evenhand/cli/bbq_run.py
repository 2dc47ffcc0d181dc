"""``evenhand bbq run``: put the questions to a model, several times, and score its answers."""

import asyncio
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from evenhand.adapters.base import ModelAdapter, default_config
from evenhand.adapters.registry import open_adapter
from evenhand.adapters.retry import RetryPolicy
from evenhand.api.asking_questions import QuestionsResult, put
from evenhand.cli import complete
from evenhand.cli.bbq_results import figure_options, show
from evenhand.cli.endings import leave_if_unfinished
from evenhand.cli.interrupts import run_interruptibly
from evenhand.cli.offline import is_wanted, stay_offline
from evenhand.cli.options import store_option
from evenhand.cli.progress import ProgressBars
from evenhand.cli.run_order import settings
from evenhand.cli.takes import cost, tokens
from evenhand.engine.questions import PreparedQuestions, Questions, prepare_questions
from evenhand.engine.stopping import Stop
from evenhand.errors import UsageError
from evenhand.instruments.audit.plan import Estimate
from evenhand.instruments.intersectional.variants import Variant
from evenhand.scenarios.questions.registry import read_set

_CHARACTERS_A_TOKEN = 4


@click.command(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--data", multiple=True, default=("mini",), show_default=True, metavar="FILE|mini", help="Items to ask.")
@click.option(
    "--model",
    required=True,
    metavar="PROVIDER/NAME",
    shell_complete=complete.models,
    help="Model to ask, as in local/smollm2-135m.",
)
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="Setting of the provider, as in slots=2.")
@click.option("--base-url", metavar="URL", help="Address of an OpenAI-compatible server.")
@click.option("--runs", type=click.IntRange(min=1), default=20, show_default=True, help="Times each item is asked.")
@click.option(
    "--answer",
    type=click.Choice(["generate", "loglikelihood"]),
    default="generate",
    show_default=True,
    help="Read the model's text, or take the likeliest option.",
)
@click.option(
    "--style",
    type=click.Choice(["zero-shot", "think"]),
    default="zero-shot",
    show_default=True,
    help="Answer at once, or think first.",
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Items at most, balanced [default: all].")
@click.option("--concurrency", type=click.IntRange(min=1), default=8, show_default=True, help="Requests at once.")
@click.option("--attempts", type=click.IntRange(min=1), default=5, show_default=True, help="Tries per question.")
@click.option("--max-tokens", type=click.IntRange(min=1), help="Limit of an answer [default: 32; 512 with think].")
@click.option("--temperature", type=click.FloatRange(min=0), help="Sampling temperature [default: the model's].")
@click.option("--top-p", type=click.FloatRange(min=0, max=1), help="Nucleus sampling [default: the model's].")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of orders and choice.")
@click.option(
    "--resume",
    "resume_id",
    metavar="RUN",
    shell_complete=complete.runs,
    help="Go on with this run; ask failures again.",
)
@click.option("--new", "is_new", is_flag=True, help="Start a new run even if an equal one is unfinished.")
@click.option("--budget", "budget_usd", type=float, metavar="USD", help="End the run, partial, before it costs more.")
@click.option("--offline", is_flag=True, help="Refuse every connection but loopback; also $EVENHAND_OFFLINE=1.")
@click.option("--dry-run", is_flag=True, help="Show what would be asked and what it takes, and stop.")
@figure_options
@store_option
def run(
    *,
    variant: Variant,
    level: float,
    reports: Mapping[str, Path],
    concurrency: int,
    attempts: int,
    resume_id: str | None,
    is_new: bool,
    offline: bool,
    dry_run: bool,
    store: str | None,
    **given: Any,  # what to ask; `_order` reads it
) -> None:
    """Put every item to a model in several orders of its options, store every answer, and print what the answers say.

    The same command goes on with the newest unfinished run that was asked in the same way; no stored question is asked
    again.
    """
    if resume_id and is_new:
        raise UsageError("--resume goes on with a run and --new starts one; give one of them")
    if offline or is_wanted():
        stay_offline(click.get_current_context(), store)
    adapter, asked = _order(given)
    if dry_run:
        _show_plan(prepare_questions(asked, adapter), adapter)
        return
    notes = Console(stderr=True)

    async def work(stop: Stop) -> QuestionsResult:
        async with adapter:
            with ProgressBars(notes) as bars:
                return await put(
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
    found = result.score(variant=variant, level=level)
    show(result.document(found, written=datetime.now(UTC).isoformat(timespec="seconds")), reports)
    leave_if_unfinished(result.run.status, failed="The model or the network failed for every question.")


def _order(given: Mapping[str, Any]) -> tuple[ModelAdapter, Questions]:
    adapter = open_adapter(given["model"], settings(given["options"], given["base_url"]))
    base = default_config(adapter)
    sampling = {name: given[name] for name in ("max_tokens", "temperature", "top_p") if given[name] is not None}
    if base.max_tokens is not None:  # an adapter that takes a limit
        sampling.setdefault("max_tokens", 512 if given["style"] == "think" else 32)
    asked = Questions(
        items=read_set(*given["data"]),
        name=", ".join(Path(source).name for source in given["data"]),
        runs=given["runs"],
        answer=given["answer"],
        style=given["style"],
        limit=given["limit"],
        seed=given["seed"],
        generation_config=type(base)(**{"max_tokens": None, **sampling}),
        budget_usd=given["budget_usd"],
    )
    return adapter, asked


def _show_plan(prepared: PreparedQuestions, adapter: ModelAdapter) -> None:
    for line in _lines(prepared):
        click.echo(line)

    async def close() -> None:
        await adapter.aclose()

    asyncio.run(close())


def _lines(prepared: PreparedQuestions) -> Iterator[str]:
    spec = prepared.spec
    calls, limit = len(prepared.puts), spec.generation.max_tokens
    takes = Estimate(
        calls=calls,
        input_tokens=sum(len(put.request.prompt) for put in prepared.puts) // _CHARACTERS_A_TOKEN,
        output_tokens_at_most=None if limit is None else calls * limit,
    )
    yield f"Model       {spec.model}"
    yield f"Items       {spec.items:,}, {spec.runs} runs, by {spec.answer}, {spec.style}"
    yield f"Calls       {calls:,} (retries come on top)"
    yield f"Tokens      {tokens(takes)}"
    yield f"Cost        {cost(takes, prepared.pricing.price)}"
    yield f"Spec        {spec.digest}"
    yield ""
    yield from prepared.puts[0].request.prompt.splitlines()
    yield ""
    yield "Nothing was asked."
