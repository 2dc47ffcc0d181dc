"""The same figures for pytest-benchmark, to compare two versions: pytest benchmarks --benchmark-compare."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks import evaluators, whole_run
from benchmarks.large_run import RUN, save
from benchmarks.outputs import as_table, made_up
from benchmarks.processes import PROGRAM, measure
from evenhand.core.protocols import Evaluator
from evenhand.core.types import References
from evenhand.engine.loading import read_outputs
from evenhand.evaluation.masking import mask
from evenhand.evaluation.registry import LAYER_1, load_evaluators
from evenhand.instruments.audit.score import score
from evenhand.metrics.registry import registry
from evenhand.storage.locate import open_store

Benchmark = Any  # the fixture has no published type
OUTPUTS, SCENARIOS = 20_000, 250


@pytest.fixture(scope="module")
def loaded() -> dict[str, Evaluator]:
    """Every evaluator, ready."""
    return {evaluator.name: evaluator for evaluator in load_evaluators()}


@pytest.mark.parametrize("words", [10, 60])
@pytest.mark.parametrize("name", LAYER_1)
def test_judging(benchmark: Benchmark, loaded: dict[str, Evaluator], name: str, words: int) -> None:
    """300 different answers, raw and masked."""
    given = evaluators.subjects(words)
    loaded[name].evaluate(evaluators.subjects(words + 1, 20))  # first use loads and compiles
    benchmark.pedantic(loaded[name].evaluate, args=(given,), rounds=2)


def test_masking(benchmark: Benchmark) -> None:
    """300 answers of 60 words."""
    texts = [subject.text for subject in evaluators.subjects(60)]
    benchmark(lambda: [mask(text) for text in texts])


@pytest.mark.parametrize("metric", list(registry().names()))
def test_metric(benchmark: Benchmark, metric: str, table: Any) -> None:
    """One metric's point values."""
    outputs, references = table
    benchmark.pedantic(registry().get(metric)().compute, args=(outputs, references), rounds=3)


@pytest.fixture(scope="module")
def table() -> Any:
    """Outputs and references."""
    audit = made_up(OUTPUTS, scenarios=SCENARIOS)
    return as_table(audit), References.of(audit.spec.scenario_sets)


def test_six_metrics(benchmark: Benchmark, table: Any) -> None:
    """All of them, as a run computes them."""
    outputs, references = table
    metrics = [registry().get(name)() for name in registry().names()]
    benchmark.pedantic(score, args=(outputs, metrics, references), kwargs={"skipped": {}}, rounds=3)


def test_loading(benchmark: Benchmark, tmp_path: Path) -> None:
    """A stored run to columns."""
    audit = made_up(OUTPUTS, scenarios=SCENARIOS)
    with open_store(str(tmp_path / "runs.db")) as store:
        save(store, audit)
        benchmark.pedantic(read_outputs, args=(store, RUN, audit.spec), rounds=3)


def test_whole_run(benchmark: Benchmark) -> None:
    """500 prompts, 50 at once, every evaluator."""
    benchmark.pedantic(whole_run.run, kwargs={"words": 10, "rounds": 1}, rounds=2)


def test_help(benchmark: Benchmark) -> None:
    """What a user waits for before anything is done."""
    benchmark.pedantic(measure, args=([PROGRAM, "--help"],), rounds=5)
