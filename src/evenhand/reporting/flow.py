"""Counts of what was asked and what came back, overall and by condition."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from evenhand.core.outcomes import Answered
from evenhand.core.table import Flags, OutputTable
from evenhand.core.types import EvaluationRun
from evenhand.reporting.view import Flow, Unjudged


def flow(run: EvaluationRun, outputs: OutputTable) -> Flow:
    """Count outcomes.

    Notes
    -----
    `requested` is the plan's own count where the manifest has it, and prompts times replicates of the stored spec
    where the run has not closed yet.
    """
    judged = ~np.isnan(outputs.refusal) & outputs.answered
    truncated = [isinstance(o, Answered) and o.finish_reason == "length" for o in outputs.outcomes]
    return Flow(
        requested=_requested(run),
        stored=len(outputs),
        left_out=_left_out(run, len(outputs)),
        answered=int(outputs.answered.sum()),
        empty=int(outputs.empty.sum()),
        blocked=int(outputs.blocked.sum()),
        failed=int((~outputs.answered & ~outputs.blocked).sum()),
        truncated=sum(truncated),
        refusals=int(outputs.refusal[judged].sum()) if judged.any() else None,
        refusals_judged=int(judged.sum()),
        by_condition=_by_condition(outputs),
    )


def could_not_judge(outputs: OutputTable) -> tuple[Unjudged, ...]:
    """Count, by evaluator and reason, the outputs on which it had nothing to say."""
    found: dict[str, Counter[str]] = {}
    for reasons in outputs.could_not_judge.values():
        for evaluator, reason in reasons.items():
            found.setdefault(evaluator, Counter())[reason] += 1
    return tuple(Unjudged(evaluator=name, reasons=dict(found[name].most_common())) for name in sorted(found))


def condition_name(attribute: str | None, value: str | None) -> str:
    """Name a condition for readers: ``"base"`` or ``"gender = female"``."""
    return "base" if attribute is None else f"{attribute} = {value}"


def _requested(run: EvaluationRun) -> int:
    stated = run.manifest.get("requested")
    return int(stated) if stated is not None else _prompts(run.spec) * int(run.spec.get("replicates", 1))


def _left_out(run: EvaluationRun, used: int) -> int | None:
    """Compare with the counts of the manifest, unless the run has gone on since it was written."""
    counts = run.manifest.get("outcomes")
    if counts is None or run.status in {"running", "interrupted"}:
        return None
    return max(0, int(counts["answered"] + counts["blocked"] + counts["failed"]) - used)


def _prompts(spec: Mapping[str, Any]) -> int:
    scenarios = [scenario for group in spec.get("scenario_sets", ()) for scenario in group["scenarios"]]
    return sum(1 + sum(len(group["variants"]) for group in s["counterfactuals"]) for s in scenarios)


def _by_condition(outputs: OutputTable) -> dict[str, Mapping[str, int]]:
    rows: dict[str, Mapping[str, int]] = {}
    for attribute, value in sorted(set(zip(outputs.attribute.tolist(), outputs.value.tolist(), strict=True))):
        named = None if attribute < 0 else outputs.attributes[attribute]
        name = condition_name(named, None if value < 0 else outputs.values[value])
        rows[name] = _counts(outputs, (outputs.attribute == attribute) & (outputs.value == value))
    return rows


def _counts(outputs: OutputTable, rows: Flags) -> Mapping[str, int]:
    return {
        "stored": int(rows.sum()),
        "answered": int((outputs.answered & rows).sum()),
        "empty": int((outputs.empty & rows).sum()),
        "blocked": int((outputs.blocked & rows).sum()),
        "failed": int((~outputs.answered & ~outputs.blocked & rows).sum()),
        "refusals": int(np.nansum(np.where(rows & outputs.answered, outputs.refusal, np.nan))),
    }
