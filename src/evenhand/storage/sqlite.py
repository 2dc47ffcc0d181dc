"""The default store: one SQLite file with a write-ahead log, which several processes may use at once."""

import sqlite3
import time
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event

from evenhand.errors import StoreError, UsageError
from evenhand.storage.locate import locate
from evenhand.storage.sql import Clock, SQLBackend, utc_now

BUSY_TIMEOUT_S = 60.0
"""How long a writer waits for another one."""

_PRAGMAS = (
    # Counts only for a new file. Rows with embeddings take 3 kB: at the default 4 kB each would fill a page alone,
    # which doubles the time to save them
    "PRAGMA page_size = 16384",
    "PRAGMA foreign_keys = ON",
    # With a write-ahead log, NORMAL loses nothing when the process is killed: a committed row is in the file already.
    # A power cut may take the last commits, never the file's consistency; resuming asks those requests again.
    # FULL would wait for the disk once per saved answer.
    "PRAGMA synchronous = NORMAL",
    # 64 MB: keys are digests, so index pages are hit at random; the default 2 MB would write and re-read them
    "PRAGMA cache_size = -65536",
    # 64 MB of log before it is copied into the file: a page that many saves hit is copied once, not once for each
    "PRAGMA wal_autocheckpoint = 4096",
)


class SQLiteBackend(SQLBackend):
    """A `Store` in one SQLite file.

    Parameters
    ----------
    location
        Path or ``sqlite:///`` URL; None means $EVENHAND_DB, or ``~/.evenhand/evenhand.db``. A missing directory is
        made, for its owner's eyes only.
    clock
        Tells the time, with its zone.

    Raises
    ------
    StoreError
        If the file cannot be opened, is damaged, belongs to another program, or was written by a newer Evenhand.
    """

    def __init__(self, location: str | Path | URL | None = None, *, clock: Clock = utc_now) -> None:
        url = locate(location)
        if url.get_backend_name() != "sqlite":
            raise UsageError(f"SQLiteBackend opens SQLite files, not {url.get_backend_name()}: use open_store().")
        if url.database in (None, "", ":memory:"):
            raise UsageError("A store is a file, so that what was paid for survives: give a path.")
        super().__init__(url, clock=clock)

    def _shown(self, url: URL) -> str:
        return str(url.database)

    def _connect(self, url: URL) -> Engine:
        _make_directory(url)
        engine = create_engine(url, hide_parameters=True, connect_args={"timeout": BUSY_TIMEOUT_S})
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
        return engine

    def _for_reading(self, engine: Engine) -> Engine:
        return engine  # with a write-ahead log, every transaction sees one moment


def _make_directory(url: URL) -> None:
    if url.query.get("uri"):
        return  # the database is a "file:" URI with its own rules, such as mode=ro
    directory = Path(str(url.database)).parent
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"The directory {directory} of the store cannot be made: {error.strerror}.") from error


def _prepare(connection: sqlite3.Connection, record: Any) -> None:
    # Python's driver begins transactions on its own terms unless told not to; `_begin` does it
    connection.isolation_level = None
    for pragma in _PRAGMAS:
        connection.execute(pragma)
    if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        _start_log(connection)


def _start_log(connection: sqlite3.Connection) -> None:
    """Switch to a write-ahead log. SQLite does not wait here when another process is doing the same, so we do."""
    deadline = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _begin(connection: Connection) -> None:
    # A reader that turns writer fails at once if somebody wrote in between; IMMEDIATE waits its turn instead
    writes = connection.get_execution_options().get("evenhand_writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
