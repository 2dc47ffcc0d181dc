"""Each metric in every run, over what all of them have in common, with its interval."""

from collections.abc import Mapping, Sequence

import numpy as np

from evenhand.core.results import MetricResult
from evenhand.instruments.audit.compare.matched import keep
from evenhand.instruments.audit.compare.pairing import Run
from evenhand.instruments.audit.compare.plans import Prompt
from evenhand.instruments.audit.compare.question import Question
from evenhand.instruments.audit.score import score
from evenhand.metrics.inference import Inference


def trend(
    runs: Sequence[Run], question: Question, prompts: set[Prompt], *, seed: int
) -> Mapping[str, list[MetricResult]]:
    """Compute each metric of each run with its uncertainty.

    Returns
    -------
    dict
        Metric name to one result a run, in the order of `runs`.

    Notes
    -----
    Every run enters with the same number of replicates, the fewest that one of them has: plug-in values depend on it.
    """
    replicates = min(int(np.max(run.outputs.replicate, initial=1)) for run in runs)
    metrics = [m.with_inference(Inference(seed=seed, target=question.target)) for m in question.metrics]
    tables = [keep(run.outputs, prompts, replicates) for run in runs]
    found = [score(table, metrics, question.references, skipped=question.skipped) for table in tables]
    return {metric.name: [results[metric.name] for results in found] for metric in metrics}
