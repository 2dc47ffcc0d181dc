"""``evenhand compare``: what moved beyond noise between runs of one plan."""

import sys
from pathlib import Path

import click

from evenhand.api.comparing import DRAWS
from evenhand.api.comparing import compare as compare_runs
from evenhand.cli import complete
from evenhand.cli.errors import GATE_FAILED
from evenhand.cli.options import store_option
from evenhand.cli.tables import stdout
from evenhand.engine.clock import timestamp, utc_now
from evenhand.reporting.comparison.document import document
from evenhand.reporting.document import terminal
from evenhand.reporting.document.registry import write_document


@click.command()
@click.argument("runs", metavar="RUN RUN [RUN ...]", nargs=-1, required=True, shell_complete=complete.runs)
@click.option("--common", is_flag=True, help="Compare runs with different plans in what they have in common.")
@click.option("--fail-on-regression", is_flag=True, help="Exit 1 if a metric of the last run moved for the worse.")
@click.option(
    "--draws", default=DRAWS, show_default=True, metavar="N", help="Most permutations of a metric's test; at least 99."
)
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), metavar="PATH", help="Write it as HTML.")
@click.option("--md", type=click.Path(path_type=Path, dir_okay=False), metavar="PATH", help="Write it as Markdown.")
@click.option("--json", type=click.Path(path_type=Path, dir_okay=False), metavar="PATH", help="Write it as JSON.")
@store_option
def compare(
    *,
    runs: tuple[str, ...],
    common: bool,
    fail_on_regression: bool,
    draws: int,
    html: Path | None,
    md: Path | None,
    json: Path | None,
    store: str | None,
) -> None:
    """Say which metrics moved beyond noise between runs of one plan.

    Each RUN is an id, the beginning of one, or "latest". Of two, the first is the old one; more are put in the order
    of time, each is compared with the one before it and the last with the first, and every metric is shown as a trend.

    Model and seed may differ; the prompts, metrics, replicates and sampling may not, unless --common says so. Nothing
    is asked and nothing is stored.
    """
    found = compare_runs(runs, store=store, common=common, draws=draws)
    console, report = stdout(), document(found, written=timestamp(utc_now()))
    console.print(terminal.render(report))
    for form, path in {"html": html, "md": md, "json": json}.items():
        if path is not None:
            write_document(report, path, form)
            console.print(f"Wrote {path}", highlight=False, markup=False, soft_wrap=True)
    if fail_on_regression:
        _hold([change.name for change in found.regressions])


def _hold(worse: list[str]) -> None:
    """Say how the last run stands against the one before it, and leave with exit code 1 if it is worse."""
    if not worse:
        click.echo("No metric moved for the worse beyond noise.", err=True)
        return
    click.echo(f"Moved for the worse beyond noise: {', '.join(worse)}.", err=True)
    sys.exit(GATE_FAILED)
