"""Bring a database to the newest schema, one process at a time. Alembic is imported only if there are steps to take."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy import Column, Connection, Engine, MetaData, PrimaryKeyConstraint, String, Table, inspect, text

from evenhand.errors import StoreError
from evenhand.storage.schema import HEAD, VERSION_TABLE, metadata

if TYPE_CHECKING:
    from alembic.config import Config

# Alembic keeps the migration that it runs in module globals, so two threads must take turns
_ALEMBIC = threading.Lock()

_ADVISORY_LOCK = 0x6576656E68616E64  # "evenhand", as the 64-bit number that PostgreSQL wants


def bring_up_to_date(reader: Engine, writer: Engine, place: str) -> None:
    """Migrate if needed. What is empty gets the newest schema at once, which is what the steps would end with.

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
        if (found := _version(connection)) is None:
            _refuse_foreign(connection, place)
            create(connection)
        elif found != HEAD:
            _refuse_newer(connection, found, place)
            upgrade(connection)
            _refuse_broken_references(connection, place)


def create(connection: Connection) -> None:
    """Make the newest schema in an empty database, without the steps: importing Alembic takes longer than all of it."""
    metadata.create_all(connection, checkfirst=False)
    # as Alembic would make it, which reads and writes it from the next step on
    key = PrimaryKeyConstraint("version_num", name=f"{VERSION_TABLE}_pkc")
    version = Table(VERSION_TABLE, MetaData(), Column("version_num", String(32), nullable=False), key)
    version.create(connection, checkfirst=False)
    connection.execute(version.insert().values(version_num=HEAD))


def upgrade(connection: Connection) -> None:
    """Take the steps from the schema that the database has, or from nothing, to the newest."""
    from alembic import command

    command.upgrade(alembic_config(connection), "head")


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


def _refuse_foreign(connection: Connection, place: str) -> None:
    if tables := inspect(connection).get_table_names():
        raise StoreError(
            f"The store {place} belongs to another program: it has the tables {', '.join(sorted(tables)[:5])}. "
            "Choose another place with EVENHAND_DB."
        )


def _refuse_newer(connection: Connection, found: str, place: str) -> None:
    if found not in _known_versions(connection):
        raise StoreError(
            f"The store {place} was written by a newer Evenhand (schema {found}; this one knows {HEAD}). "
            "Install the newer version: pip install --upgrade evenhand. Or choose another place with EVENHAND_DB."
        )


def _known_versions(connection: Connection) -> set[str]:
    from alembic.script import ScriptDirectory

    script = ScriptDirectory.from_config(alembic_config(connection))
    return {revision.revision for revision in script.walk_revisions()}
