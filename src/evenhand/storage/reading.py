"""Rows in pieces: a run may be larger than the memory, and the server's cursor is closed whatever happens."""

from collections.abc import Generator, Sequence
from typing import Any

from sqlalchemy import Connection, Select

_ROWS_AT_ONCE = 500
"""With embeddings 1.5 MB, which a processor's cache holds; at 2,000 reading takes half as long again."""


def in_pieces(connection: Connection, wanted: Select[Any]) -> Generator[Sequence[Any], None, None]:
    """Yield some hundred rows at a time. Who stops early closes the generator (`contextlib.closing`)."""
    # Any: rows of whatever `wanted` selects
    with connection.execute(wanted, execution_options={"yield_per": _ROWS_AT_ONCE}) as found:
        yield from found.partitions()
