"""Where the store is: a path, a URL, $EVENHAND_DB, or the home directory."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from evenhand.errors import UsageError

if TYPE_CHECKING:
    from evenhand.storage.base import Store

VARIABLE = "EVENHAND_DB"

_SQLITE = ("sqlite", "sqlite+pysqlite")
_POSTGRES = ("postgresql", "postgres", "postgresql+psycopg")
_LOOKS_LIKE = "It looks like postgresql://user@host/database, or give the path of a SQLite file."


def open_store(location: str | Path | None = None) -> "Store":
    """Open the store at a path or URL; None means $EVENHAND_DB, or ``~/.evenhand/evenhand.db``.

    Raises
    ------
    UsageError
        If the location is no path and no URL.
    StoreError
        If the database cannot be opened, is damaged, or was written by a newer Evenhand.
    """
    url = locate(location)
    if url.get_backend_name() == "sqlite":
        from evenhand.storage.sqlite import SQLiteBackend

        return SQLiteBackend(url)
    from evenhand.storage.postgres import PostgresBackend

    return PostgresBackend(url)


def locate(location: str | Path | URL | None = None) -> URL:
    """Turn a location into a URL. Everything without ``://`` is the path of a SQLite file.

    Raises
    ------
    UsageError
        If it is a URL that cannot be read, or one of another database than SQLite and PostgreSQL.
    """
    if isinstance(location, URL):
        return _supported(location)
    chosen = location or os.environ.get(VARIABLE) or Path.home() / ".evenhand" / "evenhand.db"
    if isinstance(chosen, Path) or "://" not in chosen:
        return URL.create("sqlite", database=str(Path(chosen).expanduser()))
    try:
        url = make_url(chosen)
    except (ArgumentError, ValueError):
        # the text may hold a password, so it is not repeated
        raise UsageError(f"The store's URL cannot be read. {_LOOKS_LIKE}") from None
    return _supported(url)


def _supported(url: URL) -> URL:
    if url.drivername in _POSTGRES:
        return url.set(drivername="postgresql+psycopg")
    if url.drivername in _SQLITE:
        return url
    raise UsageError(f"Runs are kept in SQLite or PostgreSQL, not {url.drivername}. {_LOOKS_LIKE}")
