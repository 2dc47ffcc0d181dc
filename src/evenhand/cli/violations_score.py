"""``evenhand violations score``: the violation rate of decisions that a detector has made already."""

import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from statistics import NormalDist
from typing import Literal

import click

from evenhand.api.violations import ViolationAnalysis, violation_rate
from evenhand.cli.errors import GATE_FAILED
from evenhand.cli.options import verbose_option
from evenhand.cli.tables import stdout
from evenhand.errors import UsageError
from evenhand.instruments.violations.gate import check_line, rate_gate
from evenhand.instruments.violations.rate import DEFAULT_METHOD, DEFAULT_Z
from evenhand.reporting.document.registry import write_document
from evenhand.reporting.document.terminal import render
from evenhand.stats.intervals import METHODS

_PATH = click.Path(path_type=Path, dir_okay=False)


@click.command(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("file", metavar="FILE")
@click.option(
    "--method", type=click.Choice(tuple(METHODS)), default=DEFAULT_METHOD, show_default=True, help="Interval."
)
@click.option("--z", type=float, help=f"Normal quantile of the interval, above 0 [default: {DEFAULT_Z}].")
@click.option("--level", type=float, metavar="SHARE", help="The same as a two-sided coverage, as in 0.95.")
@click.option("--reference", metavar="CSV", help="Labels of traces (trace, label), to correct for the detector.")
@click.option("--reported", metavar="CSV", help="What the detector reports (attribute, rate, low, high); only shown.")
@click.option("--limit", type=float, metavar="RATE", help="Rate that matters, for the table of tipping points.")
@click.option(
    "--on-error",
    type=click.Choice(["raise", "report"]),
    default="raise",
    show_default=True,
    help="Stop at the first problem of the table, or list all and go on with what is valid.",
)
@click.option("--html", type=_PATH, metavar="PATH", help="Write the report as HTML, one self-contained file.")
@click.option("--md", type=_PATH, metavar="PATH", help="Write the report as Markdown.")
@click.option("--json", type=_PATH, metavar="PATH", help="Write the report as JSON.")
@click.option(
    "--fail-above", type=float, metavar="RATE", help="Exit 1 if the lower limit of the interval lies above this rate."
)
@click.option("--strict", is_flag=True, help="With --fail-above: also exit 1 if the data do not decide.")
@verbose_option
def score(
    *,
    file: str,
    method: str,
    z: float | None,
    level: float | None,
    reference: str | None,
    reported: str | None,
    limit: float | None,
    on_error: Literal["raise", "report"],
    html: Path | None,
    md: Path | None,
    json: Path | None,
    fail_above: float | None,
    strict: bool,
) -> None:
    """Compute the violation rate of the decisions in FILE. No model is called.

    FILE is CSV, JSON lines or Parquet with the columns trace, turn, attribute and decision (1 or 0, true or false, yes
    or no, empty where there is none), or with one column per attribute instead of the last two. It may have the columns
    vector, replicate and status.
    """
    _check_gate(fail_above, strict=strict)
    found = violation_rate(
        file,
        method=method,
        z=_quantile(z, level),
        reference=reference,
        reported=reported,
        limit=limit,
        on_error=on_error,
    )
    _show(found, {"html": html, "md": md, "json": json})
    if fail_above is not None:
        _apply_gate(found, fail_above, strict=strict)


def _check_gate(line: float | None, *, strict: bool) -> None:
    if line is not None:
        check_line(line)
    elif strict:
        raise UsageError("--strict sharpens --fail-above; give the line too, as in --fail-above 0.10 --strict")


def _quantile(z: float | None, level: float | None) -> float:
    if z is not None and level is not None:
        raise UsageError("--z and --level say the same thing; give one of them")
    if level is None:
        return DEFAULT_Z if z is None else z
    if not 0 < level < 1:
        raise UsageError(f"--level is a share between 0 and 1, as in 0.95, not {level:g}")
    return NormalDist().inv_cdf((1 + level) / 2)


def _show(found: ViolationAnalysis, reports: Mapping[str, Path | None]) -> None:
    document = found.document(written=datetime.now(UTC).isoformat(timespec="seconds"))
    console = stdout()
    console.print(render(document))
    for form, path in reports.items():
        if path is not None:
            write_document(document, path, form)
            console.print(f"Wrote {path}", highlight=False, markup=False, soft_wrap=True)


def _apply_gate(found: ViolationAnalysis, line: float, *, strict: bool) -> None:
    gate = rate_gate(found.result.overall, line, strict=strict)
    verdict = {"over": "failed", "under": "held", "undecided": "is not decided"}[gate.state]
    click.echo(f"Gate at {line:g} {verdict}: {gate.reason} (observed rate, these vectors, not corrected).", err=True)
    if not gate.held:
        sys.exit(GATE_FAILED)
