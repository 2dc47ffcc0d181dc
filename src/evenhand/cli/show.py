"""``evenhand show``: a stored run, its scorecard or every answer."""

from pathlib import Path

import click

from evenhand.api.answers import answer_rows
from evenhand.api.runs import load_run
from evenhand.cli.options import report_options, store_option
from evenhand.cli.reports import show_scorecard, write_reports
from evenhand.cli.tables import stdout
from evenhand.errors import UsageError


@click.command()
@click.argument("run_id", metavar="RUN", default="latest")
@click.option("--answers", is_flag=True, help="Print every answer with its evaluations, one JSON object a line.")
@click.option("--scenario", metavar="ID", help="With --answers: of this scenario alone.")
@report_options
@store_option
def show(
    *,
    run_id: str,
    answers: bool,
    scenario: str | None,
    html_path: Path | None,
    md_path: Path | None,
    json_path: Path | None,
    store: str | None,
) -> None:
    """Show RUN: an id, the beginning of one, or "latest"."""
    if scenario and not answers:
        raise UsageError("--scenario chooses among answers; give --answers too")
    result = load_run(run_id, store=store)
    if answers:
        for row in answer_rows(result.outputs, scenario=scenario):
            click.echo(row)
        return
    show_scorecard(result.scorecard, stdout())
    write_reports(result.scorecard, [html_path, md_path, json_path], stdout())
