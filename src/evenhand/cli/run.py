"""``evenhand run``: audit a model."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console

from evenhand.adapters.registry import open_adapter
from evenhand.adapters.retry import RetryPolicy
from evenhand.api.auditing import run_audit
from evenhand.api.runs import AuditResult
from evenhand.cli.dry_run import show_plan
from evenhand.cli.errors import GATE_FAILED, MODEL_FAILED
from evenhand.cli.options import report_options, store_option
from evenhand.cli.progress import ProgressBars
from evenhand.cli.reports import show_scorecard, write_reports
from evenhand.cli.tables import stdout
from evenhand.core.spec import AuditSpec
from evenhand.core.types import GenerationConfig
from evenhand.engine.prepare import Audit
from evenhand.errors import UsageError
from evenhand.instruments.audit.gate import GateResult, Line, gate
from evenhand.metrics.bands import load_profile


@click.command(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("scenarios", nargs=-1, required=True, metavar="SET|FILE...")
@click.option("--model", required=True, metavar="PROVIDER/NAME", help="Model to audit, as in local/smollm2-135m.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="Setting of the provider, as in slots=2.")
@click.option("--base-url", metavar="URL", help="Address of an OpenAI-compatible server.")
@click.option("--replicates", type=click.IntRange(min=1), default=10, show_default=True, help="Answers per prompt.")
@click.option("--metrics", metavar="NAME,...", help="Metrics to compute [default: all].")
@click.option("--concurrency", type=click.IntRange(min=1), default=8, show_default=True, help="Requests at once.")
@click.option("--attempts", type=click.IntRange(min=1), default=5, show_default=True, help="Tries per request.")
@click.option("--max-tokens", type=click.IntRange(min=1), default=256, show_default=True, help="Limit of an answer.")
@click.option("--temperature", type=click.FloatRange(min=0), help="Sampling temperature [default: the model's].")
@click.option("--top-p", type=click.FloatRange(min=0, max=1), help="Nucleus sampling [default: the model's].")
@click.option("--system", metavar="TEXT", help="System prompt.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the run.")
@click.option(
    "--skip-evaluator", multiple=True, metavar="NAME", help="Leave an evaluator out; what needs it is undefined."
)
@click.option("--bands", default="evenhand-1", show_default=True, metavar="PROFILE", help="Band profile.")
@click.option("--resume", "resume_id", metavar="RUN", help="Go on with this run; ask its failed requests again.")
@click.option("--new", "is_new", is_flag=True, help="Start a new run even if an equal one is unfinished.")
@click.option("--dry-run", is_flag=True, help="Show what would be asked, and stop.")
@click.option("--fail-on", type=click.Choice(["watch", "flag", "fail"]), help="Exit 1 if a band reaches this line.")
@click.option("--strict", is_flag=True, help="With --fail-on: also exit 1 if anything could not be judged.")
@report_options
@store_option
def run(
    *,
    scenarios: Sequence[str],
    model: str,
    options: Sequence[str],
    base_url: str | None,
    replicates: int,
    metrics: str | None,
    concurrency: int,
    attempts: int,
    max_tokens: int,
    temperature: float | None,
    top_p: float | None,
    system: str | None,
    seed: int,
    skip_evaluator: Sequence[str],
    bands: str,
    resume_id: str | None,
    is_new: bool,
    dry_run: bool,
    fail_on: Line | None,
    strict: bool,
    html_path: Path | None,
    md_path: Path | None,
    json_path: Path | None,
    store: str | None,
) -> None:
    """Audit a model: ask every prompt of SET (a name from `evenhand scenarios`, or a YAML file), evaluate the
    answers, compute the metrics, store everything, print the scorecard.

    The same command goes on with the newest unfinished run that was asked in the same way.
    """
    if resume_id and is_new:
        raise UsageError("--resume goes on with a run and --new starts one; give one of them")
    if strict and not fail_on:
        raise UsageError("--strict sharpens --fail-on; give the line too, as in --fail-on flag --strict")
    adapter = open_adapter(model, _settings(options, base_url))
    audit = Audit(
        model=adapter,
        scenarios=list(scenarios),
        metrics=_names(metrics),
        generation_config=GenerationConfig(max_tokens=max_tokens, temperature=temperature, top_p=top_p, system=system),
        replicates=replicates,
        seed=seed,
        skip_evaluators=skip_evaluator,
        bands=bands,
    )
    if dry_run:
        show_plan(audit, concurrency=concurrency)
        return
    notes = Console(stderr=True)

    async def work() -> AuditResult:
        async with adapter:
            with ProgressBars(notes) as bars:
                resume = resume_id or ("new" if is_new else "auto")
                return await run_audit(
                    audit,
                    concurrency=concurrency,
                    resume=resume,
                    store=store,
                    retry=RetryPolicy(attempts=attempts),
                    listener=bars,
                )

    result = asyncio.run(work())
    show_scorecard(result.scorecard, stdout())
    write_reports(result.scorecard, [html_path, md_path, json_path], stdout())
    if result.run.status == "failed":
        click.echo("The model or the network failed for every request; see the failures above.", err=True)
        sys.exit(MODEL_FAILED)
    if fail_on:
        _apply_gate(result, fail_on, strict=strict)


def _apply_gate(result: AuditResult, line: Line, *, strict: bool) -> None:
    profile = load_profile(AuditSpec.from_json(result.run.spec).bands)
    outcome = gate(result.run.results, profile, line, strict=strict)
    for sentence in _gate_sentences(outcome):
        click.echo(sentence, err=True)
    if not outcome.held:
        sys.exit(GATE_FAILED)


def _gate_sentences(outcome: GateResult) -> list[str]:
    reached = [f"{metric} is in the point band {band!r}" for metric, band in outcome.beyond.items()]
    unjudged = [f"{metric} could not be judged: {reason}" for metric, reason in outcome.unjudged.items()]
    verdict = "held" if outcome.held else "failed"
    return [
        f"Gate at {outcome.line!r} {verdict} (point bands; their uncertainty is not computed).",
        *reached,
        *unjudged,
    ]


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def _settings(options: Sequence[str], base_url: str | None) -> dict[str, str]:
    settings = {} if base_url is None else {"base_url": base_url}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals or not key:
            raise UsageError(f"--option takes KEY=VALUE, not {option!r}")
        settings[key] = value
    return settings
