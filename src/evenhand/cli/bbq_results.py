"""How the figures of intersectional questions are printed and written: the options, and what they lead to."""

from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from evenhand.cli.tables import stdout
from evenhand.reporting.document.model import Document
from evenhand.reporting.document.registry import write_document
from evenhand.reporting.document.terminal import render

F = TypeVar("F", bound=Callable[..., Any])

_FORMS = {"html": "HTML, one self-contained file", "md": "Markdown", "json": "JSON"}
VARIANTS = ("bbq", "helm", "lm-eval")


def figure_options(command: F) -> F:
    """Add ``--variant``, ``--level`` and one option per form; the command gets the forms as `reports`."""

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
            help=f"Write the report as {text}.",
        )(made)
    made = click.option(
        "--level",
        type=click.FloatRange(min=0, max=1, min_open=True, max_open=True),
        default=0.95,
        show_default=True,
        help="Level of the intervals.",
    )(made)
    made = click.option(
        "--variant",
        type=click.Choice(VARIANTS),
        default="bbq",
        show_default=True,
        help="Scorer whose figures you compare with; the headline is always BBQ's definition.",
    )(made)
    return cast("F", made)  # the same function with more parameters


def show(document: Document, reports: Mapping[str, Path]) -> None:
    """Print the report, and write what else was asked for."""
    console = stdout()
    console.print(render(document))
    for form, path in reports.items():
        write_document(document, path, form)
        console.print(f"Wrote {path}", highlight=False, markup=False, soft_wrap=True)
