"""Measures what `docs/design/performance.md` promises, and prints one table.

Usage: python -m benchmarks [--rounds N] [--outputs N] [--large] [--install]
"""

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks import evaluators, generation, install, violations, whole_run
from benchmarks.processes import PROGRAM, best_of, measure


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One line of the table; `target` is None where nothing was promised."""

    name: str
    value: float
    unit: str
    how: str
    at_most: float | None = None
    at_least: float | None = None

    @property
    def target(self) -> str:
        """The promise, in words."""
        if self.at_most is not None:
            return f"≤ {self.at_most:g}"
        return "" if self.at_least is None else f"≥ {self.at_least:g}"

    @property
    def verdict(self) -> str:
        """Whether it was kept."""
        if self.at_most is None and self.at_least is None:
            return ""
        too_much = self.at_most is not None and self.value > self.at_most
        too_little = self.at_least is not None and self.value < self.at_least
        return "missed" if too_much or too_little else "kept"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="repetitions; the quickest counts")
    parser.add_argument("--outputs", type=int, default=100_000, help="outputs of the large run")
    parser.add_argument("--large", action="store_true", help="decisions: 100 million instead of 20")
    parser.add_argument("--install", action="store_true", help="also measure a base install (needs a package index)")
    arguments = parser.parse_args()
    table = Table(title=f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    for column in ("Figure", "Value", "Unit", "Target", "", "How"):
        table.add_column(column, justify="right" if column == "Value" else "left")
    progress = Console(stderr=True)
    for figure in _figures(arguments):
        table.add_row(figure.name, f"{figure.value:.3g}", figure.unit, figure.target, figure.verdict, figure.how)
        progress.print(f"{figure.name}: {figure.value:.3g} {figure.unit} {figure.verdict}", highlight=False)
    Console(width=160).print(table)


def _figures(arguments: argparse.Namespace) -> Iterator[Figure]:
    yield from _starting(arguments.rounds)
    yield from _running(arguments.rounds)
    yield from _generating(arguments.rounds)
    yield from _judging()
    yield from _large_run(arguments.outputs)
    yield from _violations(arguments.rounds, 100_000_000 if arguments.large else 20_000_000)
    if arguments.install:
        size = install.site_packages_mb()
        yield Figure(
            name="base install", value=size, unit="MB", at_most=400, how="site-packages of a fresh environment"
        )


def _starting(rounds: int) -> Iterator[Figure]:
    # without the interpreter's own start, which is not ours
    bare = best_of(rounds + 2, [sys.executable, "-c", "pass"]).wall_s
    imported = best_of(rounds + 2, [sys.executable, "-c", "import evenhand"]).wall_s - bare
    yield Figure(name="import evenhand", value=imported, unit="s", at_most=0.15, how="above a bare interpreter")
    shown = best_of(rounds + 2, [PROGRAM, "--help"]).wall_s
    yield Figure(name="evenhand --help", value=shown, unit="s", at_most=0.3, how="whole process")


def _running(rounds: int) -> Iterator[Figure]:
    for words in (10, 25, 60):
        cost = whole_run.run(words=words, rounds=rounds)
        name, promised = f"audit of 500 prompts, {words} words", words == 10
        how = f"whole process, 50 at once, answers after 50 ms, all different; {cost.processor_s:.1f} s of processor"
        yield Figure(name=name, value=cost.wall_s, unit="s", at_most=3 if promised else None, how=how)
        yield Figure(name="  its memory", value=cost.peak_mb, unit="MB", at_most=400, how="peak resident set")


def _generating(rounds: int) -> Iterator[Figure]:
    bare, ours = generation.compare(rounds=rounds)
    how = "1,000 requests, 50 at once, in turn in one process"
    yield Figure(name="bare SDK", value=bare.per_s, unit="requests/s", how=how)
    yield Figure(name="our generation", value=ours.per_s, unit="requests/s", how="asked, retried if needed, stored")
    yield Figure(name="  beside the SDK", value=ours.per_s / bare.per_s, unit="share", at_least=0.8, how="wall time")
    share = ours.per_cpu_s / bare.per_cpu_s
    yield Figure(name="  beside the SDK", value=share, unit="share", how="processor time, the storing thread included")


def _judging() -> Iterator[Figure]:
    for name, speed in evaluators.texts_per_core_s(25).items():
        yield Figure(name=f"evaluator {name}", value=speed, unit="answers/s", how="one core, 25 words, raw and masked")


def _large_run(outputs: int) -> Iterator[Figure]:
    promised = {"save": 10.0, "load": 5.0, "score": 2.0, "infer": 6.0}
    names = {
        "save": "save",
        "load": "load",
        "score": "six metrics",
        "infer": "six metrics with intervals, tests, fair references",
    }
    with tempfile.TemporaryDirectory() as folder:
        for step, at_most in promised.items():
            found = _step(step, f"{folder}/large.db", outputs)
            how = f"{outputs:,} outputs, 2 × 384-d embeddings; {found['processor_s']:.1f} s of processor"
            yield Figure(name=names[step], value=found["seconds"], unit="s", at_most=at_most, how=how)
            if step in ("score", "infer"):
                how, most = "peak of the process that loads and computes", 1000 if step == "score" else 1500
                yield Figure(name="  its memory", value=found["peak_mb"], unit="MB", at_most=most, how=how)


def _violations(rounds: int, decisions: int) -> Iterator[Figure]:
    module = [sys.executable, "-m", "benchmarks.violations"]
    with tempfile.TemporaryDirectory() as folder:
        table = violations.write(Path(folder), decisions)
        found = json.loads(measure([*module, "compare", str(table), "--rounds", str(rounds)]).output)
        how = f"{decisions:,} decisions; rate, patterns, duplicates; the bare group_by took {found['bare_s']:.2f} s"
        yield Figure(name="violation rate, Parquet", value=found["seconds"], unit="s", how=how)
        yield Figure(
            name="  beside a group_by",
            value=found["seconds"] / found["bare_s"],
            unit="times",
            at_most=1.5,
            how="wall time",
        )
        yield Figure(
            name="  its memory", value=found["peak_mb"], unit="MB", at_most=2000, how="peak, group_by included"
        )
        text = violations.write_csv(table, 10_000_000)
        read = json.loads(measure([*module, "read", str(text)]).output)
        yield Figure(name="violation rate, CSV", value=read["seconds"], unit="s", at_most=15, how="10,000,000 rows")


def _step(step: str, database: str, outputs: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.large_run", step, database, "--outputs", str(outputs)]
    found: dict[str, Any] = json.loads(measure(command).output)
    return found


if __name__ == "__main__":
    main()
