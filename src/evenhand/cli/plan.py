"""``evenhand plan``: before money is spent, how many replicates it takes, and what so many can show."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from evenhand.api.auditing import wait_for
from evenhand.api.planning import AuditPlan, assumptions_like, plan_audit
from evenhand.cli import complete
from evenhand.cli.options import store_option
from evenhand.cli.plan_order import order
from evenhand.cli.tables import stdout, table
from evenhand.cli.takes import cost, tokens
from evenhand.errors import UsageError
from evenhand.instruments.audit.power import Assumptions, Planned, PowerPlan

_ASSUMED = ("signal_share", "refusal_rate", "length_variation")


@click.command(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("scenarios", nargs=-1, required=True, metavar="SPEC|SET|FILE...", shell_complete=complete.scenario_sets)
@click.option(
    "--model",
    metavar="PROVIDER/NAME",
    shell_complete=complete.models,
    help="Model whose price counts; nothing is sent to it.",
)
@click.option("--replicates", type=click.IntRange(min=1), help="Answers per prompt that you can afford.")
@click.option("--budget", "budget_usd", type=float, metavar="USD", help="What you can afford; needs a price.")
@click.option(
    "--difference",
    "differences",
    multiple=True,
    metavar="METRIC=VALUE",
    help="Smallest true value that matters [default: halfway between the pass cut and the next].",
)
@click.option("--power", type=float, default=0.8, show_default=True, help="Chance of finding a difference.")
@click.option(
    "--metrics",
    metavar="NAME,...",
    shell_complete=complete.several(complete.metrics),
    help="Metrics to plan [default: all].",
)
@click.option("--bands", metavar="PROFILE", shell_complete=complete.bands, help="Band profile [default: evenhand-1].")
@click.option("--max-tokens", type=click.IntRange(min=1), help="Limit of an answer [default: as `evenhand run`].")
@click.option("--signal-share", type=float, help="Share of answers with a demographic signal [default: 0.7].")
@click.option("--refusal-rate", type=float, help="Share that is refused without any disadvantage [default: 0.1].")
@click.option(
    "--length-variation", type=float, help="Spread of answers' lengths over their mean, per prompt [default: 0.5]."
)
@click.option(
    "--like",
    metavar="RUN",
    shell_complete=complete.runs,
    help="Take these shares and spreads from an earlier run; CDS needs one.",
)
@click.option("--json", "json_path", type=click.Path(path_type=Path, dir_okay=False), metavar="PATH", help="Write it.")
@store_option
def plan(
    *,
    replicates: int | None,
    budget_usd: float | None,
    differences: tuple[str, ...],
    power: float,
    like: str | None,
    json_path: Path | None,
    store: str | None,
    **given: Any,  # what to ask is read by `order`, what to assume by `_assumed`
) -> None:
    """Say how many replicates of every prompt find the differences that matter, and what they take.

    SET is a name from `evenhand scenarios`, or a YAML file; SPEC is a benchmark spec, which says the rest itself. With
    --replicates or --budget it is the reverse: the smallest differences that so many can find. Nothing is asked.
    """
    assumed, wanted = _assumed(given, like, store), _differences(differences)
    asked = order(given)
    try:
        found = plan_audit(
            asked.scenarios,
            model=asked.adapter,
            metrics=asked.metrics,
            baseline=asked.baseline,
            generation_config=asked.generation,
            bands=asked.bands,
            power=power,
            differences=wanted,
            assumed=assumed,
            replicates=replicates,
            budget_usd=budget_usd,
        )
    finally:
        if asked.adapter is not None:
            wait_for(asked.adapter.aclose())
    _show(found)
    if json_path is not None:
        _write(found, json_path)


def _assumed(given: Mapping[str, Any], like: str | None, store: str | None) -> Assumptions:
    stated = {name: given[name] for name in _ASSUMED if given[name] is not None}
    if like is None:
        return Assumptions(**stated)
    if stated:
        flags = ", ".join(f"--{name.replace('_', '-')}" for name in stated)
        raise UsageError(f"--like takes these values from a run, and {flags} states them; give one or the other")
    return assumptions_like(like, store=store)


def _differences(given: tuple[str, ...]) -> dict[str, float]:
    found: dict[str, float] = {}
    for text in given:
        metric, _, value = text.partition("=")
        try:
            found[metric.strip()] = float(value)
        except ValueError:
            raise UsageError(f"--difference takes METRIC=VALUE, as in RSI=0.2, not {text!r}") from None
    return found


def _show(found: AuditPlan) -> None:
    for line in _head(found):
        click.echo(line)
    if found.power.planned:
        click.echo()
        stdout().print(_table(found.power))
        click.echo()
    for line in _tail(found):
        click.echo(line)


def _head(found: AuditPlan) -> Iterator[str]:
    power = found.power
    for name, scenarios in found.scenario_sets.items():
        yield f"Set         {name}: {scenarios} scenarios"
    yield f"Bands       {power.profile}"
    yield f"Found       when the one-sided 95% limit lies beyond the pass cut{_and_tested(power)}"
    yield f"Assumed     {'; '.join(power.assumed.sentences())} ({power.assumed.source})"


def _and_tested(power: PowerPlan) -> str:
    if not power.tests:
        return "; no metric here has a test"
    return f" and p < {power.alpha:.3g} (.05 over {power.tests} tested metrics: the worst that Holm can ask)"


def _table(power: PowerPlan) -> Any:  # Any: rich's table, which is loaded with the first one
    found = f"found with {power.replicates}"
    columns = ("metric", "attribute", "pass cut", "to be found", "for example", "replicates", found, "for example")
    return table(columns, [_row(row) for row in power.planned])


def _row(row: Planned) -> tuple[str, ...]:
    return (
        row.metric,
        row.attribute or "all",
        f"{row.cut:g}",
        f"{row.difference:.3g}",
        row.meaning,
        "over 10,000" if row.replicates is None else f"{row.replicates:,}",
        "nothing" if row.detectable is None else f"{row.detectable:.3g}",
        row.detectable_meaning,
    )


def _tail(found: AuditPlan) -> Iterator[str]:
    power = found.power
    for note in dict.fromkeys(note for row in power.planned for note in row.notes):
        yield f"Note        {note}"
    for item in power.unplanned:
        name = f"{item.metric} ({item.attribute})" if item.attribute else item.metric
        yield f"Not planned {name}: {item.reason}."
    for cut in power.unreachable:
        yield f"Unreachable {cut.text}."
    yield f"Replicates  {_replicates(found)}"
    yield f"Power       {power.line()}"
    yield f"Calls       {found.takes.calls:,} for {found.prompts} prompts (retries come on top)"
    yield f"Tokens      {tokens(found.takes)}"
    unnamed = "not known: name a model with --model"
    yield f"Cost        {unnamed if found.model is None else cost(found.takes, found.price)}"
    yield "Nothing was asked."


def _replicates(found: AuditPlan) -> str:
    power = found.power
    if power.needed is None:
        short = [row.metric for row in power.planned if row.replicates is None]
        why = f"{', '.join(dict.fromkeys(short))} would take more than 10,000" if short else "nothing can be planned"
        needed = f"no number finds all of the above ({why})"
    else:
        needed = f"{power.needed:,} of every prompt find all of the above with {power.power:.0%} power"
    if found.budget_usd is not None:
        return f"{needed}; about {power.replicates:,} fit into {found.budget_usd:,.4g} USD"
    return needed if power.is_given or power.needed is not None else f"{needed}; what follows is for {power.replicates}"


def _write(found: AuditPlan, path: Path) -> None:
    text = json.dumps(found.as_json(), ensure_ascii=False, indent=2)
    try:
        path.write_text(text + "\n", encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error
    click.echo(f"Written to {path}")
