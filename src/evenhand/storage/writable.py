"""Whether a store could be written, found out without making or migrating one."""

import sqlite3
import tempfile
from pathlib import Path

from sqlalchemy import URL, create_engine, text
from sqlalchemy.exc import SQLAlchemyError

from evenhand.storage.locate import locate


def shown(location: str | Path | None = None) -> str:
    """Return where the store is as may be shown: a path, or a URL without its password and query."""
    url = locate(location)
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return url.set(query={}).render_as_string(hide_password=True)


def why_not_writable(location: str | Path | None = None) -> str:
    """Say why the store at `location` cannot be written; empty if it can.

    Raises
    ------
    UsageError
        If the location is no path and no URL.
    """
    url = locate(location)
    return _sqlite_problem(Path(str(url.database))) if url.get_backend_name() == "sqlite" else _server_problem(url)


def why_not_writable_directory(directory: Path) -> str:
    """Say why no file can be made in `directory`, or in the nearest parent that exists; empty if one can."""
    existing = next((place for place in (directory, *directory.absolute().parents) if place.exists()), directory)
    try:
        with tempfile.TemporaryFile(dir=existing):
            return ""
    except OSError as error:
        return f"{existing}: {error.strerror or error}"


def _sqlite_problem(file: Path) -> str:
    if not file.exists():
        return why_not_writable_directory(file.parent)
    connection = None
    try:
        connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True, timeout=1.0)
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
    except sqlite3.Error as error:
        # somebody writing at this moment is the best proof that it can be written
        return "" if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY else f"{file}: {error}"
    finally:
        if connection is not None:
            connection.close()
    return ""


def _server_problem(url: URL) -> str:
    try:
        engine = create_engine(url)
    except ModuleNotFoundError as error:
        return f"the driver {error.name!r} is not installed"
    except SQLAlchemyError as error:
        return str(error).splitlines()[0]
    try:
        with engine.connect() as connection:
            connection.execute(text("CREATE TEMPORARY TABLE evenhand_probe (x integer)"))
            connection.rollback()
    except SQLAlchemyError as error:
        # the driver's own words: SQLAlchemy's would repeat the statement
        return str(getattr(error, "orig", None) or error).strip().splitlines()[0]
    finally:
        engine.dispose()
    return ""
