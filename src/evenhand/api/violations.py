"""violation_rate(): a detector's decisions, however they are held, → the rate and its report."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from evenhand.core.detections import Decision, DetectionMatrix
from evenhand.errors import UsageError
from evenhand.importers.labels import Labels, read_labels
from evenhand.importers.plain_table import Coverage, Problem, TableReading, read_table
from evenhand.importers.plain_table.problems import OnError
from evenhand.importers.reported import read_reported
from evenhand.instruments.violations.collapse import collapse
from evenhand.instruments.violations.quality import reference_from, reference_of
from evenhand.instruments.violations.rate import DEFAULT_METHOD, DEFAULT_Z, Method
from evenhand.instruments.violations.result import Violations, violations
from evenhand.reporting.document.model import Document
from evenhand.reporting.violations.document import document
from evenhand.reporting.violations.table import with_table
from evenhand.stats.correction import Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class ViolationAnalysis:
    """A violation rate, and what was wrong with the table that it came from.

    Attributes
    ----------
    problems, coverage
        Of the table; empty and None where the decisions came from no file.
    """

    result: Violations
    problems: tuple[Problem, ...] = ()
    coverage: Coverage | None = None

    def document(self, *, written: str, title: str | None = None) -> Document:
        """Write the report; `written` is a UTC time in ISO 8601. `reporting.document` prints it in four forms."""
        name = self.result.source.get("file", "")
        made = document(self.result, title=title or f"Violation rate of {name or 'decisions'}", written=written)
        return made if self.coverage is None else with_table(made, self.coverage, self.problems)


def violation_rate(
    table: str | Path | DetectionMatrix | Iterable[Decision],
    *,
    method: str = DEFAULT_METHOD,
    z: float = DEFAULT_Z,
    reference: str | Path | Labels | Reference | None = None,
    reported: str | Path | None = None,
    limit: float | None = None,
    on_error: OnError = "raise",
) -> ViolationAnalysis:
    """Compute the violation rate of a detector's decisions.

    Parameters
    ----------
    table
        A file (CSV, JSON lines, Parquet), decisions, or a matrix.
    method, z
        Of the interval.
    reference
        Labels of traces, as a file or read already, or counts; None leaves the rate without a correction beside it.
    reported
        File of rates that the detector reports about itself; shown, never used.
    limit
        Rate that matters, for the table of tipping points.
    on_error
        ``"report"`` lists what is wrong with a file and goes on with what is valid.

    Raises
    ------
    UsageError, DataError
        If a file is missing, is not what it must be, or something cannot be honoured.

    Examples
    --------
    >>> from evenhand.api import violation_rate
    >>> from evenhand.core.detections import Decision
    >>> said = [Decision(trace=str(i), turn=1, attribute="age", decision=i < 11) for i in range(25)]
    >>> found = violation_rate(said).result.overall
    >>> found.value, round(found.interval.low, 6), round(found.interval.high, 6)
    (0.44, 0.263414, 0.632569)
    """
    how = Method(name=method, z=z)
    labels = read_labels(reference) if isinstance(reference, (str, Path)) else reference
    reading = _reading(table, on_error)
    matrix = reading if isinstance(reading, DetectionMatrix) else reading.matrix
    if reported is not None:
        matrix = replace(matrix, reported=read_reported(reported))
    counts = _counts(labels, matrix) if isinstance(labels, Labels) else labels
    found = violations(matrix, method=how, reference=counts, limit=limit)
    if isinstance(reading, DetectionMatrix):
        return ViolationAnalysis(result=found)
    return ViolationAnalysis(result=found, problems=tuple(reading.problems), coverage=reading.coverage)


def _reading(
    table: str | Path | DetectionMatrix | Iterable[Decision], on_error: OnError
) -> DetectionMatrix | TableReading:
    match table:
        case str() | Path():
            return read_table(table, on_error=on_error)
        case DetectionMatrix():
            return table
        case Iterable():
            return collapse(table)
        case _:
            raise UsageError(f"decisions come as a path, a matrix or Decision objects, not as {type(table).__name__}")


def _counts(labels: Labels, matrix: DetectionMatrix) -> Reference:
    if labels.detected is not None:
        return reference_of(labels.pairs, file=labels.file)
    return reference_from(matrix, labels.truth, file=labels.file)
