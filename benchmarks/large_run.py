"""A run of 100,000 outputs: save it, load it, compute the six metrics. One step a process, so that each has its own peak.

Usage: python -m benchmarks.large_run {save,load,score} DATABASE [--outputs N] [--scenarios N]; prints JSON.
"""

import argparse
import json
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.outputs import EVALUATORS, Audit, as_table, made_up
from evenhand.core.spec import AuditSpec
from evenhand.core.types import EvaluationRun, ModelInfo, References, RunId
from evenhand.engine.loading import read_outputs
from evenhand.instruments.audit.score import score
from evenhand.metrics.registry import registry
from evenhand.storage.locate import open_store
from evenhand.storage.records import Evaluation, Response

RUN = RunId("benchmark")
BATCH = 256
"""Outputs stored in one transaction, as the engine does."""


def main() -> None:
    """Do one step and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=["save", "load", "score"])
    parser.add_argument("database", type=Path)
    parser.add_argument("--outputs", type=int, default=100_000)
    parser.add_argument("--scenarios", type=int, default=250)
    arguments = parser.parse_args()
    steps = {"save": _save, "load": _load, "score": _score}
    seconds, processor, found = steps[arguments.step](arguments)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    json.dump({"seconds": seconds, "processor_s": processor, "peak_mb": peak_mb, "found": found}, sys.stdout)


def _save(arguments: argparse.Namespace) -> tuple[float, float, Any]:
    audit = made_up(arguments.outputs, scenarios=arguments.scenarios)
    responses = [Response(request=q, output=a) for q, a in zip(audit.requests, audit.answers, strict=True)]
    evaluations = [_evaluations(audit, start) for start in range(0, len(responses), BATCH)]
    with open_store(str(arguments.database)) as store:
        store.create_run(_run(audit.spec))

        def save() -> None:
            for batch, said in zip(_batches(responses), evaluations, strict=True):
                store.save_responses(RUN, batch)
                store.save_evaluations(RUN, said)

        seconds, processor, _ = _timed(save)
    return seconds, processor, len(responses)


def _load(arguments: argparse.Namespace) -> tuple[float, float, Any]:
    with open_store(str(arguments.database)) as store:
        spec = AuditSpec.from_json(store.get_run(RUN).spec)
        seconds, processor, table = _timed(lambda: read_outputs(store, RUN, spec))
    return seconds, processor, len(table)


def _score(arguments: argparse.Namespace) -> tuple[float, float, Any]:
    audit = made_up(arguments.outputs, scenarios=arguments.scenarios)
    spec, table = audit.spec, as_table(audit)
    del audit
    metrics = [registry().get(name)() for name in spec.metrics]
    references = References.of(spec.scenario_sets)
    seconds, processor, results = _timed(lambda: score(table, metrics, references, skipped={}))
    return seconds, processor, {name: result.value for name, result in results.items()}


def _timed(step: Callable[[], Any]) -> tuple[float, float, Any]:
    wall, processor = time.perf_counter(), time.process_time()
    found = step()
    return time.perf_counter() - wall, time.process_time() - processor, found


def _evaluations(audit: Audit, start: int) -> list[Evaluation]:
    rows = zip(audit.requests[start : start + BATCH], audit.judgements[start : start + BATCH], strict=True)
    batch = list(rows)
    return [
        Evaluation(request_id=request.id, evaluator=name, version="1", judgement=said[name])
        for name in EVALUATORS
        for request, said in batch
    ]


def _batches(items: Sequence[Response]) -> Iterator[Sequence[Response]]:
    waiting = iter(items)
    while batch := list(islice(waiting, BATCH)):
        yield batch


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
