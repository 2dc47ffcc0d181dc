"""``evenhand score``: metrics again, from the store alone."""

from pathlib import Path

import click

from evenhand.api.runs import load_from
from evenhand.cli.options import report_options, store_option
from evenhand.cli.reports import show_scorecard, write_reports
from evenhand.cli.tables import stdout
from evenhand.engine import FairBenchEngine


@click.command()
@click.argument("run_id", metavar="RUN")
@report_options
@store_option
def score(
    *, run_id: str, html_path: Path | None, md_path: Path | None, json_path: Path | None, store: str | None
) -> None:
    """Compute the metrics of RUN again from what is stored. No model is called.

    RUN is an id, the beginning of one, or "latest". The new results are stored beside the old ones.
    """
    engine = FairBenchEngine(store)
    try:
        run = engine.score(run_id)
        result = load_from(engine, run.id)
    finally:
        engine.close()
    show_scorecard(result.scorecard, stdout())
    write_reports(result.scorecard, [html_path, md_path, json_path], stdout())
