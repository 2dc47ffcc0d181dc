"""Migrations: the steps make exactly the tables that the code expects, and opening again costs nothing."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Inspector, MetaData, Table, inspect
from storage_builders import RUN, a_run, opened
from storage_postgres import PostgresServer

from evenhand.errors import StoreError
from evenhand.storage import migrate
from evenhand.storage.migrate import alembic_config
from evenhand.storage.schema import HEAD, VERSION_TABLE, metadata
from evenhand.storage.sqlite import SQLiteBackend


@pytest.fixture
def stepped(untouched: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty store that took all steps, as one did that was made by the first release."""
    with monkeypatch.context() as patch:
        patch.setattr(migrate, "create", migrate.upgrade)
        opened(untouched).close()
    return untouched


def test_the_steps_make_the_tables_of_the_code(stepped: str) -> None:
    """Alembic, comparing the migrated database with the metadata, finds nothing to do."""
    with opened(stepped) as store, store._reading() as connection:
        settings = {"version_table": VERSION_TABLE, "compare_type": True, "compare_server_default": True}
        assert compare_metadata(MigrationContext.configure(connection, opts=settings), metadata) == []


def test_a_new_store_is_what_the_steps_would_make(untouched: str) -> None:
    """Columns in their order, keys, indexes, defaults, Alembic's own table: whatever the database says of itself."""
    with opened(untouched) as store, store._writing() as connection:
        at_once, tables = _shape(connection), MetaData()
        tables.reflect(connection)
        tables.drop_all(connection)
        migrate.upgrade(connection)
        assert _shape(connection) == at_once
        assert len(at_once) > len(metadata.tables)


def _shape(connection: Connection) -> dict[str, object]:
    inspector = inspect(connection)
    tables = {table: _table(inspector, table) for table in inspector.get_table_names()}
    return {**tables, "version": connection.exec_driver_sql(f"SELECT * FROM {VERSION_TABLE}").all()}


def _table(inspector: Inspector, table: str) -> list[str]:
    keys = [*inspector.get_foreign_keys(table), *inspector.get_unique_constraints(table), *inspector.get_indexes(table)]
    parts = [
        *inspector.get_columns(table),
        inspector.get_pk_constraint(table),
        *sorted(keys, key=lambda k: str(k["name"])),
    ]
    return [str(part) for part in parts]


NEW_STORE = """
import sys
from evenhand.storage.sqlite import SQLiteBackend
SQLiteBackend(sys.argv[1]).close()
print("alembic" in sys.modules)
"""


def test_a_new_store_takes_no_steps(tmp_path: Path) -> None:
    """Importing Alembic takes as long as ten openings."""
    command = [sys.executable, "-c", NEW_STORE, str(tmp_path / "new.db")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "False\n"


def test_head_is_the_last_step(path: Path) -> None:
    """The constant that spares importing Alembic says what Alembic would say."""
    with opened(str(path)) as store, store._reading() as connection:
        assert ScriptDirectory.from_config(alembic_config(connection)).get_heads() == [HEAD]


def test_a_fresh_file_is_migrated_and_logged_ahead(tmp_path: Path) -> None:
    """Opening is enough; the file uses a write-ahead log from then on."""
    with SQLiteBackend(tmp_path / "new" / "evenhand.db") as store:
        store.create_run(a_run())
        with store._reading() as connection:
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
            assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    with SQLiteBackend(tmp_path / "new" / "evenhand.db") as again:
        assert again.get_run("latest").id == RUN


OPEN_AGAIN = """
import sys, time
from evenhand.storage.sqlite import SQLiteBackend
SQLiteBackend(sys.argv[1]).close()
def opened():
    started = time.perf_counter()
    SQLiteBackend(sys.argv[1]).close()
    return time.perf_counter() - started
print(min(opened() for _ in range(5)), "alembic" in sys.modules)
"""


def test_opening_what_is_up_to_date_is_fast(path: Path) -> None:
    """Under 60 ms, because Alembic is not even imported. The best of five: other processes share the machine."""
    found = subprocess.run([sys.executable, "-c", OPEN_AGAIN, str(path)], capture_output=True, text=True, check=True)
    seconds, alembic_was_imported = found.stdout.split()
    assert float(seconds) < 0.06
    assert alembic_was_imported == "False"


def test_a_newer_schema_is_refused_with_what_to_do(untouched: str) -> None:
    """Writing into tables that one does not know would damage them."""
    with opened(untouched) as store, store._writing() as connection:
        connection.exec_driver_sql(f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    with pytest.raises(StoreError, match=r"untouched.* was written by a newer Evenhand \(schema 9999.*upgrade"):
        opened(untouched)


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    """A wrong path must not add our tables to somebody's browser history."""
    import sqlite3

    path = tmp_path / "places.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE moz_places (id INTEGER)")
    connection.close()
    with pytest.raises(StoreError, match=r"places\.sqlite belongs to another program.*moz_places"):
        SQLiteBackend(path)


def test_another_programs_server_database_is_left_alone(postgres: PostgresServer) -> None:
    """The same on a server; several programs in one database need a schema each."""
    url = postgres.fresh("shop")
    postgres.execute("CREATE TABLE orders (id integer)", database="shop")
    with pytest.raises(StoreError, match=r"/shop belongs to another program.*orders"):
        opened(url)
    postgres.execute("CREATE SCHEMA audits", database="shop")
    with opened(f"{url}&options=-csearch_path%3Daudits") as store:
        store.create_run(a_run())
    assert postgres.execute("SELECT count(*) FROM audits.runs", database="shop") == [(1,)]


def test_a_failed_beginning_leaves_no_trace(untouched: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """DDL is part of the transaction: the next opening starts from nothing again."""
    with monkeypatch.context() as patch:
        patch.setattr(Table, "insert", lambda table: 1 / 0)  # the tables are there by then
        with pytest.raises(ZeroDivisionError):
            opened(untouched)
    with opened(untouched) as store:
        assert store.list_runs() == []


def test_time_is_the_callers(location: str) -> None:
    """What is stored carries the clock that was given."""
    moment = datetime(2031, 5, 6, 7, 8, 9, tzinfo=UTC)
    with opened(location, clock=lambda: moment) as store:
        store.create_run(a_run())
        store.claim(RUN)
        with store._reading() as connection:
            claimed_at = connection.exec_driver_sql("SELECT claimed_at FROM leases").scalar()
    assert datetime.fromisoformat(str(claimed_at)) == moment
