"""How a command that asked a model leaves when the run is not complete."""

import sys

import click

from evenhand.cli.errors import MODEL_FAILED, PARTIAL
from evenhand.core.types import RunStatus


def leave_if_unfinished(status: RunStatus, *, failed: str) -> None:
    """Say why on stderr, and leave with the exit code of it.

    Parameters
    ----------
    failed
        What to say where nothing was answered.
    """
    if status == "failed":
        click.echo(failed, err=True)
        sys.exit(MODEL_FAILED)
    if status == "partial":
        click.echo(
            "The run is partial: its budget is spent. The same command with a larger --budget goes on.", err=True
        )
        sys.exit(PARTIAL)
