"""Tables of plain text: what a user or a file wrote is shown as it is, never read as markup."""

import sys
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

_PIPED_WIDTH = 200
"""Columns where no terminal says otherwise, so that a pipe sees whole lines."""


def stdout() -> Console:
    """Return the console on standard output."""
    return Console(width=None if sys.stdout.isatty() else _PIPED_WIDTH, highlight=False)


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, title: str | None = None) -> Table:
    """Build a table without borders."""
    made = Table(*columns, title=title, title_justify="left", box=None, pad_edge=False)
    for row in rows:
        made.add_row(*(Text(cell) for cell in row))
    return made
