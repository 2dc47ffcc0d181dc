"""The plain table: three formats and two forms say the same, whichever way they are read."""

import gzip
import hashlib
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from evenhand.core.detections import STATUSES, Decision
from evenhand.errors import DataError, EvenhandError, MissingExtraError, UsageError
from evenhand.importers.plain_table import read_table
from evenhand.instruments.violations.collapse import collapse
from evenhand.instruments.violations.result import violations

from .importers_tables import as_csv, row_of, same, seed_rows, write

FORMS = ("csv", "jsonl", "parquet")
one_file = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)


@pytest.mark.parametrize("form", FORMS)
def test_the_seed_s_example_comes_out_of_every_format(tmp_path: Path, form: str) -> None:
    """k = 11 of 25, (.263414, .632569), 9 and 4 by attribute, patterns 7/2/2/14."""
    found = violations(read_table(write(seed_rows(), tmp_path, form)).matrix)
    assert (found.overall.k, found.overall.n) == (11, 25)
    assert found.overall.interval is not None
    assert round(found.overall.interval.low, 6) == 0.263414
    assert round(found.overall.interval.high, 6) == 0.632569
    assert [(a.attribute, a.k) for a in found.attributes] == [("age", 9), ("gender", 4)]
    assert [p.count for p in found.patterns] == [7, 2, 2, 14]


def test_ids_stay_text(tmp_path: Path) -> None:
    """Leading zeros and what looks like a number in powers of ten are names."""
    path = tmp_path / "t.csv"
    path.write_text("trace,turn,attribute,decision\n007,1,1e5,0\n7,1,1e5,1\n1e5,1,1e5,0\nNA,1,1e5,0\nnull,1,1e5,0\n")
    assert list(read_table(path).matrix.traces) == ["007", "1e5", "7", "NA", "null"]


def test_whole_numbers_as_ids_become_decimal_text(tmp_path: Path) -> None:
    """In Parquet and JSON, where they can be numbers."""
    rows = [{"trace": number, "turn": 1, "attribute": "age", "decision": True} for number in (7, 10)]
    for form in ("jsonl", "parquet"):
        assert list(read_table(write(rows, tmp_path, form)).matrix.traces) == ["10", "7"]


@pytest.mark.parametrize("word", ["1", "TRUE", "True", "yes", " Yes ", "YES", "true\t"])
def test_every_word_for_yes_is_one(tmp_path: Path, word: str) -> None:
    """Any case, blanks around it; what Excel writes too."""
    path = tmp_path / "t.csv"
    path.write_text(f"trace,turn,attribute,decision\na,1,age,{word}\nb,1,age,No\n")
    matrix = read_table(path).matrix
    assert (matrix.fired.ravel().tolist(), dict(matrix.statuses)) == ([True, False], {"judged": 2})


def test_bom_crlf_quotes_and_blank_lines_play_no_part(tmp_path: Path) -> None:
    """The same table as spreadsheets write it."""
    plain, dressed = tmp_path / "plain.csv", tmp_path / "dressed.csv"
    plain.write_text(as_csv(seed_rows()))
    dressed.write_bytes(b"\xef\xbb\xbf" + as_csv(seed_rows()).replace(",", '","').replace("\n", '"\r\n"').encode()[:-1])
    text = dressed.read_bytes().replace(b"\xef\xbb\xbf", b'\xef\xbb\xbf"', 1) + b"\r\n\r\n"
    dressed.write_bytes(text)
    assert same(read_table(plain).matrix, read_table(dressed).matrix)


def test_a_packed_text_is_unpacked(tmp_path: Path) -> None:
    """By its first bytes, whatever it is called."""
    plain, packed = write(seed_rows(), tmp_path, "csv"), tmp_path / "table.csv.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert same(read_table(plain).matrix, read_table(packed).matrix)
    packed.write_bytes(packed.read_bytes()[:-20])
    with pytest.raises(DataError, match="this gzip file is damaged"):
        read_table(packed)


def test_the_wide_form_has_a_column_per_attribute(tmp_path: Path) -> None:
    """An empty cell takes the row's status; a row without one is unscored."""
    path = tmp_path / "t.csv"
    path.write_text("Trace,turn,age,gender,status\na,1,1,0,\na,2,0,,refused\nb,1,0,,\n")
    matrix = read_table(path).matrix
    assert matrix.attributes == ("age", "gender")
    assert dict(matrix.statuses) == {"judged": 4, "refused": 1, "unscored": 1}
    assert matrix.missing.tolist() == [[0, 1], [0, 1]]


def test_the_digest_is_that_of_the_bytes(tmp_path: Path) -> None:
    """sha256, as `sha256sum` prints it; the source names file, format and rows."""
    path = tmp_path / "t.csv"
    path.write_text("trace,turn,attribute,decision,model\na,1,age,0,m\n")
    matrix = read_table(path).matrix
    assert matrix.digest == hashlib.sha256(path.read_bytes()).hexdigest()
    assert dict(matrix.source) == {
        "file": "t.csv",
        "format": "csv, long form",
        "rows": "1",
        "columns_not_read": "model",
    }


