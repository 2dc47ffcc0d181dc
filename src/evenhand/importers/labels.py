"""Labels of traces: what people say really happened in them, and, on request, what the detector had said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evenhand.errors import DataError
from evenhand.importers.small_csv import small_csv

_YES, _NO = frozenset({"1", "true", "yes"}), frozenset({"0", "false", "no"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What a file of labels says.

    Attributes
    ----------
    truth
        Trace to whether it really violates.
    detected
        Trace to whether the detector fired on it, where the file says so; None if it has no such column, and the
        detections themselves must say it.
    """

    file: str
    truth: Mapping[str, bool]
    detected: Mapping[str, bool] | None = None

    @property
    def pairs(self) -> Sequence[tuple[bool, bool]]:
        """(truth, detected) of every trace; empty without a column for it."""
        return [(self.truth[trace], fired) for trace, fired in (self.detected or {}).items()]


def read_labels(path: str | Path) -> Labels:
    """Read a CSV file with the columns trace and label (or violation), and optionally detected.

    Raises
    ------
    UsageError
        If there is no such file.
    DataError
        If a row does not say what it must, or a trace is labelled twice; with file, line, column and value.
    """
    file, truth, detected, has_detected = Path(path), {}, {}, False
    for line, cells in small_csv(path, (("trace",), ("label", "violation"))):
        trace = cells["trace"]
        if not trace:
            raise DataError("this row names no trace", file=file, line=line, field="trace")
        if trace in truth:
            raise DataError("this trace is labelled twice", file=file, line=line, field="trace", value=trace)
        truth[trace] = _yes_or_no(cells["label"], file, line, "label")
        has_detected = "detected" in cells
        if has_detected:
            detected[trace] = _yes_or_no(cells["detected"], file, line, "detected")
    if not truth:
        raise DataError("the file holds no label", file=file)
    return Labels(file=str(file), truth=truth, detected=detected if has_detected else None)


def _yes_or_no(said: str, file: Path, line: int, field: str) -> bool:
    word = said.lower()
    if word not in _YES | _NO:
        raise DataError(
            f"a {field} is 1 or 0, true or false, yes or no" if field == "label" else "detected is 1 or 0",
            file=file,
            line=line,
            field=field,
            value=said,
        )
    return word in _YES
