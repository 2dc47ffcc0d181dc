"""``evenhand export``: a file with a name that says which run it is, or standard output."""

import json
from pathlib import Path

import pytest

from .conftest import Evenhand


def test_a_file_is_named_by_the_run_and_the_format(
    evenhand: Evenhand, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two exports of two runs do not overwrite each other."""
    monkeypatch.chdir(tmp_path)
    done = evenhand("export", "--format", "csv", "--db", str(database))
    (written,) = tmp_path.iterdir()
    assert done.code == 0
    assert written.suffix == ".csv"
    rows = len(written.read_bytes().decode().split('\r\n"')) - 1
    assert done.out == f"Wrote {written.name}: {rows} answers\n"


def test_standard_output_holds_nothing_but_rows(evenhand: Evenhand, database: Path) -> None:
    """So that it can be piped."""
    done = evenhand("export", "latest", "--out", "-", "--db", str(database))
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert (done.code, done.err) == (0, "")
    assert {row["outcome"] for row in rows} == {"answered"}
    assert {row["run"] for row in rows} == {rows[0]["run"]}


def test_parquet_does_not_go_to_a_terminal(evenhand: Evenhand, database: Path) -> None:
    """It is bytes."""
    done = evenhand("export", "--format", "parquet", "--out", "-", "--db", str(database))
    assert done.code == 2
    assert "--out PATH" in done.err


def test_an_unknown_run_writes_nothing(evenhand: Evenhand, database: Path, tmp_path: Path) -> None:
    """Near ids are named."""
    done = evenhand("export", "1999", "--out", str(tmp_path / "x.jsonl"), "--db", str(database))
    assert done.code == 2
    assert "There is no run named '1999'" in done.err
    assert not (tmp_path / "x.jsonl").exists()
