"""INSERT that leaves an existing row alone: one statement for SQLite and PostgreSQL, at the driver's speed."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Dialect, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql import ColumnElement
from sqlalchemy.types import TypeEngine

from evenhand.storage.codecs import AnyText, escape_all

_ROWS_AT_ONCE = 5_000
"""Bounds the memory that a big save takes; all chunks are in the caller's one transaction."""


def insert_new(
    connection: Connection,
    table: Table,
    names: Sequence[str],
    rows: Iterable[tuple[Any, ...]],
    *,
    key: Sequence[str],
    computed: Mapping[str, ColumnElement[Any]] | None = None,
) -> None:
    """Insert the rows whose `key` is not there yet.

    Parameters
    ----------
    names
        What the values of a row are, in order: columns of the table, or parameters of `computed`.
    rows
        Python values; the columns' types turn them into what the driver stores.
    computed
        Column to an expression that the database computes for each row.
    """
    dialect = connection.dialect
    insert = postgresql.insert if dialect.name == "postgresql" else sqlite.insert
    statement = insert(table).on_conflict_do_nothing(index_elements=key)
    if computed:
        statement = statement.values(computed).inline()
    compiled = statement.compile(dialect=dialect, column_keys=[name for name in names if name in table.c])
    # Handing over whole columns spares SQLAlchemy's bookkeeping per row, which costs more than the insertion itself
    types = [compiled.binds[name].type for name in names]
    constants = {name: value for name, value in compiled.params.items() if name not in names}
    waiting = iter(rows)
    while chunk := list(islice(waiting, _ROWS_AT_ONCE)):
        stored = [_stored(kind, values, dialect) for kind, values in zip(types, zip(*chunk, strict=True), strict=True)]
        by_name = dict(zip(names, stored, strict=True)) | {name: [v] * len(chunk) for name, v in constants.items()}
        if compiled.positional:
            in_order = [by_name[name] for name in compiled.positiontup or ()]
            connection.exec_driver_sql(str(compiled), list(zip(*in_order, strict=True)))
        else:
            named = [dict(zip(by_name, row, strict=True)) for row in zip(*by_name.values(), strict=True)]
            connection.exec_driver_sql(str(compiled), named)


def _stored(kind: TypeEngine[Any], values: Sequence[Any], dialect: Dialect) -> Sequence[Any]:
    if isinstance(kind, AnyText):
        return escape_all(values)
    process = kind.bind_processor(dialect)
    return values if process is None else [process(value) for value in values]
