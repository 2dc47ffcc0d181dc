"""``evenhand scorecard``: what a stored run says, printed, written to files, held against a line."""

from collections.abc import Mapping
from pathlib import Path

import click

from evenhand.api.runs import load_run
from evenhand.cli.gate import apply_gate, check_gate_options
from evenhand.cli.options import gate_options, report_options, run_argument, store_option
from evenhand.cli.reports import show_scorecard, write_reports
from evenhand.cli.tables import stdout
from evenhand.instruments.audit.gate import Line


@click.command()
@run_argument
@gate_options
@report_options
@store_option
def scorecard(
    *, run_id: str, fail_on: Line | None, strict: bool, reports: Mapping[str, Path], store: str | None
) -> None:
    """Print the scorecard of RUN, and write it to files.

    RUN is an id, the beginning of one, or "latest" (the default). Nothing is asked and nothing is computed: these are
    the results as they are stored. `evenhand score` computes them again; `evenhand show` tells what was asked and
    answered.
    """
    check_gate_options(fail_on, strict=strict)
    result = load_run(run_id, store=store)
    show_scorecard(result.scorecard, stdout())
    write_reports(result.scorecard, reports, stdout(), line=fail_on, strict=strict)
    apply_gate(result, fail_on, strict=strict)
