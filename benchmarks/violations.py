"""The violation rate of a large table beside a bare group_by of the same file, in turn in one process."""

import argparse
import json
import resource
import time
from collections.abc import Callable
from pathlib import Path

from evenhand.api import violation_rate

TURNS, ATTRIBUTES, RATE = 50, ("age", "gender", "race", "religion", "disability"), 0.002
PER_TRACE = TURNS * len(ATTRIBUTES)


def write(folder: Path, decisions: int) -> Path:
    """Write a Parquet table whose traces are contiguous; in pieces, so that writing needs little memory."""
    import numpy as np
    import polars as pl

    target, piece = folder / "decisions.parquet", 20_000
    pieces = []
    rng = np.random.default_rng(0)
    for start in range(0, decisions // PER_TRACE, piece):
        n = min(piece, decisions // PER_TRACE - start)
        names = pl.Series([f"conversation-{start + i:07d}" for i in range(n)])
        pieces.append(folder / f"piece-{start:08d}.parquet")
        pl.DataFrame(
            {
                "trace": names.gather(np.repeat(np.arange(n), PER_TRACE)),
                "turn": np.tile(np.repeat(np.arange(1, TURNS + 1), len(ATTRIBUTES)), n),
                "attribute": pl.Series(ATTRIBUTES).gather(np.tile(np.arange(len(ATTRIBUTES)), TURNS * n)),
                "decision": (rng.random(n * PER_TRACE) < RATE).astype(np.int8),
            }
        ).write_parquet(pieces[-1])
    pl.scan_parquet(pieces).sink_parquet(target, maintain_order=True)
    for each in pieces:
        each.unlink()
    return target


def write_csv(parquet: Path, rows: int) -> Path:
    """Write the first rows as CSV."""
    import polars as pl

    target = parquet.with_suffix(".csv")
    pl.scan_parquet(parquet).head(rows).sink_csv(target)
    return target


def compare(table: Path, rounds: int) -> dict[str, float]:
    """Time both in turn; the quickest of each counts."""
    bare, ours = [], []
    for _ in range(rounds):
        bare.append(_seconds(lambda: _bare(table)))
        ours.append(_seconds(lambda: violation_rate(table)))
    return {"bare_s": min(bare), "seconds": min(ours), "peak_mb": _peak_mb()}


def read(table: Path) -> dict[str, float]:
    """Time the rate alone."""
    return {"seconds": _seconds(lambda: violation_rate(table)), "peak_mb": _peak_mb()}


def _bare(table: Path) -> None:
    import polars as pl

    grouped = pl.scan_parquet(table).group_by("trace", "attribute")
    grouped.agg(pl.col("decision").max(), pl.len()).collect(engine="streaming")


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Run one step in a process of its own, so that its memory is its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=["compare", "read"])
    parser.add_argument("table", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    is_read = arguments.step == "read"
    print(json.dumps(read(arguments.table) if is_read else compare(arguments.table, arguments.rounds)))


if __name__ == "__main__":
    main()
