"""``evenhand score``: metrics again, from the store alone."""

from collections.abc import Mapping
from pathlib import Path

import click

from evenhand.api.runs import load_from
from evenhand.cli.gate import apply_gate, check_gate_options
from evenhand.cli.options import gate_options, report_options, run_argument, store_option
from evenhand.cli.reports import show_scorecard, write_reports
from evenhand.cli.tables import stdout
from evenhand.engine import FairBenchEngine
from evenhand.instruments.audit.gate import Line


@click.command()
@run_argument
@gate_options
@report_options
@store_option
def score(*, run_id: str, fail_on: Line | None, strict: bool, reports: Mapping[str, Path], store: str | None) -> None:
    """Compute the metrics of RUN again from what is stored. No model is called.

    RUN is an id, the beginning of one, or "latest" (the default). The new results are stored beside the old ones.
    """
    check_gate_options(fail_on, strict=strict)
    engine = FairBenchEngine(store)
    try:
        run = engine.score(run_id)
        result = load_from(engine, run.id)
    finally:
        engine.close()
    show_scorecard(result.scorecard, stdout())
    write_reports(result.scorecard, reports, stdout(), line=fail_on, strict=strict)
    apply_gate(result, fail_on, strict=strict)
