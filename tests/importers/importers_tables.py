"""Tables of decisions in every form, written by other means than the reader's."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from evenhand.core.detections import Decision, DetectionMatrix

COLUMNS = ("trace", "turn", "attribute", "decision", "vector", "replicate", "status")


def seed_rows() -> list[dict[str, object]]:
    """25 conversations of three turns: 7 fire on age alone, 2 on gender alone, 2 on both, 14 on neither."""
    kinds = [("age",)] * 7 + [("gender",)] * 2 + [("age", "gender")] * 2 + [()] * 14
    return [
        {
            "trace": f"{number:03d}",
            "turn": turn,
            "attribute": attribute,
            "decision": int(turn == 2 and attribute in yes),
        }
        for number, yes in enumerate(kinds)
        for turn in (1, 2, 3)
        for attribute in ("age", "gender")
    ]


def row_of(each: Decision) -> dict[str, object]:
    """One row with every column; the status is left out where the cell says enough."""
    return {
        "trace": each.trace,
        "turn": each.turn,
        "attribute": each.attribute,
        "decision": each.decision,
        "vector": each.vector,
        "replicate": each.replicate,
        "status": None if each.status in ("judged", "unscored") else each.status,
    }


def as_csv(rows: Sequence[dict[str, object]]) -> str:
    """Write as the standard library does."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def write(rows: Sequence[dict[str, object]], folder: Path, form: str) -> Path:
    """Write `rows` as ``csv``, ``jsonl`` or ``parquet``."""
    path = folder / f"table.{form}"
    if form == "csv":
        path.write_text(as_csv(rows), encoding="utf-8")
    elif form == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        pl.DataFrame(rows, infer_schema_length=None).write_parquet(path)
    return path


def same(one: DetectionMatrix, other: DetectionMatrix) -> bool:
    """Whether two matrices say the same of every trace and attribute, in whatever order they name them."""
    return _plain(one) == _plain(other) and dict(one.statuses) == dict(other.statuses)


def _plain(matrix: DetectionMatrix) -> dict[object, object]:
    arrays = (matrix.fired, matrix.judged, matrix.missing, matrix.first_turn)
    return {
        trace: (
            matrix.vectors[matrix.vector[i]],
            int(matrix.n_turns[i]),
            {a: tuple(np.asarray(each)[i, c].item() for each in arrays) for c, a in enumerate(matrix.attributes)},
        )
        for i, trace in enumerate(matrix.traces)
    }
