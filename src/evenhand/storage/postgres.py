"""The store on a PostgreSQL server, for teams that share their runs. The driver is psycopg 3."""

from typing import Any

from sqlalchemy import URL, Engine, create_engine, event

from evenhand._base.optional import require
from evenhand.errors import UsageError
from evenhand.storage.locate import locate
from evenhand.storage.sql import Clock, SQLBackend, utc_now

CONNECT_TIMEOUT_S = 10
"""How long a server may take to answer the door."""

LOCK_TIMEOUT_S = 60
"""How long a writer waits for another one, as on SQLite."""


class PostgresBackend(SQLBackend):
    """A `Store` in a PostgreSQL database, in the first schema of the user's search path.

    Parameters
    ----------
    location
        ``postgresql://user:password@host/database``. What libpq knows may follow as a query or come from its
        variables and files: PGPASSWORD and ``~/.pgpass`` keep the password out of the URL.
    clock
        Tells the time, with its zone.

    Raises
    ------
    MissingExtraError
        If psycopg is not installed.
    StoreError
        If the server cannot be reached, refuses the user, or holds another program's tables.
    """

    def __init__(self, location: str | URL, *, clock: Clock = utc_now) -> None:
        url = locate(location)
        if url.get_backend_name() != "postgresql":
            raise UsageError(f"PostgresBackend opens PostgreSQL databases, not {url.get_backend_name()}.")
        super().__init__(url, clock=clock)

    def _shown(self, url: URL) -> str:
        # a query may hold a password too
        return url.set(drivername="postgresql", query={}).render_as_string(hide_password=True)

    def _connect(self, url: URL) -> Engine:
        require("psycopg", extra="postgres", purpose=f"The store {self.place}")
        settings = {"connect_timeout": str(CONNECT_TIMEOUT_S), "application_name": "evenhand", **url.query}
        # a server that was restarted between two saves is no reason to stop a run: hence the ping
        engine = create_engine(url.set(query=settings), hide_parameters=True, pool_pre_ping=True)
        event.listen(engine, "connect", _prepare)
        return engine

    def _for_reading(self, engine: Engine) -> Engine:
        # what one method reads in several statements is of one moment, as it is on SQLite
        return engine.execution_options(isolation_level="REPEATABLE READ")


def _prepare(connection: Any, record: Any) -> None:
    # Any: a psycopg connection, and psycopg may be missing
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = '{LOCK_TIMEOUT_S}s'")
    connection.commit()
