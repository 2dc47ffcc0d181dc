"""Loading by columns: the same outputs as joining row by row, whatever is missing and in whatever order it arrived."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenhand.core.outcomes import Answered, Blocked, Failed, Outcome
from evenhand.core.protocols import CouldNotJudge, Judged, Judgement
from evenhand.core.spec import AuditSpec
from evenhand.core.table import SENTIMENT, TOXICITY, OutputTable
from evenhand.core.types import (
    CounterfactualGroup,
    CounterfactualVariant,
    EvaluationRun,
    GeneratedOutput,
    GenerationConfig,
    ModelInfo,
    Request,
    RequestId,
    RunId,
    Scenario,
    ScenarioSet,
)
from evenhand.engine.loading import _ROWS_AT_ONCE, _reorder, read_outputs
from evenhand.evaluation.assemble import assemble
from evenhand.instruments.audit.plan import plan
from evenhand.storage.records import Evaluation, Response
from evenhand.storage.sqlite import SQLiteBackend

VERSIONS = dict.fromkeys(("demographics", "refusal", "slurs", "toxicity", "sentiment", "embeddings", "politeness"), "2")


def scenario(name: str) -> Scenario:
    variants = [
        CounterfactualVariant(prompt=f"A {value} {name}.", attribute_value=value) for value in ("female", "male")
    ]
    return Scenario(
        id=name, prompt=f"A {name}.", counterfactuals=[CounterfactualGroup(attribute="gender", variants=variants)]
    )


SPEC = AuditSpec(
    model="simulated/fair",
    adapter={},
    scenario_sets=[ScenarioSet(name="jobs", scenarios=[scenario("nurse")])],
    metrics=[],
    evaluators=VERSIONS,
    replicates=3,
)
REQUESTS = plan(SPEC).requests
ANSWERS = [Response(request=request, output=GeneratedOutput.answer("Yes.")) for request in REQUESTS]


def vector(*numbers: float) -> np.ndarray:
    return np.array(numbers, dtype=np.float32)


share = st.floats(0, 1)
scores = st.fixed_dictionaries(dict.fromkeys(TOXICITY, share))
shares = st.fixed_dictionaries(dict.fromkeys(SENTIMENT, share))
vectors = st.builds(vector, share, share, share)
outcomes: st.SearchStrategy[Outcome] = st.one_of(
    st.builds(Answered, text=st.sampled_from(["She works.", "", " \n", "one two three"])),
    st.just(Blocked(reason="filter")),
    st.just(Failed(error="no answer")),
)
entities = st.dictionaries(
    st.sampled_from(["gender", "age"]), st.sampled_from([{"female": 1.0}, {"male": 0.5, "female": 0.5}]), max_size=2
)
SAID: dict[str, st.SearchStrategy[Judged]] = {
    "demographics": st.builds(lambda found: Judged(values={"entities": found, "people": 1}), entities),
    "refusal": st.builds(lambda yes: Judged(values={"is_refusal": yes}), st.booleans()),
    "slurs": st.builds(lambda x: Judged(values={"harms": {"slurs": x}}), st.sampled_from([0.0, 1.0])),
    "toxicity": st.builds(lambda x, y: Judged(values={"raw": x, "masked": y}), scores, st.none() | scores),
    "sentiment": st.builds(lambda x, y: Judged(values={"raw": x, "masked": y}), shares, st.none() | shares),
    "embeddings": st.builds(
        lambda x, y: Judged(values={"windows": 1}, vectors={"raw": x} if y is None else {"raw": x, "masked": y}),
        vectors,
        st.none() | vectors,
    ),
    "politeness": st.builds(lambda x, v: Judged(values={"score": x}, vectors={"why": v}), share, vectors),
}


@st.composite
def stored(draw: st.DrawFn) -> tuple[list[Response], list[Evaluation]]:
    """Some requests of the plan in any order, and what evaluators said about some of the answers."""
    missing = draw(st.sets(st.sampled_from(REQUESTS), max_size=2))
    asked = draw(st.permutations([request for request in REQUESTS if request not in missing]))
    responses = [Response(request=request, output=GeneratedOutput(outcome=draw(outcomes))) for request in asked]
    said = []
    for name, judged in SAID.items():
        judgement = judged | st.builds(CouldNotJudge, reason=st.sampled_from(["too short", "not English"]))
        for response in responses:
            if isinstance(response.output.outcome, Answered):
                versions = draw(st.sampled_from([(), ("2",), ("1", "2")]))
                said += [evaluation(response.request, name, draw(judgement), version=v) for v in versions]
    return responses, said


def evaluation(request: Request, name: str, judgement: Judgement, *, version: str = "2") -> Evaluation:
    return Evaluation(request_id=request.id, evaluator=name, version=version, judgement=judgement)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SQLiteBackend]:
    with SQLiteBackend(tmp_path_factory.mktemp("loading") / "runs.db") as store:
        yield store


def a_run(store: SQLiteBackend, responses: Sequence[Response], evaluations: Sequence[Evaluation] = ()) -> RunId:
    run_id = RunId(f"run-{len(store.list_runs())}")
    run = EvaluationRun(
        id=run_id,
        name="",
        status="running",
        model=ModelInfo(provider="simulated", name="fair"),
        spec={},
        spec_digest="",
        created_at="2026-11-30T20:44:55+00:00",
    )
    store.create_run(run)
    store.save_responses(run_id, responses)
    store.save_evaluations(run_id, evaluations)
    return run_id


def row_by_row(store: SQLiteBackend, run_id: RunId) -> OutputTable:
    """The plain way: the rows of complete replicates in plan order, each joined with its own judgements."""
    judgements: dict[RequestId, dict[str, Judgement]] = defaultdict(dict)
    for each in store.evaluations(run_id, VERSIONS):
        judgements[each.request_id][each.evaluator] = each.judgement
    found = {response.request.id: response for response in store.responses(run_id)}
    complete = {r for r in range(1, SPEC.replicates + 1) if all(q.id in found for q in REQUESTS if q.replicate == r)}
    rows = [found[request.id] for request in REQUESTS if request.replicate in complete]
    return OutputTable.of([assemble(r.request, r.output, judgements[r.request.id]) for r in rows])


def same(one: Any, other: Any) -> bool:
    """Equal, with NaN equal to NaN, and arrays inside mappings."""
    match one:
        case np.ndarray():
            return isinstance(other, np.ndarray) and np.array_equal(one, other, equal_nan=True)
        case dict():
            return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
        case _:
            return bool(one == other)


@settings(max_examples=30)
@given(stored())
def test_columns_hold_what_rows_would(store: SQLiteBackend, run: tuple[list[Response], list[Evaluation]]) -> None:
    """Every column equals the one made from an object for each output."""
    run_id = a_run(store, *run)
    columns, rows = read_outputs(store, run_id, SPEC), row_by_row(store, run_id)
    for field in fields(OutputTable):
        assert same(getattr(columns, field.name), getattr(rows, field.name)), field.name


def test_outputs_come_in_the_order_of_the_plan(store: SQLiteBackend) -> None:
    """By replicate, then as the scenarios declare their prompts, whenever the answers arrived."""
    outputs = read_outputs(store, a_run(store, ANSWERS[::-1]), SPEC)
    assert outputs.request_ids == [request.id for request in REQUESTS]


def test_a_replicate_with_a_prompt_missing_is_left_out(store: SQLiteBackend) -> None:
    """Otherwise one prompt would count more often than another; an export asks for everything."""
    run_id = a_run(store, ANSWERS[:-1])
    outputs = read_outputs(store, run_id, SPEC)
    assert outputs.request_ids == [request.id for request in REQUESTS if request.replicate < SPEC.replicates]
    everything = read_outputs(store, run_id, SPEC, complete_only=False)
    assert everything.request_ids == [request.id for request in REQUESTS[:-1]]


def test_a_deterministic_model_is_heard_once(store: SQLiteBackend) -> None:
    """At temperature 0, replicates that are all the same text are one observation, not three."""
    deterministic = replace(SPEC, generation=GenerationConfig(temperature=0))
    texts = {request.id: f"{request.condition} {request.replicate}" for request in REQUESTS}
    varied = str(REQUESTS[0].condition)
    answers = [
        Response(
            request=request,
            output=GeneratedOutput.answer(texts[request.id] if str(request.condition) == varied else "The same."),
        )
        for request in REQUESTS
    ]
    run_id = a_run(store, answers)
    kept = read_outputs(store, run_id, deterministic)
    assert kept.request_ids == [r.id for r in REQUESTS if r.replicate == 1 or str(r.condition) == varied]
    assert len(read_outputs(store, run_id, SPEC)) == len(REQUESTS)
    assert len(read_outputs(store, run_id, deterministic, complete_only=False)) == len(REQUESTS)


def test_failures_never_make_a_prompt_deterministic(store: SQLiteBackend) -> None:
    """Three equal failures are three missing answers."""
    deterministic = replace(SPEC, generation=GenerationConfig(temperature=0))
    failed = [Response(request=r, output=GeneratedOutput(outcome=Failed(error="no answer"))) for r in REQUESTS]
    assert len(read_outputs(store, a_run(store, failed), deterministic)) == len(REQUESTS)


@pytest.mark.parametrize(
    ("name", "judged", "key"),
    [
        ("refusal", Judged(values={"refused": True}), "is_refusal"),
        ("embeddings", Judged(values={}, vectors={"masked": vector(1.0)}), "raw"),
    ],
)
def test_a_broken_promise_of_a_built_in_evaluator_is_an_error(
    store: SQLiteBackend, name: str, judged: Judged, key: str
) -> None:
    """A value that is not there must not become "could not judge"."""
    run_id = a_run(store, ANSWERS, [evaluation(REQUESTS[0], name, judged)])
    with pytest.raises(KeyError, match=key):
        read_outputs(store, run_id, SPEC)


@pytest.mark.parametrize("reach", [0, 1, 50, _ROWS_AT_ONCE, 3 * _ROWS_AT_ONCE, 10_000])
@pytest.mark.parametrize("count", [0, 1, _ROWS_AT_ONCE, 2 * _ROWS_AT_ONCE + 1])
def test_vectors_are_reordered_in_place(count: int, reach: int) -> None:
    """However far answers overtook each other, row i is the one that came at ``place[i]``."""
    arrived = np.random.default_rng(count + reach).random(count) * reach
    place = np.argsort(np.arange(count) + arrived)
    rows = np.arange(count * 3, dtype=np.float32).reshape(count, 3)
    expected = rows[place]
    _reorder(rows, place)
    assert np.array_equal(rows, expected)