names = st.text(st.characters(codec="utf-8", exclude_characters="\x00\r\n"), min_size=1, max_size=6).map(
    lambda text: text.strip(" \t")
)
named = names.filter(bool)
place = st.tuples(st.sampled_from("abcé"), st.integers(0, 200), st.sampled_from(["age", "a,b", 'say "so"', "x"]))
cell = st.tuples(st.sampled_from([True, False, None]), st.sampled_from([s for s in STATUSES if s != "judged"]))


@st.composite
def decisions(draw: st.DrawFn) -> list[Decision]:
    cells = draw(st.dictionaries(place, cell, min_size=1, max_size=25))
    names_of = {letter: draw(named) + letter for letter in "abcé"}
    vector = {letter: draw(st.sampled_from(["", "credit", "hiring"])) for letter in "abcé"}
    return [
        Decision(
            trace=names_of[letter],
            turn=turn,
            attribute=attribute,
            decision=yes,
            status=status if yes is None else "judged",
            vector=vector[letter],
            replicate=ord(letter),
        )
        for (letter, turn, attribute), (yes, status) in cells.items()
    ]


@pytest.mark.parametrize("form", FORMS)
@one_file
@given(rows=decisions())
@example(rows=[Decision(trace="a", turn=turn, attribute="age", decision=turn == 64) for turn in (0, 63, 64, 200)])
def test_both_ways_of_reading_find_what_the_definition_says(tmp_path: Path, form: str, rows: list[Decision]) -> None:
    """The quick pass, the pass row by row, and `collapse` of the same decisions agree on every cell."""
    path = write([row_of(each) for each in rows], tmp_path, form)
    expected = collapse(rows)
    assert same(read_table(path).matrix, expected)
    reported = read_table(path, on_error="report")
    assert reported.problems == ()
    assert same(reported.matrix, expected)


@pytest.mark.parametrize("form", FORMS)
def test_the_quick_way_is_taken_where_it_can_be(tmp_path: Path, form: str) -> None:
    """A valid table of the seed's example is read without looking at single rows, in CSV and Parquet."""
    path = write(seed_rows(), tmp_path, form)
    with mock.patch("evenhand.importers.plain_table.read.collect", side_effect=AssertionError):
        if form == "jsonl":
            with pytest.raises(AssertionError):
                read_table(path)
        else:
            assert len(read_table(path).matrix) == 25


def test_without_polars_text_is_read_and_parquet_says_what_to_install(tmp_path: Path) -> None:
    """The frames extra is needed for Parquet alone."""
    text, table = write(seed_rows(), tmp_path, "csv"), write(seed_rows(), tmp_path, "parquet")
    with mock.patch("evenhand.importers.plain_table.read.find_spec", return_value=None):
        assert len(read_table(text).matrix) == 25
    gone = ModuleNotFoundError("no polars", name="polars")
    with (
        mock.patch("evenhand._base.optional.import_module", side_effect=gone),
        pytest.raises(MissingExtraError, match=r"pip install 'evenhand\[frames\]'"),
    ):
        read_table(table)


def _bytes() -> st.SearchStrategy[bytes]:
    words = st.sampled_from(
        [b"trace", b"turn", b"attribute", b"decision", b"status", b",", b"\n", b"\r", b'"', b"1", b"a", b"yes", b"\x00",
         b"{", b"}", b":", b"[", b"null", b"1e9999", b"\xff", b"\xef\xbb\xbf", b" ", b"-1", b"NaN"]
    )  # fmt: skip
    return st.one_of(st.binary(max_size=80), st.lists(words, max_size=40).map(b"".join))


@pytest.mark.parametrize("on_error", ["raise", "report"])
@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("t.csv", b""),
        ("t.csv", b"trace,turn,attribute,decision\n"),
        ("t.csv", b"trace,turn,age\na,1,1\n"),
        ("t.jsonl", b""),
        ("t.jsonl", b'{"trace":"a","turn":1,"attribute":"age","decision":1}\n'),
        ("t.parquet", b"PAR1"),
        ("t.csv.gz", b"\x1f\x8b\x08"),
        ("t", b""),
    ],
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(tail=_bytes())
def test_any_bytes_are_read_or_refused_in_our_own_words(
    tmp_path: Path, name: str, head: bytes, on_error: str, tail: bytes
) -> None:
    """Nothing but an EvenhandError."""
    path = tmp_path / name
    path.write_bytes(head + tail)
    try:
        reading = read_table(path, on_error=on_error)  # type: ignore[arg-type]
    except EvenhandError:
        return
    assert on_error == "report" or not reading.problems


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80)
@given(flips=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=4))
def test_a_damaged_parquet_file_is_refused_in_our_own_words(tmp_path: Path, flips: list[tuple[float, int]]) -> None:
    """A few bytes of a valid file changed."""
    path = write(seed_rows(), tmp_path, "parquet")
    content = bytearray(path.read_bytes())
    for share, byte in flips:
        content[int(share * (len(content) - 1))] = byte
    path.write_bytes(content)
    try:
        read_table(path)
    except EvenhandError:
        return


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    """A missing file, a folder, a word for on_error that does not exist."""
    with pytest.raises(UsageError, match="There is no file"):
        read_table(tmp_path / "none.csv")
    with pytest.raises(UsageError, match="cannot be read"):
        read_table(tmp_path)
    with pytest.raises(UsageError, match="on_error is 'raise' or 'report', not 'skip'"):
        read_table(tmp_path, on_error="skip")  # type: ignore[arg-type]
