"""Where the store is: a path, a SQLAlchemy URL, $EVENHAND_DB, or the home directory."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from evenhand.errors import UsageError

if TYPE_CHECKING:
    from evenhand.storage.base import Store

VARIABLE = "EVENHAND_DB"


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
    from evenhand.storage.sql import SQLBackend

    return SQLBackend(url)


def locate(location: str | Path | URL | None = None) -> URL:
    """Turn a location into a URL. Everything without ``://`` is the path of a SQLite file."""
    if isinstance(location, URL):
        return location
    chosen = location or os.environ.get(VARIABLE) or Path.home() / ".evenhand" / "evenhand.db"
    if isinstance(chosen, Path) or "://" not in chosen:
        return URL.create("sqlite", database=str(Path(chosen).expanduser()))
    try:
        return make_url(chosen)
    except (ArgumentError, ValueError):
        # the text may hold a password, so it is not repeated
        raise UsageError(
            "The store's URL cannot be read. It looks like postgresql+psycopg://user@host/database, "
            "or give the path of a SQLite file."
        ) from None
