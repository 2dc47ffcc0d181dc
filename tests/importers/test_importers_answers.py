"""Files of answers: three forms, every fault with file and row, nothing guessed."""

import csv
import json
from pathlib import Path
from typing import Any

import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.errors import DataError, UsageError
from evenhand.importers.answers import read_answers

ROWS: list[dict[str, Any]] = [
    {"category": "Age", "example_id": 0, "run": 1, "answer": 2},
    {"category": "Age", "example_id": 1, "run": 1, "answer": 0},
]


def _csv(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "answers.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def _jsonl(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def _parquet(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "answers.parquet"
    polars.DataFrame(rows).write_parquet(path)
    return path


@pytest.mark.parametrize("write", [_csv, _jsonl, _parquet])
def test_the_three_forms_say_the_same(tmp_path: Path, write: Any) -> None:
    """Items, runs and answers; CSV gives its numbers as text."""
    found = read_answers(write(tmp_path, ROWS))
    assert (found.categories, found.example_ids, found.runs) == (["Age", "Age"], [0, 1], ["1", "1"])
    assert [str(answer) for answer in found.answers] == ["2", "0"]
    assert found.rows == ([2, 3] if write is _csv else [1, 2])


def test_without_a_column_of_runs_there_is_one(tmp_path: Path) -> None:
    """Every answer belongs to run 1."""
    assert read_answers(_csv(tmp_path, [{"category": "Age", "example_id": 3, "answer": "B"}])).runs == ["1"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"example_id": 1.5}, "example_id is a whole number"),
        ({"example_id": "x"}, "example_id is a whole number"),
        ({"category": None}, "category is a text"),
        ({"answer": [1]}, "an answer is an index"),
        ({"answer": True}, "an answer is an index"),
        ({"run": None}, "a run has a number or a name"),
    ],
)
def test_a_faulty_row_is_named(tmp_path: Path, row: dict[str, Any], said: str) -> None:
    """With its row."""
    with pytest.raises(DataError, match=said) as error:
        read_answers(_jsonl(tmp_path, [ROWS[0], {**ROWS[1], **row}]))
    assert error.value.line == 2


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    """With those that are needed."""
    with pytest.raises(DataError, match="'answer' is missing; answers have category, example_id, run, answer"):
        read_answers(_csv(tmp_path, [{"category": "Age", "example_id": 1}]))


def test_a_ragged_row_is_refused(tmp_path: Path) -> None:
    """A cell too few would shift what follows."""
    path = tmp_path / "answers.csv"
    path.write_text("category,example_id,answer\nAge,1\n")
    with pytest.raises(DataError, match="more or fewer cells"):
        read_answers(path)


def test_an_ending_that_is_no_form_is_refused(tmp_path: Path) -> None:
    """It names those that are."""
    with pytest.raises(UsageError, match=r"\.csv, \.jsonl, \.parquet"):
        read_answers(tmp_path / "answers.xlsx")


@given(st.binary(max_size=200), st.sampled_from([".csv", ".jsonl", ".parquet"]))
def test_any_bytes_are_read_or_explained(tmp_path_factory: pytest.TempPathFactory, content: bytes, ending: str) -> None:
    """Never an exception without a file's name."""
    path = tmp_path_factory.mktemp("bytes") / f"answers{ending}"
    path.write_bytes(content)
    with pytest.raises(DataError, match="answers"):
        read_answers(path)
