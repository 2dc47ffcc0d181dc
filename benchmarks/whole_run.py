"""`evenhand run` from the command line to the scorecard: 500 prompts, 50 at once, every evaluator of layer 1."""

import tempfile
from pathlib import Path

from benchmarks.processes import PROGRAM, Cost, measure
from benchmarks.prompts import write_scenarios
from benchmarks.server import serving

PROMPTS, CONCURRENCY, DELAY_S = 500, 50, 0.05


def run(*, words: int, rounds: int) -> Cost:
    """Audit a server that gives `PROMPTS` different answers of `words` words; return the quickest of `rounds`.

    Every round has a database of its own, so it pays for making it.
    """
    with tempfile.TemporaryDirectory() as folder, serving(words=words, delay_s=DELAY_S) as url:
        scenarios = write_scenarios(Path(folder) / "scenarios.yaml", PROMPTS)
        costs = [measure(_command(scenarios, url), environment=_database(folder, n)) for n in range(rounds)]
    return min(costs, key=lambda cost: cost.wall_s)


def _command(scenarios: Path, url: str) -> list[str]:
    options = ["--model", "openai-compatible/benchmark", "--base-url", url]
    return [PROGRAM, "run", str(scenarios), *options, "--replicates", "1", "--concurrency", str(CONCURRENCY)]


def _database(folder: str, number: int) -> dict[str, str]:
    return {"EVENHAND_DB": f"{folder}/{number}.db"}
