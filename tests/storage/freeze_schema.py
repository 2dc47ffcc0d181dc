"""Write the dumps of the newest schema, once, when it is released: python tests/storage/freeze_schema.py

Both databases, filled with one run that uses every column. Dumps of released schemas are never written again: they
stand for the databases that users have.
"""

import sqlite3
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).parent
SCHEMAS = HERE / "schemas"


def main() -> None:
    """Write ``schemas/HEAD.sqlite.sql`` and ``schemas/HEAD.postgres.sql``, unless they are there."""
    sys.path.append(str(HERE))
    from storage_builders import opened
    from storage_everything import save_everything
    from storage_postgres import PostgresServer

    from evenhand.storage import leases
    from evenhand.storage.owner import Owner
    from evenhand.storage.schema import HEAD

    paths = [SCHEMAS / f"{HEAD}.{database}.sql" for database in ("sqlite", "postgres")]
    if any(path.exists() for path in paths):
        sys.exit(f"Schema {HEAD} is frozen already.")
    leases.this_process = lambda: Owner(host="elsewhere", pid=1, process="1")
    with tempfile.TemporaryDirectory() as folder, PostgresServer() as server:
        file, url = f"{folder}/runs.db", server.fresh("frozen")
        for location in (file, url):
            with opened(location, clock=lambda: datetime(2026, 11, 30, 20, 44, 55, tzinfo=UTC)) as store:
                save_everything(store)
        with sqlite3.connect(file) as connection:
            paths[0].write_text("\n".join(connection.iterdump()) + "\n", encoding="utf-8")
        connection.close()
        paths[1].write_text(server.dump("frozen"), encoding="utf-8")


if __name__ == "__main__":
    main()
