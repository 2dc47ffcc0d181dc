"""A database of any released schema opens, and keeps everything that is in it.

A new schema needs no code here: its step, and the dumps that ``freeze_schema.py`` writes, are found by being there.
"""

import sqlite3
from pathlib import Path
from textwrap import dedent

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from storage_builders import opened
from storage_everything import assert_conversations_are_there, assert_everything_is_there, save_everything
from storage_postgres import PostgresServer

from evenhand.errors import StoreError
from evenhand.storage import migrate
from evenhand.storage.schema import HEAD, VERSION_TABLE, metadata

SCHEMAS = Path(__file__).parent / "schemas"
RELEASED = sorted(path.name.split(".")[0] for path in SCHEMAS.glob("*.sqlite.sql"))


@pytest.fixture(params=["sqlite", "postgres"])
def frozen(request: pytest.FixtureRequest, tmp_path: Path, version: str) -> str:
    """A database as a release left it, on disk or on a server."""
    dump = (SCHEMAS / f"{version}.{request.param}.sql").read_text(encoding="utf-8")
    if request.param == "postgres":
        server: PostgresServer = request.getfixturevalue("postgres")
        url = server.fresh("frozen")
        server.execute(dump, database="frozen")
        return url
    path = tmp_path / "frozen.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(dump)
    connection.close()
    return str(path)


def test_the_newest_schema_is_frozen() -> None:
    """If not: python tests/storage/freeze_schema.py"""
    assert RELEASED[-1] == HEAD
    assert {path.name.split(".")[0] for path in SCHEMAS.glob("*.postgres.sql")} == set(RELEASED)


@pytest.mark.parametrize("version", RELEASED)
def test_a_database_of_each_release_is_brought_up_to_date(frozen: str, version: str) -> None:
    """Its tables become those of the code, its rows come back, and the run that it holds goes on."""
    with opened(frozen) as store:
        with store._reading() as connection:
            settings = {"version_table": VERSION_TABLE, "compare_type": True, "compare_server_default": True}
            assert compare_metadata(MigrationContext.configure(connection, opts=settings), metadata) == []
        assert_everything_is_there(store)
        if version >= "0002":  # the first with conversations
            assert_conversations_are_there(store)


STEP = dedent(
    '''
    """Step 9999: a new column, one that is changed, rows that are."""

    import sqlalchemy as sa
    from alembic import op

    revision, down_revision = "9999", "{head}"


    def upgrade() -> None:
        with op.batch_alter_table("responses") as table:
            table.add_column(sa.Column("language", sa.Text(), nullable=False, server_default="en"))
            table.alter_column("stored_at", nullable=True)  # SQLite copies the table for this
        op.execute("UPDATE evaluations SET reason = 'rewritten' WHERE status = 'could not judge'")
        {then}
    '''
)


@pytest.fixture
def next_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "NextStep":
    return NextStep(tmp_path / "steps", monkeypatch)


class NextStep:
    """A step of the future, put behind those that there are."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder, self._patch, self._settings = folder, monkeypatch, migrate.alembic_config
        folder.mkdir()

    def write(self, then: str = "pass") -> None:
        (self._folder / "schema_9999.py").write_text(STEP.format(head=HEAD, then=then))
        self._patch.setattr(migrate, "HEAD", "9999")
        self._patch.setattr(migrate, "alembic_config", self._with_step)

    def _with_step(self, connection: object) -> Config:
        config = self._settings(connection)  # type: ignore[arg-type]
        steps = Path(migrate.__file__).parent / "migrations" / "versions"
        config.set_main_option("version_locations", f"{steps}:{self._folder}")
        return config


def test_a_later_step_changes_a_database_that_is_in_use(untouched: str, next_step: NextStep) -> None:
    """Rows stay, foreign keys and unique keys survive the copying of a table that SQLite needs."""
    with opened(untouched) as store:
        save_everything(store)
    next_step.write()
    with opened(untouched) as store:
        with store._reading() as connection:
            languages = connection.exec_driver_sql("SELECT language FROM responses").scalars().all()
            reasons = connection.exec_driver_sql("SELECT reason FROM evaluations ORDER BY reason").scalars().all()
        assert languages == ["en", "en", "en"]
        assert "rewritten" in reasons
        with pytest.raises(StoreError, match="lacks the run"), store._writing() as connection:
            connection.exec_driver_sql("UPDATE responses SET run_id = 'nowhere'")


def test_a_later_step_that_fails_leaves_the_database_as_it_was(untouched: str, next_step: NextStep) -> None:
    """The table is not half copied, the rows are not half rewritten: the older program still opens it."""
    with opened(untouched) as store:
        save_everything(store)
    with pytest.MonkeyPatch.context() as patch:
        next_step._patch = patch
        next_step.write(then="1 / 0")
        with pytest.raises(ZeroDivisionError):
            opened(untouched)
    with opened(untouched) as store:
        assert_everything_is_there(store)


def test_rows_without_their_owner_stop_the_upgrade(path: Path, next_step: NextStep) -> None:
    """Copying tables must not hide damage: the database stays as it was, and the message says so."""
    connection = sqlite3.connect(path)
    connection.execute("INSERT INTO results VALUES (1, 'nowhere', 'RSI', 't', '{}')")
    connection.commit()
    connection.close()
    next_step.write()
    with pytest.raises(StoreError, match=r"cannot be brought to schema .*rows that refer to others"):
        opened(str(path))
    connection = sqlite3.connect(path)
    assert connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchall() == [(HEAD,)]
    connection.close()
