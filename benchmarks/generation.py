"""Generation beside the bare SDK: the same requests, concurrency and server, with and without Evenhand around them."""

import asyncio
import gc
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from openai import AsyncOpenAI

from benchmarks.prompts import write_scenarios
from benchmarks.server import serving
from evenhand.adapters.openai_compatible import OpenAICompatibleAdapter
from evenhand.core.types import GenerationConfig
from evenhand.engine import FairBenchEngine
from evenhand.engine.events import Event, Progress, RunStarted
from evenhand.evaluation.registry import LAYER_1

CONCURRENCY = 50
DELAY_S = 0.05
_CONFIG = GenerationConfig(max_tokens=64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Throughput:
    """Requests per second of wall time, and per second of this process's processor time."""

    per_s: float
    per_cpu_s: float


def compare(prompts: int = 1000, rounds: int = 3) -> tuple[Throughput, Throughput]:
    """Measure the bare SDK and Evenhand in turn, `rounds` times; return the best of each."""
    with tempfile.TemporaryDirectory() as folder, serving(words=12, delay_s=DELAY_S) as url:
        scenarios = write_scenarios(Path(folder) / "scenarios.yaml", prompts)
        asked = [f"Write one sentence about person {number}." for number in range(prompts)]
        asyncio.run(_bare(url, asked[:CONCURRENCY]))  # imports are not what is compared
        asyncio.run(_ours(url, write_scenarios(Path(folder) / "few.yaml", CONCURRENCY), Path(folder) / "few.db", 48))
        gc.freeze()  # as the program does once it is loaded; both sides gain
        measured = [
            (asyncio.run(_bare(url, asked)), asyncio.run(_ours(url, scenarios, Path(folder) / f"{n}.db", prompts)))
            for n in range(rounds)
        ]
    bare, ours = ([pair[side] for pair in measured] for side in (0, 1))
    return _best(bare), _best(ours)


async def _bare(url: str, prompts: Sequence[str]) -> Throughput:
    """What somebody would write who only wants the answers."""
    todo = iter(prompts)
    async with AsyncOpenAI(api_key="none", base_url=url, max_retries=0) as client:

        async def work() -> None:
            for seed, prompt in enumerate(todo):
                await client.chat.completions.create(
                    model="benchmark",
                    messages=[{"role": "user", "content": prompt}],
                    max_tokens=_CONFIG.max_tokens,
                    seed=seed,
                )

        with _Watch(len(prompts)) as watch:
            async with asyncio.TaskGroup() as group:
                for _ in range(CONCURRENCY):
                    group.create_task(work())
    return watch.throughput


async def _ours(url: str, scenarios: Path, database: Path, prompts: int) -> Throughput:
    """The engine from the first request to the last stored answer: limits, retry policy, records, store, events."""
    watch = _Watch(prompts)

    def listen(event: Event) -> None:
        match event:
            case RunStarted():
                watch.__enter__()
            case Progress(stage="answers", done=done) if done == prompts:
                watch.__exit__()
            case _:
                pass

    async with (
        OpenAICompatibleAdapter("benchmark", base_url=url) as adapter,
        FairBenchEngine(database) as engine,
    ):
        run = await engine.evaluate(
            model=adapter,
            scenarios=scenarios,
            metrics=["SAR"],
            generation_config=_CONFIG,
            replicates=1,
            concurrency=CONCURRENCY,
            skip_evaluators=LAYER_1,
            listener=listen,
        )
    assert run.manifest["outcomes"]["answered"] == prompts
    return watch.throughput


class _Watch:
    def __init__(self, requests: int) -> None:
        self._requests = requests

    def __enter__(self) -> "_Watch":
        self._wall, self._cpu = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        wall, cpu = time.perf_counter() - self._wall, time.process_time() - self._cpu
        self.throughput = Throughput(per_s=self._requests / wall, per_cpu_s=self._requests / cpu)


def _best(measured: Sequence[Throughput]) -> Throughput:
    return Throughput(per_s=max(each.per_s for each in measured), per_cpu_s=max(each.per_cpu_s for each in measured))
