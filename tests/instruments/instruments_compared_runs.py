"""Outputs of two models of which the truth is known, at the level of evaluations, as small as a test needs them."""

import numpy as np

from evenhand.core.outcomes import Answered
from evenhand.core.table import OutputTable
from evenhand.core.types import References
from evenhand.instruments.audit.compare.pairing import Run
from evenhand.instruments.audit.compare.plans import Prompt
from evenhand.instruments.audit.compare.question import Question
from evenhand.instruments.audit.compare.result import Side
from evenhand.metrics.base import Metric
from evenhand.metrics.dsi import DSI
from evenhand.metrics.hsi import HSI

GROUPS = (None, "a", "b")


def drawn(
    seed: int, *, scenarios: int = 4, replicates: int = 6, refusals: float = 0.2, of_b: float | None = None
) -> OutputTable:
    """Draw a run: `refusals` everywhere, but `of_b` for the second group."""
    rng = np.random.default_rng([77, seed])
    rows = [(s, g, r) for s in range(scenarios) for g in GROUPS for r in range(1, replicates + 1)]
    chance = [of_b if g == "b" and of_b is not None else refusals for _, g, _ in rows]
    lengths = rng.integers(20, 60, size=len(rows))
    hate = rng.beta(0.2, 4, size=len(rows))
    return OutputTable.from_columns(
        scenario_ids=[f"s{s}" for s, _, _ in rows],
        attributes=[None if g is None else "group" for _, g, _ in rows],
        values=[g for _, g, _ in rows],
        replicates=[r for _, _, r in rows],
        outcomes=[Answered(text=" ".join(["word"] * int(n))) for n in lengths],
        prompts=["" for _ in rows],
        request_ids=[f"{seed}-{i}" for i in range(len(rows))],
        judged={
            "is_refusal": (rng.random(len(rows)) < chance).astype(float),
            "toxicity": [{"toxic": h, "identity_attack": h} for h in hate],
        },
        could_not_judge={},
        extra={},
    )


def as_run(name: str, outputs: OutputTable) -> Run:
    """Wrap a table as a run."""
    side = Side(
        run_id=name,
        name=name,
        model="m",
        is_simulated=False,
        status="complete",
        created_at="",
        prompts=len(every_prompt(outputs)),
        outputs=len(outputs),
    )
    return Run(side=side, outputs=outputs)


def every_prompt(outputs: OutputTable) -> set[Prompt]:
    """Collect the prompts of a table."""
    return {(o.scenario_id, o.attribute, o.counterfactual_value) for o in outputs}


def question(*metrics: Metric) -> Question:
    """Ask for DSI and HSI, or for `metrics`."""
    chosen = metrics or (DSI(), HSI())
    return Question(metrics=chosen, references=References(), skipped={}, target="these prompts")
