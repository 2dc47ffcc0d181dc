"""What can go wrong with a file: each case is a `StoreError` that names it and says what to do."""

import os
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from storage_builders import RUN, a_response, a_run

from evenhand.errors import MissingExtraError, StoreError, UsageError
from evenhand.storage import sqlite
from evenhand.storage.locate import locate, open_store
from evenhand.storage.sqlite import SQLiteBackend


@pytest.fixture
def location(path: Path) -> str:
    """These are about files; servers fail in `test_storage_server`."""
    return str(path)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    """It is not overwritten either."""
    path = tmp_path / "notes.db"
    path.write_text("these are my notes, not a database\n" * 100)
    with pytest.raises(StoreError, match=r"notes\.db is damaged or is not a database.*Restore a copy"):
        SQLiteBackend(path)
    assert path.read_text().startswith("these are my notes")


def test_a_damaged_database(path: Path) -> None:
    """Damage behind a good header shows when the pages are read."""
    intact = path.stat().st_size  # an empty store: its tables are still there
    with SQLiteBackend(path) as store:
        store.create_run(a_run())
        store.save_responses(RUN, [a_response(f"r{i}", text="x" * 1000) for i in range(500)])
    content = bytearray(path.read_bytes())
    content[intact:] = os.urandom(len(content) - intact)
    path.write_bytes(content)
    with SQLiteBackend(path) as store, pytest.raises(StoreError, match=r"evenhand\.db is damaged"):
        list(store.responses(RUN))


def test_a_read_only_file_can_be_read_but_not_written(running: SQLiteBackend, path: Path) -> None:
    """Reports from an archive are welcome; a run is refused before it costs anything."""
    with SQLiteBackend(f"sqlite:///file:{path}?mode=ro&uri=true") as archive:
        assert archive.get_run("latest").id == RUN
        with pytest.raises(StoreError, match=r"can be read but not written.*EVENHAND_DB"):
            archive.create_run(a_run("another"))


@contextmanager
def as_somebody_else() -> Iterator[None]:
    """Root may write everywhere, so tests that run as root step down."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


def test_a_directory_that_cannot_be_written(empty_database: bytes) -> None:
    """Neither can a store be made in it, nor one be opened that is there: its log would have to stand beside it."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "old.db").write_bytes(empty_database)
        Path(folder).chmod(0o555)
        with as_somebody_else():
            with pytest.raises(StoreError, match=r"new\.db cannot be opened.*you may read and write"):
                SQLiteBackend(Path(folder) / "new.db")
            with pytest.raises(StoreError, match=r"old\.db can(not be opened| be read but not written).*EVENHAND_DB"):
                SQLiteBackend(Path(folder) / "old.db").create_run(a_run())
        Path(folder).chmod(0o755)


def test_a_full_disk_keeps_what_was_saved(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The save that did not fit leaves no trace; with more room, everything goes on."""
    pragmas = (*sqlite._PRAGMAS, "PRAGMA max_page_count = 40")
    with monkeypatch.context() as patch:
        patch.setattr(sqlite, "_PRAGMAS", pragmas)
        with SQLiteBackend(path) as store:
            store.create_run(a_run())
            store.claim(RUN)
            store.save_responses(RUN, [a_response("small")])
            big = [a_response(f"r{i}", text="x" * 10_000) for i in range(100)]
            with pytest.raises(StoreError, match=r"cannot grow, its disk is full.*saved so far is safe.*goes on"):
                store.save_responses(RUN, big)
            assert store.latest_outcomes(RUN) == {"small": "answered"}
    with SQLiteBackend(path) as store:
        store.claim(RUN)
        store.save_responses(RUN, big)
        assert len(store.latest_outcomes(RUN)) == 101


def test_a_directory_in_place_of_the_file(tmp_path: Path) -> None:
    """The path is named."""
    with pytest.raises(StoreError, match=rf"{tmp_path} cannot be opened"):
        SQLiteBackend(tmp_path)


def test_a_directory_that_cannot_be_made(tmp_path: Path) -> None:
    """A file stands in its place."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"directory .*file of the store cannot be made"):
        SQLiteBackend(tmp_path / "file" / "evenhand.db")


def test_a_writer_that_never_finishes(running: SQLiteBackend, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting ends, and the message says for whom it waited."""
    monkeypatch.setattr("evenhand.storage.sqlite.BUSY_TIMEOUT_S", 0.05)
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    with SQLiteBackend(path) as store, pytest.raises(StoreError, match="being written by another process"):
        store.create_run(a_run("another"))
    blocker.close()


def test_a_closed_store_says_so(running: SQLiteBackend) -> None:
    """Closing twice is fine, using it afterwards is not."""
    running.close()
    running.close()
    with pytest.raises(StoreError, match="was closed"):
        running.get_run(RUN)
    with pytest.raises(StoreError, match="was closed"):
        running.save_responses(RUN, [])


@pytest.mark.parametrize("nowhere", [":memory:", "sqlite://", "sqlite:///:memory:"])
def test_a_store_in_memory_is_refused(nowhere: str) -> None:
    """What was paid for must survive the process."""
    with pytest.raises(UsageError, match="A store is a file"):
        SQLiteBackend(nowhere)


def test_other_databases_go_through_open_store() -> None:
    """The class says what it is for."""
    with pytest.raises(UsageError, match="open_store"):
        SQLiteBackend("postgresql://user:secret@localhost/evenhand")


def test_a_database_without_its_driver_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The password in the URL is not part of the message."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtraError, match=r"postgresql://user:\*\*\*@.*evenhand\[postgres\]") as caught:
        open_store("postgresql://user:hunter2@localhost/evenhand")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("driver", ["mysql", "postgresql+asyncpg", "sqlite+aiosqlite"])
def test_a_database_that_is_neither_is_refused(driver: str) -> None:
    """The message says which ones there are, and repeats no password."""
    with pytest.raises(UsageError, match=r"SQLite or PostgreSQL, not") as caught:
        open_store(f"{driver}://user:hunter2@localhost/evenhand")
    assert "hunter2" not in str(caught.value)


def test_a_url_that_cannot_be_read_is_not_repeated() -> None:
    """It may hold a password."""
    with pytest.raises(UsageError) as caught:
        open_store("postgresql://user:hunter2@host:port/evenhand")
    assert "hunter2" not in str(caught.value)


def test_the_store_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An argument wins over $EVENHAND_DB, which wins over the home directory; an empty variable is none."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("EVENHAND_DB", raising=False)
    home = str(tmp_path / ".evenhand" / "evenhand.db")
    assert locate().database == home
    monkeypatch.setenv("EVENHAND_DB", "")
    assert locate().database == home
    monkeypatch.setenv("EVENHAND_DB", "sqlite:///elsewhere.db")
    assert locate().database == "elsewhere.db"
    assert locate("~/own.db").database == str(tmp_path / "own.db")


def test_the_home_directory_is_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers may be confidential."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("EVENHAND_DB", raising=False)
    with open_store() as store:
        store.create_run(a_run())
    assert (tmp_path / ".evenhand" / "evenhand.db").is_file()
    assert (tmp_path / ".evenhand").stat().st_mode & 0o777 == 0o700
