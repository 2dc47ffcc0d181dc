"""Decisions as a plain table in CSV: what `evenhand violations score` reads, from this tool or another."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from evenhand._base.atomic_file import replacing
from evenhand.core.detections import Decision

COLUMNS = ("trace", "turn", "attribute", "decision", "vector", "replicate", "status", "reason")
"""`decision` is 1, 0, or empty where `status` is not ``judged``."""


def write_decisions(decisions: Iterable[Decision], path: Path) -> Path:
    """Write one row per decision; the file appears whole or not at all.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    with replacing(path) as stream:
        stream.write(as_csv(decisions).encode())
    return path


def as_csv(decisions: Iterable[Decision]) -> str:
    """Return the table; line breaks within a reason become spaces, so that a row is a line."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in decisions:
        decided = "" if each.decision is None else str(int(each.decision))
        reason = " ".join(each.reason.split())
        writer.writerow(
            (each.trace, each.turn, each.attribute, decided, each.vector, each.replicate, each.status, reason)
        )
    return text.getvalue()
