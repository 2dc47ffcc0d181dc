"""``--fail-on``: hold a run's bands against a line, say what was seen, and return the exit code of it."""

import sys

import click

from evenhand.api.runs import AuditResult
from evenhand.cli.errors import GATE_FAILED
from evenhand.core.spec import AuditSpec
from evenhand.errors import UsageError
from evenhand.instruments.audit.gate import GateResult, Line, gate
from evenhand.metrics.bands import load_profile


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
    profile = load_profile(AuditSpec.from_json(result.run.spec).bands)
    outcome = gate(result.run.results, profile, line, strict=strict)
    for sentence in _sentences(outcome):
        click.echo(sentence, err=True)
    if not outcome.held:
        sys.exit(GATE_FAILED)


def _sentences(outcome: GateResult) -> list[str]:
    reached = [f"{metric} is in the point band {band!r}" for metric, band in outcome.beyond.items()]
    unjudged = [f"{metric} could not be judged: {reason}" for metric, reason in outcome.unjudged.items()]
    verdict = "held" if outcome.held else "failed"
    return [
        f"Gate at {outcome.line!r} {verdict} (point bands; their uncertainty is not computed).",
        *reached,
        *unjudged,
    ]
