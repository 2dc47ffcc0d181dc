"""What a detector reports about itself, attribute by attribute. It is shown, and never used."""

import re
from pathlib import Path

from evenhand.core.detections import ReportedRate
from evenhand.errors import DataError
from evenhand.importers.small_csv import Cells, small_csv

_NUMBER = re.compile(r"[0-9]*\.?[0-9]+", re.ASCII)


def read_reported(path: str | Path) -> tuple[ReportedRate, ...]:
    """Read a CSV file with the columns attribute and rate, and optionally low and high.

    Returns
    -------
    tuple
        Rates in [0, 1]; None where a cell is empty.

    Raises
    ------
    UsageError
        If there is no such file.
    DataError
        If a row does not say what it must, or an attribute is there twice; with file, line, column and value.
    """
    file, found = Path(path), {}
    for line, cells in small_csv(path, (("attribute",), ("rate",))):
        attribute = cells["attribute"]
        if not attribute:
            raise DataError("this row names no attribute", file=file, line=line, field="attribute")
        if attribute in found:
            raise DataError("this attribute is there twice", file=file, line=line, field="attribute", value=attribute)
        rate, low, high = (_share(cells, field, file, line) for field in ("rate", "low", "high"))
        found[attribute] = ReportedRate(attribute=attribute, rate=rate, low=low, high=high)
    if not found:
        raise DataError("the file holds no rate", file=file)
    return tuple(found.values())


def _share(cells: Cells, field: str, file: Path, line: int) -> float | None:
    said = cells.get(field, "")
    if not said:
        return None
    if not _NUMBER.fullmatch(said) or not 0 <= float(said) <= 1:
        wanted = "a rate is a number from 0 to 1, as in 0.36, or empty"
        raise DataError(wanted, file=file, line=line, field=field, value=said)
    return float(said)
