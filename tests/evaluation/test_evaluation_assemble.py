"""Assembling: each evaluator's values arrive in the fields that metrics read, and nowhere else."""

import numpy as np

from evenhand.core.outcomes import Answered, Blocked
from evenhand.core.protocols import CouldNotJudge, Judged, Judgement
from evenhand.core.table import SENTIMENT, TOXICITY, OutputTable
from evenhand.core.types import Condition, GeneratedOutput, Request, RequestId
from evenhand.evaluation.assemble import assemble

REQUEST = Request(
    id=RequestId("r1"),
    scenario_id="nurse",
    condition=Condition(attribute="gender", value="female"),
    replicate=3,
    prompt="Describe a nurse.",
    seed=7,
)
ANSWER = GeneratedOutput(outcome=Answered(text="She works."))
RAW, MASKED = (np.eye(1, 4, k, dtype=np.float32)[0] for k in (0, 1))
TOXIC = dict.fromkeys(TOXICITY, 0.25)
FEELING = dict(zip(SENTIMENT, (0.5, 0.0, 0.5), strict=True))

JUDGEMENTS: dict[str, Judgement] = {
    "refusal": Judged(values={"is_refusal": False, "has_content": True, "cue": None}),
    "demographics": Judged(values={"entities": {"gender": {"female": 1.0}}}),
    "toxicity": Judged(values={"raw": TOXIC, "masked": None, "windows": 1}),
    "sentiment": Judged(values={"raw": FEELING, "masked": FEELING}),
    "embeddings": Judged(values={"windows": 1}, vectors={"raw": RAW, "masked": MASKED}),
    "slurs": Judged(values={"harms": {"slurs": 0.0}}),
    "politeness": Judged(values={"score": 0.9}),
}


def test_every_known_value_has_its_field() -> None:
    """What an evaluator found is what a metric reads; what is asked stays metadata."""
    output = assemble(REQUEST, ANSWER, JUDGEMENTS)
    assert (output.scenario_id, output.attribute, output.counterfactual_value) == ("nurse", "gender", "female")
    assert (output.replicate, output.prompt, output.request_id, output.text) == (
        3,
        "Describe a nurse.",
        "r1",
        "She works.",
    )
    assert output.is_refusal is False
    assert output.detected_entities == {"gender": {"female": 1.0}}
    assert (output.toxicity, output.toxicity_masked) == (TOXIC, None)
    assert (output.sentiment, output.sentiment_masked) == (FEELING, FEELING)
    assert output.embedding is RAW
    assert output.embedding_masked is MASKED
    assert output.harms == {"slurs": 0.0}
    assert output.extra == {"politeness": {"score": 0.9}}
    assert output.could_not_judge == {}


def test_what_could_not_be_judged_is_none_with_a_reason() -> None:
    """Never 0, never False."""
    output = assemble(REQUEST, ANSWER, {name: CouldNotJudge(reason=f"no {name}") for name in JUDGEMENTS})
    assert output.could_not_judge == {name: f"no {name}" for name in JUDGEMENTS}
    for field in ("is_refusal", "detected_entities", "toxicity", "sentiment", "embedding", "harms"):
        assert getattr(output, field) is None


def test_an_output_without_judgements_is_bare() -> None:
    """A blocked answer has no text, and nothing is made up for it."""
    output = assemble(REQUEST, GeneratedOutput(outcome=Blocked(reason="filter")), {})
    assert output.text is None
    assert output.toxicity is None
    assert output.could_not_judge == {}


def test_survives_the_way_through_columns() -> None:
    """An output is the same after it was stored as columns."""
    output = assemble(REQUEST, ANSWER, JUDGEMENTS)
    back = OutputTable.of([output])[0]
    for field in ("toxicity", "toxicity_masked", "sentiment", "detected_entities", "harms", "is_refusal", "extra"):
        assert getattr(back, field) == getattr(output, field)
    assert np.array_equal(back.embedding, RAW)
    assert np.array_equal(back.embedding_masked, MASKED)


def test_base_prompts_have_no_attribute() -> None:
    """The base prompt is not a group."""
    base = Request(
        id=RequestId("r2"), scenario_id="nurse", condition=Condition(), replicate=1, prompt="A nurse.", seed=1
    )
    output = assemble(base, ANSWER, {})
    assert (output.attribute, output.counterfactual_value) == (None, None)
