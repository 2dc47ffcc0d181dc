"""What is wrong with a table: raised at the first, or listed and counted."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from evenhand.errors import DataError

OnError = Literal["raise", "report"]
LISTED = 10_000
"""Problems that are kept with their words; all are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong.

    Attributes
    ----------
    text
        What it is, as a sentence without a full stop.
    line
        Line of a text file, from 1; None in Parquet.
    row
        Row of a Parquet file, from 1; None in text files.
    field
        Column.
    value
        What stood there.
    """

    text: str
    line: int | None = None
    row: int | None = None
    field: str | None = None
    value: object = None

    def error(self, file: Path) -> DataError:
        """Return it as an exception."""
        place = ", ".join(part for part in (f"row {self.row}" if self.row else None, self.field) if part)
        return DataError(self.text, file=file, line=self.line, field=place or None, value=self.value)


class Problems:
    """Raises what it is told, or keeps it."""

    def __init__(self, file: Path, on_error: OnError, *, has_lines: bool) -> None:
        self.file, self.on_error, self.has_lines = file, on_error, has_lines
        self.listed: list[Problem] = []
        self.count = self.lost = 0

    def lose(self, text: str, at: int, field: str | None = None, value: object = None) -> None:
        """Say what is wrong with a row that is left out; `lost` counts them."""
        self.add(text, at, field, value)
        self.lost += 1

    def add(self, text: str, at: int, field: str | None = None, value: object = None) -> None:
        """Say what is wrong in line or row `at`.

        Raises
        ------
        DataError
            Unless problems are to be reported.
        """
        line, row = (at, None) if self.has_lines else (None, at)
        problem = Problem(text=text, line=line, row=row, field=field, value=value)
        if self.on_error == "raise":
            raise problem.error(self.file)
        self.count += 1
        if len(self.listed) < LISTED:
            self.listed.append(problem)
