"""Bring a database to the newest schema, one process at a time. Alembic is imported only if there is work."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, inspect, text

from evenhand.errors import StoreError
from evenhand.storage.schema import HEAD, VERSION_TABLE

if TYPE_CHECKING:
    from alembic.config import Config

# Alembic keeps the migration that it runs in module globals, so two threads must take turns
_ALEMBIC = threading.Lock()

_ADVISORY_LOCK = 0x6576656E68616E64  # "evenhand", as the 64-bit number that PostgreSQL wants


def bring_up_to_date(reader: Engine, writer: Engine, place: str) -> None:
    """Migrate if needed.

    Parameters
    ----------
    writer
        Engine whose transactions exclude other writers from their beginning (`SQLBackend`).
    place
        The database as messages should name it.

    Raises
    ------
    StoreError
        If the database was written by a newer Evenhand, or belongs to another program.
    """
    with reader.connect() as connection:
        if _version(connection) == HEAD:
            return
    with _ALEMBIC, writer.connect() as connection, _tables_may_be_copied(connection), connection.begin():
        _exclude_others(connection)
        # another process may have migrated while this one waited
        if (found := _version(connection)) != HEAD:
            _refuse_foreign(connection, found, place)
            _upgrade(connection)
            _refuse_broken_references(connection, place)


def alembic_config(connection: Connection) -> "Config":
    """Return Alembic's settings, made here because an installed package has no alembic.ini."""
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "evenhand.storage:migrations")
    config.set_main_option("path_separator", "os")
    return config


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    found: str | None = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()
    return found


def _exclude_others(connection: Connection) -> None:
    """Wait for other migrations. On SQLite the transaction's BEGIN IMMEDIATE has already done so."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_LOCK})


@contextmanager
def _tables_may_be_copied(connection: Connection) -> Iterator[None]:
    """SQLite alters a table by copying it, which would look as if every row that others refer to were deleted."""
    if connection.dialect.name != "sqlite":
        yield
        return
    # past SQLAlchemy, which would begin a transaction, within which SQLite ignores this
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    driver.execute("PRAGMA foreign_keys = OFF")
    try:
        yield
    finally:
        driver.execute("PRAGMA foreign_keys = ON")


def _refuse_broken_references(connection: Connection, place: str) -> None:
    if connection.dialect.name == "sqlite" and connection.execute(text("PRAGMA foreign_key_check")).first():
        raise StoreError(
            f"The store {place} cannot be brought to schema {HEAD}: it holds rows that refer to others that are not "
            "there. It was left as it is; restore a copy, or choose another place with EVENHAND_DB."
        )


def _refuse_foreign(connection: Connection, found: str | None, place: str) -> None:
    if found is None:
        if tables := inspect(connection).get_table_names():
            raise StoreError(
                f"The store {place} belongs to another program: it has the tables {', '.join(sorted(tables)[:5])}. "
                "Choose another place with EVENHAND_DB."
            )
    elif found not in _known_versions(connection):
        raise StoreError(
            f"The store {place} was written by a newer Evenhand (schema {found}; this one knows {HEAD}). "
            "Install the newer version: pip install --upgrade evenhand. Or choose another place with EVENHAND_DB."
        )


def _known_versions(connection: Connection) -> set[str]:
    from alembic.script import ScriptDirectory

    script = ScriptDirectory.from_config(alembic_config(connection))
    return {revision.revision for revision in script.walk_revisions()}


def _upgrade(connection: Connection) -> None:
    from alembic import command

    command.upgrade(alembic_config(connection), "head")
