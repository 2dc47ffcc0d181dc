"""INSERT that leaves an existing row alone: one statement for SQLite and PostgreSQL, at the driver's speed."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeVar

from sqlalchemy import Connection, Table

from evenhand.storage.codecs import AnyText, StrictJson, escape_all, to_json_all

T = TypeVar("T")

_ROWS_AT_ONCE = 5_000
_SQLITE_ROWS = 100
"""Rows of one statement. After each, Python's driver lets other threads run, and waits long for its turn again."""


def in_chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Cut a big save into pieces, which bounds the memory that it takes; all are in the caller's one transaction."""
    for start in range(0, len(items), _ROWS_AT_ONCE):
        yield items[start : start + _ROWS_AT_ONCE]


def insert_new(
    connection: Connection, table: Table, columns: Mapping[str, Sequence[Any]], *, key: Sequence[str]
) -> None:
    """Insert the rows whose `key` is not there yet; of several new ones with one key, the first.

    Parameters
    ----------
    columns
        Column name to values as the driver takes them (see `stored`), all of one length.
    """
    # Past SQLAlchemy, whose bookkeeping for each row costs more than the insertion
    rows = list(zip(*columns.values(), strict=True))
    into, row = f"INSERT INTO {table.name} ({', '.join(columns)}) VALUES ", f"({marks(connection, len(columns))})"
    unless = f" ON CONFLICT ({', '.join(key)}) DO NOTHING"
    if connection.dialect.name == "sqlite":
        for start in range(0, len(rows), _SQLITE_ROWS):
            part = rows[start : start + _SQLITE_ROWS]
            connection.exec_driver_sql(into + ", ".join([row] * len(part)) + unless, tuple(chain.from_iterable(part)))
    elif rows:
        # psycopg sends the rows in one go (pipeline mode); an array a column and unnest() would take it twice the time
        connection.exec_driver_sql(into + row + unless, rows)


def marks(connection: Connection, count: int) -> str:
    """Return that many places for parameters, as the database's driver writes them."""
    return ", ".join(["?" if connection.dialect.name == "sqlite" else "%s"] * count)


def stored(table: Table, columns: Mapping[str, Sequence[Any]]) -> dict[str, Sequence[Any]]:
    """Turn Python values into what the driver stores, column by column."""
    return {name: _stored(table.c[name].type, values) for name, values in columns.items()}


def _stored(kind: object, values: Sequence[Any]) -> Sequence[Any]:
    match kind:
        case AnyText():
            return escape_all(values)
        case StrictJson():
            return to_json_all(values, kind.what)
        case _:
            return values
