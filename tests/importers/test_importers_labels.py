"""Labels and reported rates: small tables, read as strictly as the large one."""

from collections.abc import Callable
from pathlib import Path

import pytest

from evenhand.core.detections import ReportedRate
from evenhand.errors import DataError, UsageError
from evenhand.importers.labels import read_labels
from evenhand.importers.reported import read_reported

Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file and return its path."""

    def written(text: str) -> Path:
        path = tmp_path / "small.csv"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def test_labels_are_read_by_trace(write: Write) -> None:
    """Either name of the column; every word for yes and no; ids stay text."""
    for name in ("label", "violation"):
        found = read_labels(write(f"Trace,{name}\n007,1\n7, No \n1e5,TRUE\n"))
        assert dict(found.truth) == {"007": True, "7": False, "1e5": True}
        assert found.detected is None
        assert found.pairs == []


def test_labels_may_bring_what_the_detector_said(write: Write) -> None:
    """Pairs of (truth, detected)."""
    found = read_labels(write("trace,label,detected\na,1,1\nb,1,0\nc,0,0\n"))
    assert found.pairs == [(True, True), (True, False), (False, False)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the column 'trace' is missing (small.csv, line 1)"),
        ("trace,truth\na,1\n", "the column 'label' is missing (small.csv, line 1)"),
        ("trace,label,label\na,1,1\n", "the column 'label' is there twice (small.csv, line 1)"),
        ("trace,label\n", "the file holds no label (small.csv)"),
        ("trace,label\n,1\n", "this row names no trace (small.csv, line 2, trace)"),
        ("trace,label\na,1\na,1\n", "this trace is labelled twice; found 'a' (small.csv, line 3, trace)"),
        ("trace,label\na\n", "the row has 1 cells, and the header 2 (small.csv, line 2)"),
        (
            "trace,label\na,maybe\n",
            "a label is 1 or 0, true or false, yes or no; found 'maybe' (small.csv, line 2, label)",
        ),
        ("trace,label,detected\na,1,\n", "detected is 1 or 0; found '' (small.csv, line 2, detected)"),
    ],
)
def test_labels_that_say_something_else_are_refused(write: Write, text: str, message: str) -> None:
    """By file, line, column and value."""
    path = write(text)
    with pytest.raises(DataError) as refused:
        read_labels(path)
    assert str(refused.value).replace(f"{path.parent}/", "") == message


def test_reported_rates_are_shares_or_empty(write: Write) -> None:
    """Limits may be missing, as a whole or cell by cell."""
    assert read_reported(write("attribute,rate,low,high\nage,0.36,.2,0.55\ngender,,,\n")) == (
        ReportedRate(attribute="age", rate=0.36, low=0.2, high=0.55),
        ReportedRate(attribute="gender", rate=None),
    )
    assert read_reported(write("attribute,rate\nage,1\n")) == (ReportedRate(attribute="age", rate=1.0),)
    for wrong in ("1.2", "36%", "nan", "-0.1", "1e-2"):
        with pytest.raises(DataError, match=r"a rate is a number from 0 to 1, as in 0.36, or empty"):
            read_reported(write(f"attribute,rate\nage,{wrong}\n"))
    with pytest.raises(DataError, match="this attribute is there twice"):
        read_reported(write("attribute,rate\nage,1\nage,1\n"))


def test_a_file_that_is_not_there_or_no_text_is_said(write: Write) -> None:
    """UTF-16 included."""
    with pytest.raises(UsageError, match="There is no file"):
        read_labels("nowhere.csv")
    path = write("")
    path.write_bytes("trace,label\na,1\n".encode("utf-16"))
    with pytest.raises(DataError, match="this is not a CSV file in UTF-8"):
        read_labels(path)
