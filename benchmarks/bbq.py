"""Scoring of two intersectional categories of BBQ, 27,120 items × 20 runs: all figures and intervals.

Usage: python -m benchmarks.bbq [FOLDER with Race_x_SES.jsonl.gz and Race_x_gender.jsonl.gz]
"""

import csv
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

from evenhand.api import intersectional
from evenhand.instruments.intersectional.result import score
from evenhand.instruments.intersectional.table import ItemTable
from evenhand.scenarios.questions.registry import read_set

RUNS = 20
T = TypeVar("T")


def timed(what: str, call: Callable[[], T]) -> T:
    begun = time.perf_counter()
    result = call()
    print(f"{what:<50} {time.perf_counter() - begun:6.2f} s")
    return result


def main(folder: Path) -> None:
    files = [folder / f"{name}.jsonl.gz" for name in ("Race_x_SES", "Race_x_gender")]
    items = timed("read the items", lambda: read_set(*files))
    table = timed("targets, as columns", lambda: ItemTable.of(items))
    choices = np.random.default_rng(0).integers(-1, 3, size=(len(items), RUNS)).astype(np.int8)
    timed(f"score {choices.size:,} answers (target: 3 s)", lambda: score(table, choices))
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "answers.csv"
        with path.open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["category", "example_id", "run", "answer"])
            for item, row in zip(items, choices.tolist(), strict=True):
                writer.writerows([item.category, item.example_id, run, answer] for run, answer in enumerate(row))
        timed("the same from files: items, CSV of answers, score", lambda: intersectional(path, files))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "shared" / "bbq")
