"""Options that several commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def store_option(command: F) -> F:
    """Add ``--db`` and ``--verbose``."""
    command = click.option("--verbose", is_flag=True, expose_value=False, help="Show tracebacks of errors.")(command)
    return click.option(
        "--db",
        "store",
        metavar="PATH|URL",
        envvar="EVENHAND_DB",
        help="Database of runs [default: ~/.evenhand/evenhand.db].",
    )(command)


def report_options(command: F) -> F:
    """Add one option per report form; each takes the path to write to."""
    for form, text in (("html", "HTML, one self-contained file"), ("md", "Markdown"), ("json", "JSON")):
        command = click.option(
            f"--{form}",
            f"{form}_path",
            type=click.Path(path_type=Path, dir_okay=False),
            metavar="PATH",
            help=f"Write the scorecard as {text}.",
        )(command)
    return command
