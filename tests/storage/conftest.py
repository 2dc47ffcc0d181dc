"""A fresh store, with and without a run; makes `storage_builders` importable, which importlib mode does not."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evenhand.storage.sqlite import SQLiteBackend

sys.path.append(str(Path(__file__).parent))


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a migrated, empty store: copying them is much faster than migrating for each test."""
    path = tmp_path_factory.mktemp("empty") / "evenhand.db"
    SQLiteBackend(path).close()
    return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path, empty_database: bytes) -> Path:
    location = tmp_path / "evenhand.db"
    location.write_bytes(empty_database)
    return location


@pytest.fixture
def store(path: Path) -> Iterator[SQLiteBackend]:
    with SQLiteBackend(path) as opened:
        yield opened


@pytest.fixture
def running(store: SQLiteBackend) -> SQLiteBackend:
    from storage_builders import a_run

    store.create_run(a_run())
    return store
