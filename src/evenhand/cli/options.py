"""Options that several commands share."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from evenhand.cli import complete

F = TypeVar("F", bound=Callable[..., Any])

_FORMS = {
    "html": "HTML, one self-contained file",
    "md": "Markdown",
    "json": "JSON",
    "junit": "JUnit XML, a test case per metric; a failure is a band at --fail-on [default: fail] or beyond",
}


def verbose_option(command: F) -> F:
    """Add ``--verbose``, which the error handler reads."""
    return click.option("--verbose", is_flag=True, expose_value=False, help="Show tracebacks of errors.")(command)


def store_option(command: F) -> F:
    """Add ``--db`` and ``--verbose``."""
    return click.option(
        "--db",
        "store",
        metavar="PATH|URL",
        envvar="EVENHAND_DB",
        help="Database of runs, also $EVENHAND_DB [default: ~/.evenhand/evenhand.db].",
    )(verbose_option(command))


def run_argument(command: F) -> F:
    """Add RUN as ``run_id``; the newest run if it is left out."""
    return click.argument("run_id", metavar="[RUN]", default="latest", shell_complete=complete.runs)(command)


def gate_options(command: F) -> F:
    """Add ``--fail-on`` and ``--strict``."""
    command = click.option(
        "--strict", is_flag=True, help="With --fail-on: also exit 1 if anything could not be judged."
    )(command)
    return click.option(
        "--fail-on", type=click.Choice(["watch", "flag", "fail"]), help="Exit 1 if a band reaches this line."
    )(command)


def report_options(command: F) -> F:
    """Add one option per report form, each taking the path to write to; the command gets them as `reports`.

    `reports` maps the form to its path, and holds only those that were given.
    """

    @wraps(command)
    def collected(**arguments: Any) -> Any:  # Any: what the other options bring is theirs
        given = {form: arguments.pop(f"{form}_path") for form in _FORMS}
        return command(reports={form: path for form, path in given.items() if path is not None}, **arguments)

    made: Callable[..., Any] = collected
    for form, text in reversed(_FORMS.items()):
        made = click.option(
            f"--{form}",
            f"{form}_path",
            type=click.Path(path_type=Path, dir_okay=False),
            metavar="PATH",
            help=f"Write the scorecard as {text}.",
        )(made)
    return cast("F", made)  # the same function with more parameters
