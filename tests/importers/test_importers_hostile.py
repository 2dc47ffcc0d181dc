"""Hostile tables: each is refused with the place and what to do, or reported and counted."""

from pathlib import Path

import polars as pl
import pytest

from evenhand.errors import DataError
from evenhand.importers.plain_table import read_table
from evenhand.instruments.violations.result import violations

HEAD = b"trace,turn,attribute,decision\n"
DECISION = "a decision is 0 or 1, true or false, yes or no, or empty where there is none"
SCORE = f"{DECISION}; a score must be cut at a threshold of your choice first"
STATUS = "a status is one of judged, refused, unparsed, error, censored, unscored, absent, or empty"

CASES: list[tuple[str, str, bytes, str]] = [
    ("empty", "t.csv", b"", "the file is empty; it needs a header and rows (t.csv)"),
    ("blank", "t.csv", b"\n \n\n", "the file is empty; it needs a header and rows (t.csv)"),
    ("header only", "t.csv", HEAD, "the table has a header and no row (t.csv)"),
    (
        "utf16",
        "t.csv",
        (HEAD + b"a,1,age,1\n").decode().encode("utf-16"),
        "this is text in UTF-16; save it as UTF-8 (t.csv)",
    ),
    (
        "utf16 no bom",
        "t.csv",
        (HEAD + b"a,1,age,1\n").decode().encode("utf-16-le"),
        "the line holds a NUL byte; save the file as UTF-8 text (t.csv, line 1)",
    ),
    (
        "latin1",
        "t.csv",
        HEAD + b"\xe9,1,age,1\n",
        "the line is not UTF-8 (byte 1); save the file as UTF-8 text (t.csv, line 2)",
    ),
    (
        "nul",
        "t.csv",
        HEAD + b"a\x00,1,age,1\n",
        "the line holds a NUL byte; save the file as UTF-8 text (t.csv, line 2)",
    ),
    ("ragged short", "t.csv", HEAD + b"a,1,age,1\nb,1,age\n", "the row has 3 cells, and the header 4 (t.csv, line 3)"),
    ("ragged long", "t.csv", HEAD + b"a,1,age,1,\n", "the row has 5 cells, and the header 4 (t.csv, line 2)"),
    (
        "dup header",
        "t.csv",
        b"trace,turn,attribute,decision,Turn\na,1,age,1,1\n",
        "the column 'Turn' is there twice (t.csv, line 1)",
    ),
    ("unnamed", "t.csv", b"trace,turn,attribute,decision,\na,1,age,1,1\n", "column 5 has no name (t.csv, line 1)"),
    (
        "missing",
        "t.csv",
        b"trace,turns,attribute,decision\na,1,age,1\n",
        "the column 'turn' is missing; did you mean 'turns'? (t.csv, line 1)",
    ),
    (
        "missing dec",
        "t.csv",
        b"trace,turn,attribute,biased\na,1,age,1\n",
        "the column 'decision' is missing (t.csv, line 1)",
    ),
    (
        "near status",
        "t.csv",
        b"trace,turn,attribute,decision,statuss\na,1,age,,refused\n",
        "the column 'statuss' is not known; did you mean 'status'? (t.csv, line 1)",
    ),
    (
        "semicolon",
        "t.csv",
        b"trace;turn;attribute;decision\na;1;age;1\n",
        "the columns are separated by ';'; a comma is needed (t.csv, line 1)",
    ),
    (
        "no attributes",
        "t.csv",
        b"trace,turn\na,1\n",
        "there is no column for decisions: give attribute and decision, or one column per attribute (t.csv, line 1)",
    ),
    (
        "10MB line",
        "t.csv",
        HEAD + b"a,1,age,1\nb,1,age," + b"x" * 10_000_000 + b"\n",
        "the line is longer than 1,048,576 bytes (t.csv, line 3)",
    ),
    (
        "100k cell",
        "t.csv",
        HEAD + b"a,1,age,1\nb,1," + b"x" * 200_000 + b",1\n",
        "a cell is longer than 131,072 characters (t.csv, line 3)",
    ),
    (
        "open quote",
        "t.csv",
        HEAD + b'a,1,age,1\n"b,1,age,1\n',
        "a quotation mark that opens here is never closed (t.csv, line 3)",
    ),
    (
        "after quote",
        "t.csv",
        HEAD + b'"a"b,1,age,1\n',
        "a quoted cell goes on after its closing quotation mark (t.csv, line 2)",
    ),
    (
        "cr",
        "t.csv",
        HEAD + b"a,1,age,1\rb,1,age,1\r",
        "a carriage return stands within the row; end lines with LF or CRLF (t.csv, line 2)",
    ),
    (
        "decision 2",
        "t.csv",
        HEAD + b"a,1,age,0\nb,1,age,2\n",
        f"{DECISION}; found '2' (t.csv, line 3, decision)",
    ),
    (
        "decision 1.0",
        "t.csv",
        HEAD + b"a,1,age,1.0\n",
        f"{DECISION}; found '1.0' (t.csv, line 2, decision)",
    ),
    (
        "decision maybe",
        "t.csv",
        HEAD + b"a,1,age,maybe\n",
        f"{DECISION}; found 'maybe' (t.csv, line 2, decision)",
    ),
    ("turn -1", "t.csv", HEAD + b"a,-1,age,1\n", "a turn is a whole number from 0; found '-1' (t.csv, line 2, turn)"),
    (
        "turn 1.5",
        "t.csv",
        HEAD + b"a,1.5,age,1\n",
        "a turn is a whole number from 0; found '1.5' (t.csv, line 2, turn)",
    ),
    ("turn empty", "t.csv", HEAD + b"a,,age,1\n", "a turn is a whole number from 0; found '' (t.csv, line 2, turn)"),
    ("turn plus", "t.csv", HEAD + b"a,+1,age,1\n", "a turn is a whole number from 0; found '+1' (t.csv, line 2, turn)"),
    (
        "turn arabic",
        "t.csv",
        HEAD + b"a,\xd9\xa1,age,1\n",
        "a turn is a whole number from 0; found '١' (t.csv, line 2, turn)",
    ),
    ("trace empty", "t.csv", HEAD + b" ,1,age,1\n", "this row names no trace; found ' ' (t.csv, line 2, trace)"),
    ("attr empty", "t.csv", HEAD + b"a,1,,1\n", "this row names no attribute; found '' (t.csv, line 2, attribute)"),
    (
        "dup",
        "t.csv",
        HEAD + b"a,1,age,1\na,2,age,0\na,1,age,0\n",
        "trace 'a' has a second decision on 'age' in turn 1; the first is in line 2 (t.csv, line 4, turn)",
    ),
    (
        "dup wide",
        "t.csv",
        b"trace,turn,age,gender\na,1,1,0\na,1,1,0\n",
        "trace 'a' has a second decision on 'age' in turn 1; the first is in line 2 (t.csv, line 3, turn)",
    ),
    (
        "vectors",
        "t.csv",
        b"trace,turn,attribute,decision,vector\na,1,age,1,x\na,2,age,1,y\n",
        "trace 'a' follows the vector 'x' in line 2 and 'y' here; a conversation has one; "
        "found 'y' (t.csv, line 3, vector)",
    ),
    (
        "replicates",
        "t.csv",
        b"trace,turn,attribute,decision,replicate\na,1,age,1,1\na,2,age,1,2\n",
        "trace 'a' is replicate 1 in line 2 and 2 here; "
        "every conversation needs a trace name of its own; found 2 (t.csv, line 3, replicate)",
    ),
    (
        "replicate x",
        "t.csv",
        b"trace,turn,attribute,decision,replicate\na,1,age,1,first\n",
        "a replicate is a whole number from 0, or empty; found 'first' (t.csv, line 2, replicate)",
    ),
    (
        "status unknown",
        "t.csv",
        b"trace,turn,attribute,decision,status\na,1,age,,skipped\n",
        f"{STATUS}; found 'skipped' (t.csv, line 2, status)",
    ),
    (
        "status contra",
        "t.csv",
        b"trace,turn,attribute,decision,status\na,1,age,0,refused\n",
        "the status is 'refused', and yet there is a decision; found '0' (t.csv, line 2, decision)",
    ),
    (
        "status judged empty",
        "t.csv",
        b"trace,turn,attribute,decision,status\na,1,age,,judged\n",
        "the status is 'judged', and there is no decision; found '' (t.csv, line 2, decision)",
    ),
    (
        "wide status",
        "t.csv",
        b"trace,turn,age,gender,status\na,1,0,1,error\n",
        "the status is 'error', and every decision of the row is there; found 'error' (t.csv, line 2, status)",
    ),
    (
        "wide text",
        "t.csv",
        b"trace,turn,age,reason\na,1,0,because\n",
        f"{DECISION}; found 'because' (t.csv, line 2, reason)",
    ),
    ("xlsx", "t.csv", b"PK\x03\x04rest", "this is a zip file or a spreadsheet; save the sheet as CSV (t.csv)"),
    ("json array", "t.json", b'[{"trace":"a"}]', "this is a JSON array; write one JSON object per line (t.json)"),
    (
        "jsonl bad",
        "t.jsonl",
        b'{"trace":"a","turn":1,"attribute":"age","decision":1}\n{"trace":\n',
        "the line is not a JSON object (t.jsonl, line 2)",
    ),
    (
        "jsonl list",
        "t.jsonl",
        b'{"trace":"a","turn":1,"attribute":"age","decision":1}\n[1]\n',
        "the line is JSON, but not an object (t.jsonl, line 2)",
    ),
    (
        "jsonl dup",
        "t.jsonl",
        b'{"trace":"a","turn":1,"turn":2,"attribute":"age","decision":1}\n',
        "the field 'turn' is there twice (t.jsonl, line 1)",
    ),
    (
        "jsonl missing",
        "t.jsonl",
        b'{"trace":"a","turn":1,"attribute":"age","decision":1}\n{"trace":"a","turn":2,"attribute":"age"}\n',
        "the field 'decision' is missing (t.jsonl, line 2)",
    ),
    (
        "jsonl float id",
        "t.jsonl",
        b'{"trace":7.0,"turn":1,"attribute":"age","decision":1}\n',
        "an id is text or a whole number; found 7.0 (t.jsonl, line 1, trace)",
    ),
    (
        "jsonl float turn",
        "t.jsonl",
        b'{"trace":"7","turn":1.0,"attribute":"age","decision":1}\n',
        "a turn is a whole number from 0; found 1.0 (t.jsonl, line 1, turn)",
    ),
    (
        "jsonl score",
        "t.jsonl",
        b'{"trace":"7","turn":1,"attribute":"age","decision":0.7}\n',
        f"{SCORE}; found 0.7 (t.jsonl, line 1, decision)",
    ),
    (
        "jsonl bool turn",
        "t.jsonl",
        b'{"trace":"7","turn":true,"attribute":"age","decision":0}\n',
        "a turn is a whole number from 0; found True (t.jsonl, line 1, turn)",
    ),
    (
        "jsonl list cell",
        "t.jsonl",
        b'{"trace":["7"],"turn":1,"attribute":"age","decision":0}\n',
        "an id is text or a whole number; found ['7'] (t.jsonl, line 1, trace)",
    ),
    (
        "jsonl status list",
        "t.jsonl",
        b'{"trace":"7","turn":1,"attribute":"age","decision":null,"status":["x"]}\n',
        f"{STATUS}; found ['x'] (t.jsonl, line 1, status)",
    ),
    (
        "not parquet",
        "t.parquet",
        HEAD + b"a,1,age,1\n",
        "the name says Parquet, and the content is something else (t.parquet)",
    ),
    ("cut parquet", "t.parquet", b"PAR1" + b"\x00" * 50 + b"PAR1", "this Parquet file cannot be read: "),
]


