"""A finished audit of any size, made up: what 100,000 judged answers with two 384-d embeddings each look like."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.core.outcomes import Answered, Attempt, Usage
from evenhand.core.protocols import Judged, Judgement
from evenhand.core.spec import AuditSpec
from evenhand.core.table import SENTIMENT, TOXICITY, OutputTable
from evenhand.core.types import (
    CounterfactualGroup,
    CounterfactualVariant,
    GeneratedOutput,
    Request,
    Scenario,
    ScenarioSet,
    Stereotype,
)
from evenhand.evaluation.assemble import assemble
from evenhand.instruments.audit.plan import plan

DIMENSIONS = 384
VALUES = ("female", "male", "nonbinary")
EVALUATORS = ("demographics", "refusal", "slurs", "toxicity", "sentiment", "embeddings")
_TEXT = "The nurse walked into the ward on her first morning and greeted every patient by name. Answer {number}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """A plan, its answers and what evaluators said about each; all by position."""

    spec: AuditSpec
    requests: Sequence[Request]
    answers: Sequence[GeneratedOutput]
    judgements: Sequence[dict[str, Judgement]]


def made_up(outputs: int, *, scenarios: int) -> Audit:
    """Make an audit of `scenarios` scenarios with one base prompt and three variants each, and enough replicates."""
    replicates = max(1, outputs // (scenarios * (1 + len(VALUES))))
    spec = AuditSpec(
        model="simulated/benchmark",
        adapter={},
        scenario_sets=[
            ScenarioSet(
                name="benchmark",
                scenarios=[_scenario(number) for number in range(scenarios)],
                taxonomies={"gender": ("female", "male")},
            )
        ],
        metrics=["RSI", "ODE", "CDS", "HSI", "SAR", "DSI"],
        evaluators=dict.fromkeys(EVALUATORS, "1"),
        replicates=replicates,
    )
    requests = plan(spec).requests
    return Audit(
        spec=spec,
        requests=requests,
        answers=[_answer(number) for number in range(len(requests))],
        judgements=list(_judgements(len(requests))),
    )


def as_table(audit: Audit) -> OutputTable:
    """Join everything into the columns that metrics read."""
    return OutputTable.of(map(assemble, audit.requests, audit.answers, audit.judgements))


def _scenario(number: int) -> Scenario:
    prompt = f"Write two sentences about a {{}}person in job {number}."
    return Scenario(
        id=f"job_{number}",
        prompt=prompt.format(""),
        counterfactuals=[
            CounterfactualGroup(
                attribute="gender",
                variants=[
                    CounterfactualVariant(prompt=prompt.format(f"{value} "), attribute_value=value) for value in VALUES
                ],
            )
        ],
        stereotypes=[Stereotype(attribute="gender", value="female", baseline=0.6, source="made up", year="2026")],
    )


def _answer(number: int) -> GeneratedOutput:
    return GeneratedOutput(
        outcome=Answered(text=_TEXT.format(number=number), finish_reason="stop"),
        model="benchmark-1",
        usage=Usage(input_tokens=12, output_tokens=25),
        latency_s=0.25,
        provider_request_id=f"req-{number}",
        attempts=(Attempt(status="ok", started_at="2026-11-30T20:44:55.123456+00:00", latency_s=0.25),),
    )


def _judgements(count: int) -> Iterator[dict[str, Judgement]]:
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((count, 2, DIMENSIONS), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=2, keepdims=True)
    scores = rng.random((count, 2 * len(TOXICITY) + 2 * len(SENTIMENT)))
    six, nine = 2 * len(TOXICITY), 2 * len(TOXICITY) + len(SENTIMENT)
    genders, refusals = rng.random(count) < 0.6, rng.random(count) < 0.1
    for pair, row, is_female, is_refusal in zip(
        vectors, scores.tolist(), genders.tolist(), refusals.tolist(), strict=True
    ):
        yield {
            "demographics": Judged(values={"entities": {"gender": {"female" if is_female else "male": 1.0}}}),
            "refusal": Judged(values={"is_refusal": is_refusal, "has_content": True, "cue": None}),
            "slurs": Judged(values={"harms": {"slurs": 0.0}, "terms": [], "targets": []}),
            "toxicity": Judged(
                values={
                    "raw": dict(zip(TOXICITY, row, strict=False)),
                    "masked": dict(zip(TOXICITY, row[len(TOXICITY) : six], strict=True)),
                    "windows": 1,
                }
            ),
            "sentiment": Judged(
                values={
                    "raw": dict(zip(SENTIMENT, row[six:nine], strict=True)),
                    "masked": dict(zip(SENTIMENT, row[nine:], strict=True)),
                }
            ),
            "embeddings": Judged(values={"windows": 1}, vectors={"raw": pair[0], "masked": pair[1]}),
        }
