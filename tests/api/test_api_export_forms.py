"""The forms of an export: what is read back, with somebody else's reader, is what was said."""

import csv
import io
import json

import numpy as np
import polars
import pytest

from evenhand.api.export_forms import FORMS, Exported

TEXTS = ["plain", "", None, "=SUM(A1)", 'two\nlines, "quoted"\r\n', "Ünï 😀", "\u2028\x00", "-1"]
ROWS = len(TEXTS)
VECTORS = np.linspace(-1, 1, ROWS * 3, dtype=np.float32).reshape(ROWS, 3)
VECTORS[2] = np.nan


def exported(**changes: object) -> Exported:
    columns = {
        "text": TEXTS,
        "count": [1, None, 3, -4, 5, 6, 7, 2**53],
        "score": np.array([0.1, np.nan, 1e-9, 1.0, 0.0, 0.5, 1 / 3, 7.0]),
        "flag": [True, False, None, True, False, True, None, False],
        "nothing": [None] * ROWS,
    }
    kinds = {"text": "text", "count": "integer", "score": "number", "flag": "flag", "nothing": "text"}
    defaults = {"rows": ROWS, "columns": columns, "kinds": kinds, "vectors": {}}
    return Exported(**{**defaults, **changes})  # type: ignore[arg-type]


def rows() -> list[dict[str, object]]:
    """What must come back."""
    columns = exported().columns
    plain = {name: [None if cell != cell else cell for cell in cells] for name, cells in columns.items()}
    return [dict(zip(plain, row, strict=True)) for row in zip(*plain.values(), strict=True)]


def written(form: str, what: Exported) -> bytes:
    stream = io.BytesIO()
    FORMS[form](what, stream)
    return stream.getvalue()


def test_json_lines_round_trip() -> None:
    """NaN is null; what JSON escapes, its readers undo."""
    assert [json.loads(line) for line in written("jsonl", exported()).decode().split("\n")[:-1]] == rows()


def test_csv_round_trips_with_python() -> None:
    """Python's reader sees every text; an empty cell stands for None."""
    read = list(csv.DictReader(io.StringIO(written("csv", exported()).decode(), newline="")))
    assert [row["text"] for row in read] == [text or "" for text in TEXTS]
    assert [float(row["score"]) if row["score"] else None for row in read] == [row["score"] for row in rows()]
    assert [row["flag"] for row in read] == ["true", "false", "", "true", "false", "true", "", "false"]


def test_csv_tells_an_empty_text_from_none() -> None:
    """polars, which looks at the quotes, gets back every type and every None."""
    read = polars.read_csv(written("csv", exported()), schema_overrides={"nothing": polars.String})
    assert read.to_dicts() == rows()


def test_parquet_round_trips_with_types() -> None:
    """Also where a column holds nothing."""
    read = polars.read_parquet(written("parquet", exported()))
    assert read.to_dicts() == rows()
    assert read.dtypes == [polars.String, polars.Int64, polars.Float64, polars.Boolean, polars.String]


def test_vectors_keep_their_bits() -> None:
    """float32 in Parquet, the shortest text that gives the same float32 in JSON; a row without is null."""
    what = exported(vectors={"embedding": VECTORS, "embedding_masked": None})
    frame = polars.read_parquet(written("parquet", what))
    assert frame["embedding"].null_count() == 1
    assert frame["embedding_masked"].null_count() == ROWS
    lines = [json.loads(line) for line in written("jsonl", what).decode().split("\n")[:-1]]
    for row, vector in enumerate(VECTORS):
        if row == 2:
            assert lines[row]["embedding"] is None
        else:
            assert np.array(frame["embedding"][row], dtype=np.float32).tobytes() == vector.tobytes()
            assert np.array(lines[row]["embedding"], dtype=np.float32).tobytes() == vector.tobytes()
        assert lines[row]["embedding_masked"] is None


def test_half_of_a_surrogate_pair() -> None:
    """JSON can say it; a Unicode file cannot, and gets the sign for "something that was no character"."""
    what = exported(rows=1, columns={"text": ["a\ud83d"]}, vectors={"embedding": VECTORS[:1]})
    line = json.loads(written("jsonl", what))
    assert line["text"] == "a\ud83d"
    assert np.array(line["embedding"], dtype=np.float32).tobytes() == VECTORS[0].tobytes()
    what = exported(rows=1, columns={"text": ["a\ud83d"]})
    assert written("csv", what).decode() == '"text"\r\n"a\ufffd"\r\n'
    assert polars.read_parquet(written("parquet", what))["text"].to_list() == ["a\ufffd"]


@pytest.mark.parametrize("form", list(FORMS))
def test_a_run_without_rows(form: str) -> None:
    """A run that was stopped before its first answer has columns, and no rows."""
    content = written(form, exported(rows=0, columns={name: [] for name in exported().columns}))
    if form == "parquet":
        assert polars.read_parquet(content).shape == (0, 5)
    else:
        assert content == {"jsonl": b"", "csv": b'"text","count","score","flag","nothing"\r\n'}[form]
