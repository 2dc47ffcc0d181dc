"""``evenhand run``: audit a model."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from evenhand.adapters.retry import RetryPolicy
from evenhand.api.auditing import run_audit
from evenhand.api.runs import AuditResult
from evenhand.cli import complete
from evenhand.cli.dry_run import show_plan
from evenhand.cli.endings import leave_if_unfinished
from evenhand.cli.gate import apply_gate, check_gate_options
from evenhand.cli.interrupts import run_interruptibly
from evenhand.cli.offline import is_wanted, stay_offline
from evenhand.cli.options import gate_options, report_options, store_option
from evenhand.cli.progress import ProgressBars
from evenhand.cli.reports import show_scorecard, write_reports
from evenhand.cli.run_order import order
from evenhand.cli.tables import stdout
from evenhand.engine.stopping import Stop
from evenhand.errors import UsageError
from evenhand.instruments.audit.gate import Line


@click.command(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("scenarios", nargs=-1, required=True, metavar="SPEC|SET|FILE...", shell_complete=complete.scenario_sets)
@click.option(
    "--model",
    metavar="PROVIDER/NAME",
    shell_complete=complete.models,
    help="Model to audit, as in local/smollm2-135m.",
)
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="Setting of the provider, as in slots=2.")
@click.option("--base-url", metavar="URL", help="Address of an OpenAI-compatible server.")
@click.option("--replicates", type=click.IntRange(min=1), default=10, show_default=True, help="Answers per prompt.")
@click.option(
    "--metrics",
    metavar="NAME,...",
    shell_complete=complete.several(complete.metrics),
    help="Metrics to compute [default: all].",
)
@click.option("--concurrency", type=click.IntRange(min=1), default=8, show_default=True, help="Requests at once.")
@click.option("--attempts", type=click.IntRange(min=1), default=5, show_default=True, help="Tries per request.")
@click.option(
    "--max-tokens",
    type=click.IntRange(min=1),
    help="Limit of an answer [default: 256; none where the adapter takes no limit].",
)
@click.option("--temperature", type=click.FloatRange(min=0), help="Sampling temperature [default: the model's].")
@click.option("--top-p", type=click.FloatRange(min=0, max=1), help="Nucleus sampling [default: the model's].")
@click.option("--system", metavar="TEXT", help="System prompt.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the run.")
@click.option(
    "--skip-evaluator",
    multiple=True,
    metavar="NAME",
    shell_complete=complete.evaluators,
    help="Leave an evaluator out; what needs it is undefined.",
)
@click.option(
    "--bands",
    default="evenhand-1",
    show_default=True,
    metavar="PROFILE",
    shell_complete=complete.bands,
    help="Band profile.",
)
@click.option(
    "--target",
    type=click.Choice(["these prompts", "prompts like these"]),
    default="these prompts",
    show_default=True,
    help="What intervals speak about.",
)
@click.option(
    "--resume",
    "resume_id",
    metavar="RUN",
    shell_complete=complete.runs,
    help="Go on with this run; ask its failed requests again.",
)
@click.option("--new", "is_new", is_flag=True, help="Start a new run even if an equal one is unfinished.")
@click.option("--budget", "budget_usd", type=float, metavar="USD", help="End the run, partial, before it costs more.")
@click.option("--offline", is_flag=True, help="Refuse every connection but loopback; also $EVENHAND_OFFLINE=1.")
@click.option("--dry-run", is_flag=True, help="Show what would be asked, and stop.")
@gate_options
@report_options
@store_option
def run(
    *,
    attempts: int,
    resume_id: str | None,
    is_new: bool,
    offline: bool,
    dry_run: bool,
    fail_on: Line | None,
    strict: bool,
    reports: Mapping[str, Path],
    store: str | None,
    **_: Any,  # what to ask: `order` reads it, because a spec must know which flags were typed
) -> None:
    """Audit a model: ask every prompt of SET (a name from `evenhand scenarios`, or a YAML file), evaluate the
    answers, compute the metrics, store everything, print the scorecard.

    SPEC is a benchmark spec, a YAML file that says all of this (`evenhand init` writes one). It names model and
    sets, so --model is left out; --replicates, --seed, --concurrency, --budget and the paths of reports change it for
    once.

    The same command goes on with the newest unfinished run that was asked in the same way, from flags or from a SPEC.
    """
    if resume_id and is_new:
        raise UsageError("--resume goes on with a run and --new starts one; give one of them")
    check_gate_options(fail_on, strict=strict)
    if offline or is_wanted():
        stay_offline(click.get_current_context(), store)
    asked = order(click.get_current_context())
    if asked.heading:
        click.echo(asked.heading)
    if dry_run:
        show_plan(asked.audit, concurrency=asked.concurrency)
        return
    notes = Console(stderr=True)

    async def work(stop: Stop) -> AuditResult:
        async with asked.adapter:
            with ProgressBars(notes) as bars:
                resume = resume_id or ("new" if is_new else "auto")
                return await run_audit(
                    asked.audit,
                    concurrency=asked.concurrency,
                    resume=resume,
                    store=store,
                    retry=RetryPolicy(attempts=attempts),
                    listener=bars,
                    stop=stop,
                )

    result = run_interruptibly(work, say=notes.print)
    show_scorecard(result.scorecard, stdout())
    write_reports(result.scorecard, {**asked.reports, **reports}, stdout(), line=fail_on, strict=strict)
    leave_if_unfinished(
        result.run.status, failed="The model or the network failed for every request; see the failures above."
    )
    apply_gate(result, fail_on, strict=strict)
