"""How the rate of a red-team run is computed and written: the options, and what they lead to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from evenhand.api.decisions_table import write_decisions
from evenhand.api.red_team import RedTeamResult
from evenhand.api.violations import violation_rate
from evenhand.cli.tables import stdout
from evenhand.importers.labels import Labels, read_labels
from evenhand.instruments.violations.rate import DEFAULT_METHOD, DEFAULT_Z, Method
from evenhand.reporting.document.registry import write_document
from evenhand.reporting.document.terminal import render
from evenhand.stats.intervals import METHODS

F = TypeVar("F", bound=Callable[..., Any])

_FORMS = {"html": "HTML, one self-contained file", "md": "Markdown", "json": "JSON"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the options ask for.

    Attributes
    ----------
    labels
        The reference set; None without one.
    """

    method: Method
    limit: float | None
    labels: Labels | None
    decisions: Path | None
    reports: Mapping[str, Path]


def result_options(command: F) -> F:
    """Add the options; the command gets them as `wanted`."""

    @wraps(command)
    def collected(
        *, method: str, z: float, limit: float | None, reference: str | None, decisions: Path | None, **rest: Any
    ) -> Any:  # Any: what the other options bring is theirs
        given = {form: rest.pop(f"{form}_path") for form in _FORMS}
        wanted = Wanted(
            method=Method(name=method, z=z),
            limit=limit,
            labels=None if reference is None else read_labels(reference),  # before anything is asked
            decisions=decisions,
            reports={form: path for form, path in given.items() if path is not None},
        )
        return command(wanted=wanted, **rest)

    made: Callable[..., Any] = collected
    for option in reversed(_options()):
        made = option(made)
    return cast("F", made)  # the same function with more parameters


def show_result(result: RedTeamResult, wanted: Wanted) -> None:
    """Print the report, and write what else was asked for."""
    rate = violation_rate(
        result.matrix, method=wanted.method.name, z=wanted.method.z, reference=wanted.labels, limit=wanted.limit
    )
    found = rate.result
    document = result.document(found, written=datetime.now(UTC).isoformat(timespec="seconds"))
    console = stdout()
    console.print(render(document))
    for form, path in wanted.reports.items():
        write_document(document, path, form)
        console.print(f"Wrote {path}", highlight=False, markup=False, soft_wrap=True)
    if wanted.decisions is not None:
        write_decisions(result.decisions, wanted.decisions)
        console.print(f"Wrote {wanted.decisions}", highlight=False, markup=False, soft_wrap=True)


def _options() -> list[Callable[[Any], Any]]:
    path = click.Path(path_type=Path, dir_okay=False)
    return [
        click.option(
            "--method", type=click.Choice(tuple(METHODS)), default=DEFAULT_METHOD, show_default=True, help="Interval."
        ),
        click.option(
            "--z", type=float, default=DEFAULT_Z, show_default=True, help="Normal quantile of the interval, above 0."
        ),
        click.option("--limit", type=float, metavar="RATE", help="Rate that matters, for the table of tipping points."),
        click.option(
            "--reference", metavar="CSV", help="Labels of traces (trace, label), to correct for the detector."
        ),
        click.option("--decisions", type=path, metavar="PATH", help="Write every decision as a plain table, in CSV."),
        *(
            click.option(f"--{form}", f"{form}_path", type=path, metavar="PATH", help=f"Write the report as {text}.")
            for form, text in _FORMS.items()
        ),
    ]
