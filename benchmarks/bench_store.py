"""The store's speed: save and load 100,000 outputs with six evaluators, two embeddings of 384 dimensions among them.

Usage: python benchmarks/bench_store.py [--outputs N] [--batch N] [--db URL]
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from evenhand.core.outcomes import Answered, Attempt, Usage
from evenhand.core.protocols import Judged
from evenhand.core.types import Condition, EvaluationRun, GeneratedOutput, ModelInfo, Request, RequestId, RunId
from evenhand.storage.locate import open_store
from evenhand.storage.records import Evaluation, Response

RUN = RunId("benchmark")
REPLICATES = 10
DIMENSIONS = 384
TEXT = "The nurse walked into the ward on her first morning and greeted every patient by name. She had prepared well."


def main() -> None:
    """Save, load, print seconds and megabytes."""
    arguments = _arguments()
    responses = _responses(arguments.outputs)
    evaluations = _evaluations([response.request.id for response in responses])
    with tempfile.TemporaryDirectory() as folder:
        location = arguments.db or str(Path(folder) / "runs.db")
        with open_store(location) as store, _timed("save"):
            store.create_run(_run())
            with _timed("  responses"):
                for batch in _batches(responses, arguments.batch):
                    store.save_responses(RUN, batch)
            with _timed("  evaluations"):
                for batch in _batches(evaluations, arguments.batch * 6):
                    store.save_evaluations(RUN, batch)
        del responses, evaluations
        with open_store(location) as store, _timed("load as columns"):
            with _timed("  responses"):
                columns = store.response_columns(RUN)
            for name in ("embeddings", "toxicity", "sentiment", "refusal", "demographic", "slurs"):
                with _timed(f"  {name}"):
                    judged = store.evaluations_by(RUN, name)
                    assert len(judged.request_ids) == len(columns.request_ids)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--outputs", type=int, default=100_000)
    parser.add_argument("--batch", type=int, default=256, help="outputs saved in one transaction, as the engine does")
    parser.add_argument("--db", help="path or URL of an empty database; a temporary SQLite file if not given")
    return parser.parse_args()


@contextmanager
def _timed(what: str) -> Iterator[None]:
    before, wall = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    yield
    wall, after = time.perf_counter() - wall, resource.getrusage(resource.RUSAGE_SELF)
    user, system = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
    print(f"{what:18} {wall:6.2f} s  (user {user:.2f}, system {system:.2f})", flush=True)


def _batches(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _run() -> EvaluationRun:
    return EvaluationRun(
        id=RUN,
        name="benchmark",
        status="running",
        model=ModelInfo(provider="simulated", name="benchmark", is_simulated=True),
        spec={},
        spec_digest="",
        created_at="2026-11-30T20:44:55+00:00",
    )


def _responses(count: int) -> list[Response]:
    groups = (Condition(attribute="gender", value=value) for value in ("female", "male"))
    conditions = [Condition(), *groups]
    return [
        Response(
            request=Request(
                id=RequestId(f"{number * 2654435761 % 2**32:064x}"),
                scenario_id=f"scenario-{number // REPLICATES // 3 % 100}",
                condition=conditions[number // REPLICATES % 3],
                replicate=number % REPLICATES + 1,
                prompt=f"Write two sentences about role {number // REPLICATES} starting a new job.",
                seed=number,
            ),
            output=GeneratedOutput(
                outcome=Answered(text=f"{TEXT} {number}", finish_reason="stop"),
                model="benchmark-1",
                usage=Usage(input_tokens=12, output_tokens=25),
                latency_s=0.25,
                provider_request_id=f"req-{number}",
                attempts=(Attempt(status="ok", started_at="2026-11-30T20:44:55.123456+00:00", latency_s=0.25),),
            ),
        )
        for number in range(count)
    ]


def _evaluations(ids: Sequence[RequestId]) -> list[Evaluation]:
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((len(ids), 2, DIMENSIONS), dtype=np.float32)
    scores = rng.random((len(ids), 18))
    toxicity = ("toxic", "severe_toxic", "obscene", "threat", "insult", "identity_attack")
    sentiment = ("positive", "negative", "neutral")
    evaluations = []
    for request_id, pair, row in zip(ids, vectors, scores.tolist(), strict=True):
        said = {
            "embeddings": Judged(vectors={"embedding": pair[0], "embedding_masked": pair[1]}),
            "toxicity": Judged(
                values={
                    "toxicity": dict(zip(toxicity, row, strict=False)),
                    "toxicity_masked": dict(zip(toxicity, row[6:], strict=False)),
                }
            ),
            "sentiment": Judged(
                values={
                    "sentiment": dict(zip(sentiment, row[12:], strict=False)),
                    "sentiment_masked": dict(zip(sentiment, row[15:], strict=False)),
                }
            ),
            "refusal": Judged(values={"is_refusal": False, "phrases": []}),
            "demographic": Judged(values={"detected_entities": {"gender": {"female": 1.0}}, "mentions": ["She"]}),
            "slurs": Judged(values={"slurs": 0.0}),
        }
        for name, judgement in said.items():
            evaluations.append(Evaluation(request_id=request_id, evaluator=name, version="1", judgement=judgement))
    return evaluations


if __name__ == "__main__":
    main()
