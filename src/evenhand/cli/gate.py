"""``--fail-on``: hold a run's bands against a line, say what was seen, and return the exit code of it."""

import sys

import click

from evenhand.api.runs import AuditResult
from evenhand.cli.errors import GATE_FAILED
from evenhand.errors import UsageError
from evenhand.instruments.audit.gate import GateResult, Line, gate


def check_gate_options(line: Line | None, *, strict: bool) -> None:
    """Refuse ``--strict`` alone, before anything is asked.

    Raises
    ------
    UsageError
        If `strict` has no line to sharpen.
    """
    if strict and line is None:
        raise UsageError("--strict sharpens --fail-on; give the line too, as in --fail-on flag --strict")


def apply_gate(result: AuditResult, line: Line | None, *, strict: bool) -> None:
    """Say on stderr how the run stands against the line, and leave with exit code 1 if it does not hold."""
    if line is None:
        return
    outcome = gate(result.run.results, line, strict=strict)
    for sentence in _sentences(outcome):
        click.echo(sentence, err=True)
    if not outcome.held:
        sys.exit(GATE_FAILED)


def _sentences(outcome: GateResult) -> list[str]:
    reached = [f"{metric} is supported to lie in the band {band!r}" for metric, band in outcome.beyond.items()]
    unjudged = [f"{metric} could not be judged: {reason}" for metric, reason in outcome.unjudged.items()]
    verdict = "held" if outcome.held else "failed"
    return [
        f"Gate at {outcome.line!r} {verdict} (supported bands).",
        *reached,
        *unjudged,
    ]
