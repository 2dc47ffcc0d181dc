"""Writing scorecards to files and to the terminal."""

from pathlib import Path

from rich.console import Console

from evenhand.reporting import terminal
from evenhand.reporting.registry import write
from evenhand.reporting.scorecard import Scorecard


def show_scorecard(scorecard: Scorecard, console: Console) -> None:
    """Print the table and what it does not say."""
    console.print(terminal.render(scorecard))


def write_reports(scorecard: Scorecard, paths: list[Path | None], console: Console) -> None:
    """Write the scorecard to each path that is given, and say where."""
    for path in paths:
        if path is not None:
            write(scorecard, path)
            console.print(f"Wrote {path}", highlight=False, markup=False, soft_wrap=True)
