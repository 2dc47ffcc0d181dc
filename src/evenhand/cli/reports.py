"""Writing scorecards to files and to the terminal."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from rich.console import Console

from evenhand.instruments.audit.gate import Line
from evenhand.reporting import terminal
from evenhand.reporting.registry import Form, write
from evenhand.reporting.scorecard import Scorecard


def show_scorecard(scorecard: Scorecard, console: Console) -> None:
    """Print the table and what it does not say."""
    console.print(terminal.render(scorecard))


def write_reports(
    scorecard: Scorecard,
    reports: Mapping[str, Path],
    console: Console,
    *,
    line: Line | None = None,
    strict: bool = False,
) -> None:
    """Write each form to its path, and say where; JUnit's failures are those of the gate at `line`."""
    for form, path in reports.items():
        write(scorecard, path, form=_junit(line or "fail", strict) if form == "junit" else form)
        console.print(f"Wrote {path}", highlight=False, markup=False, soft_wrap=True)


def _junit(line: Line, strict: bool) -> Form:
    from evenhand.reporting import junit_form  # its XML is wanted in pipelines alone

    return partial(junit_form.render, line=line, strict=strict)
