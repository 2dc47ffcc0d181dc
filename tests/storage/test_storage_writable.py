"""Whether a store can be written, without making one."""

import sqlite3
from pathlib import Path

import pytest

from evenhand.errors import UsageError
from evenhand.storage.sqlite import SQLiteBackend
from evenhand.storage.writable import shown, why_not_writable, why_not_writable_directory


def test_a_store_that_is_not_there_yet_can_be_made_where_a_file_can_be(tmp_path: Path) -> None:
    """Looking leaves nothing behind, not even the folder."""
    assert why_not_writable(tmp_path / "a" / "b" / "runs.db") == ""
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_is_there_is_opened_for_writing(tmp_path: Path) -> None:
    """Its content stays as it is, and somebody else writing is no obstacle."""
    path = tmp_path / "runs.db"
    SQLiteBackend(path).close()
    before = path.read_bytes()
    assert why_not_writable(path) == ""
    assert path.read_bytes() == before
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert why_not_writable(path) == ""
    other.close()


def test_what_cannot_be_written_says_why(tmp_path: Path) -> None:
    """A file that is no database, a folder that is a file, a place where nobody may write."""
    (tmp_path / "notes.db").write_text("this is not a database, it only looks like one from far away " * 20)
    assert "not a database" in why_not_writable(tmp_path / "notes.db")
    assert "notes.db" in why_not_writable(tmp_path / "notes.db" / "runs.db")
    assert why_not_writable_directory(tmp_path / "notes.db") != ""


def test_a_server_that_is_not_there_is_named_without_its_password() -> None:
    """Neither the problem nor what is shown repeats a secret."""
    url = "postgresql+psycopg://reader:hunter2@127.0.0.1:1/runs?sslpassword=hunter3"
    said = f"{why_not_writable(url)} {shown(url)}"
    assert why_not_writable(url) != ""
    assert "hunter" not in said
    assert "reader" in shown(url)


def test_what_is_no_location_is_refused() -> None:
    """The error is that of opening a store."""
    with pytest.raises(UsageError, match="cannot be read"):
        why_not_writable("://")


def test_a_path_is_shown_as_it_is(tmp_path: Path) -> None:
    """Paths hold no secret."""
    assert shown(tmp_path / "runs.db") == str(tmp_path / "runs.db")
