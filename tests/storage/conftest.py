"""A fresh store on SQLite and on PostgreSQL; makes `storage_builders` importable, which importlib mode does not."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evenhand.storage.base import Store
from evenhand.storage.locate import open_store
from evenhand.storage.sqlite import SQLiteBackend

sys.path.append(str(Path(__file__).parent))

from storage_postgres import PostgresServer


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a migrated, empty store: copying them is much faster than migrating for each test."""
    path = tmp_path_factory.mktemp("empty") / "evenhand.db"
    SQLiteBackend(path).close()
    return path.read_bytes()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A server of its own, stopped and deleted at the end."""
    with PostgresServer() as server:
        yield server


@pytest.fixture
def path(tmp_path: Path, empty_database: bytes) -> Path:
    """A migrated, empty SQLite file."""
    location = tmp_path / "evenhand.db"
    location.write_bytes(empty_database)
    return location


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    """A migrated, empty PostgreSQL database."""
    return postgres.emptied()


@pytest.fixture(params=["sqlite", "postgres"])
def location(request: pytest.FixtureRequest) -> str:
    """Where a store is, for what must hold on both databases."""
    return str(request.getfixturevalue({"sqlite": "path", "postgres": "url"}[request.param]))


@pytest.fixture(params=["sqlite", "postgres"])
def untouched(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store may be made, with nothing there yet."""
    if request.param == "sqlite":
        return str(tmp_path / "untouched.db")
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.fresh("untouched")


@pytest.fixture
def store(location: str) -> Iterator[Store]:
    with open_store(location) as opened:
        yield opened


@pytest.fixture
def running(store: Store) -> Store:
    from storage_builders import a_run

    store.create_run(a_run())
    return store
