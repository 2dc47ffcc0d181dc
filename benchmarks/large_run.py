"""A run of 100,000 outputs: save it, load it, compute the six metrics; a process for each, which has its own peak.

Usage: python -m benchmarks.large_run {save,load,score,infer} DATABASE [--outputs N] [--scenarios N]; prints JSON.
"""

import argparse
import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.outputs import EVALUATORS, Audit, made_up
from evenhand.core.spec import AuditSpec
from evenhand.core.types import EvaluationRun, ModelInfo, References, RunId
from evenhand.engine.loading import read_outputs
from evenhand.instruments.audit.score import score
from evenhand.metrics.inference import Inference
from evenhand.metrics.registry import registry
from evenhand.storage.base import Store
from evenhand.storage.locate import open_store
from evenhand.storage.records import Evaluation, Response

RUN = RunId("benchmark")
BATCH = 256
"""Outputs stored in one transaction, as the engine does."""
CONCURRENCY = 50


def main() -> None:
    """Do one step and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=["save", "load", "score", "infer"])
    parser.add_argument("database", type=Path)
    parser.add_argument("--outputs", type=int, default=100_000)
    parser.add_argument("--scenarios", type=int, default=250)
    arguments = parser.parse_args()
    steps = {"save": _save, "load": _load, "score": _score, "infer": _infer}
    seconds, processor, found = steps[arguments.step](arguments)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    json.dump({"seconds": seconds, "processor_s": processor, "peak_mb": peak_mb, "found": found}, sys.stdout)


def save(store: Store, audit: Audit) -> tuple[float, float]:
    """Store an audit batch by batch, as the engine does; return seconds of wall and of processor time.

    The objects are made before the clock starts: a run has them anyway.
    """
    order = _as_they_arrive(len(audit.requests))
    batches = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
    responses = [[Response(request=audit.requests[i], output=audit.answers[i]) for i in batch] for batch in batches]
    evaluations = [_evaluations(audit, batch) for batch in batches]
    store.create_run(_run(audit.spec))

    def save_all() -> None:
        for answered, said in zip(responses, evaluations, strict=True):
            store.save_responses(RUN, answered)
            store.save_evaluations(RUN, said)

    seconds, processor, _ = _timed(save_all)
    return seconds, processor


def _save(arguments: argparse.Namespace) -> tuple[float, float, Any]:
    audit = made_up(arguments.outputs, scenarios=arguments.scenarios)
    with open_store(str(arguments.database)) as store:
        seconds, processor = save(store, audit)
    return seconds, processor, len(audit.requests)


def _load(arguments: argparse.Namespace) -> tuple[float, float, Any]:
    with open_store(str(arguments.database)) as store:
        spec = AuditSpec.from_json(store.get_run(RUN).spec)
        seconds, processor, table = _timed(lambda: read_outputs(store, RUN, spec))
    return seconds, processor, len(table)


def _score(arguments: argparse.Namespace) -> tuple[float, float, Any]:
    return _metrics(arguments, None)


def _infer(arguments: argparse.Namespace) -> tuple[float, float, Any]:
    return _metrics(arguments, Inference())


def _metrics(arguments: argparse.Namespace, inference: Inference | None) -> tuple[float, float, Any]:
    with open_store(str(arguments.database)) as store:
        spec = AuditSpec.from_json(store.get_run(RUN).spec)
        table = read_outputs(store, RUN, spec)
    metrics = [registry().get(name)().with_inference(inference) for name in spec.metrics]
    references = References.of(spec.scenario_sets)
    seconds, processor, results = _timed(lambda: score(table, metrics, references, skipped={}))
    return seconds, processor, {name: result.value for name, result in results.items()}


def _timed(step: Callable[[], Any]) -> tuple[float, float, Any]:
    wall, processor = time.perf_counter(), time.process_time()
    found = step()
    return time.perf_counter() - wall, time.process_time() - processor, found


def _as_they_arrive(count: int) -> list[int]:
    """The plan's order, but for answers that overtake others which are under way with them."""
    jitter = np.random.default_rng(0).random(count) * CONCURRENCY
    order: list[int] = np.argsort(np.arange(count) + jitter).tolist()
    return order


def _evaluations(audit: Audit, batch: Sequence[int]) -> list[Evaluation]:
    return [
        Evaluation(request_id=audit.requests[i].id, evaluator=name, version="1", judgement=audit.judgements[i][name])
        for name in EVALUATORS
        for i in batch
    ]


def _run(spec: AuditSpec) -> EvaluationRun:
    return EvaluationRun(
        id=RUN,
        name="benchmark",
        status="running",
        model=ModelInfo(provider="simulated", name="benchmark", is_simulated=True),
        spec=spec.as_json(),
        spec_digest=spec.digest,
        created_at="2026-11-30T20:44:55+00:00",
    )


if __name__ == "__main__":
    main()