@pytest.mark.parametrize(("name", "content", "message"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_hostile_file_is_refused_by_place(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    """The whole text of the error, with file, line, column and value."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DataError) as refused:
        read_table(path)
    said = str(refused.value).replace(f"{tmp_path}/", "")
    assert said == message or (message.endswith(": ") and said.startswith(message))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"trace": [1.5]}, "the column holds Float64; an id is text or a whole number (t.parquet, trace)"),
        ({"trace": [["a"]]}, "the column holds List(String); an id is text or a whole number (t.parquet, trace)"),
        ({"turn": [1.0]}, "the column holds Float64; a turn is a whole number from 0 (t.parquet, turn)"),
        ({"turn": [None, 1]}, "a turn is a whole number from 0 (t.parquet, row 1, turn)"),
        ({"trace": ["a", None]}, "this row names no trace (t.parquet, row 2, trace)"),
        (
            {"decision": [0.7]},
            "the column holds Float64; a decision is 0 or 1, true or false, yes or no, or empty where there is none; "
            "a score must be cut at a threshold of your choice first (t.parquet, decision)",
        ),
        (
            {"decision": [1, 2], "trace": ["a", "b"]},
            f"{DECISION}; found 2 (t.parquet, row 2, decision)",
        ),
        (
            {"decision": [True, False]},
            "trace 'a' has a second decision on 'age' in turn 1; the first is in row 1 (t.parquet, row 2, turn)",
        ),
        ({"decision": []}, "the table has a header and no row (t.parquet)"),
    ],
)
def test_a_hostile_parquet_table_is_refused_by_place(
    tmp_path: Path, columns: dict[str, list[object]], message: str
) -> None:
    """Column types are looked at first; rows have numbers, not lines."""
    rows = max((len(values) for values in columns.values()), default=0)
    plain: dict[str, list[object]] = {"trace": ["a"], "turn": [1], "attribute": ["age"], "decision": [True]}
    content = {name: columns.get(name, values * rows) for name, values in plain.items()}
    frame = pl.DataFrame(content, schema_overrides={} if rows else {"decision": pl.Boolean})
    frame.write_parquet(tmp_path / "t.parquet")
    with pytest.raises(DataError) as refused:
        read_table(tmp_path / "t.parquet")
    assert str(refused.value).replace(f"{tmp_path}/", "") == message


def test_reporting_lists_everything_and_goes_on_with_what_is_valid(tmp_path: Path) -> None:
    """A decision that cannot be read is missing; so is one that is there twice; a trace of two vectors is out."""
    path = tmp_path / "t.csv"
    path.write_text(
        "trace,turn,attribute,decision,vector\n"
        "good,1,age,1,x\n"
        "good,2,age,0,x\n"
        "word,1,age,maybe,x\n"
        "twice,1,age,1,x\n"
        "twice,1,age,0,x\n"
        "torn,1,age,1,x\n"
        "torn,2,age,1,y\n"
        "placeless,first,age,1,x\n"
        "short,1\n"
    )
    found = read_table(path, on_error="report")
    assert [(problem.line, problem.field) for problem in found.problems] == [
        (4, "decision"),
        (8, "vector"),
        (9, "turn"),
        (10, None),
        (6, "turn"),
    ]
    coverage = found.coverage
    assert (coverage.rows, coverage.left_out, coverage.copies, coverage.traces_left_out) == (9, 2, 2, 1)
    assert list(found.matrix.traces) == ["good", "twice", "word"]
    assert dict(found.matrix.statuses) == {"judged": 2, "unparsed": 1, "error": 1}
    rate = violations(found.matrix).overall
    assert (rate.k, rate.n, rate.unobserved) == (1, 1, 2)
    assert found.matrix.source["problems"] == "5: 2 rows and 1 traces left out, 2 copies"


def test_a_table_of_nothing_but_problems_has_no_rate(tmp_path: Path) -> None:
    """Undefined, not 0."""
    path = tmp_path / "t.csv"
    path.write_bytes(HEAD + b"a,x,age,1\n")
    assert violations(read_table(path, on_error="report").matrix).overall.value is None
