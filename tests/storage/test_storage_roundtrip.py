"""Property: whatever Python can hold in a record comes back from the store as it was."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from storage_builders import a_run

from evenhand.core.outcomes import Answered, Attempt, Blocked, Failed, Usage
from evenhand.core.protocols import CouldNotJudge, Judged
from evenhand.core.results import Interval, MetricResult
from evenhand.core.types import Condition, GeneratedOutput, ModelInfo, Request, RequestId, RunId
from evenhand.storage.base import Store
from evenhand.storage.locate import open_store
from evenhand.storage.records import Evaluation, Response

# every code point, lone surrogates and NUL included, and the store's own escape character more often than by chance
texts = st.text(st.one_of(st.characters(), st.sampled_from("\x00\x1a\ud800\udfff0aé😀")), max_size=12)
numbers = st.floats(allow_nan=False, allow_infinity=False)
seconds = st.floats(min_value=0, max_value=1e6)
integers = st.integers(-(2**63), 2**63 - 1)
scalars = st.one_of(st.none(), st.booleans(), integers, numbers, texts)
plain_json = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=8
)
vectors = st.dictionaries(texts, arrays(np.float32, st.integers(0, 4), elements=st.floats(-1, 1, width=32)), max_size=3)

attempts = st.builds(
    Attempt,
    status=texts,
    started_at=texts,
    latency_s=seconds,
    detail=texts,
    http_status=st.none() | st.integers(100, 599),
    provider_request_id=st.none() | texts,
)
outcomes = st.one_of(
    st.builds(Answered, text=texts, finish_reason=st.sampled_from(["stop", "length", "unknown"])),
    st.builds(Blocked, reason=texts),
    st.builds(Failed, error=texts, kind=texts, traceback=texts),
)
requests = st.builds(
    Request,
    id=texts.map(RequestId),
    scenario_id=texts,
    condition=st.builds(Condition, attribute=st.none() | texts, value=st.none() | texts),
    replicate=st.integers(1, 1000),
    prompt=texts,
    seed=integers,
)
outputs = st.builds(
    GeneratedOutput,
    outcome=outcomes,
    model=st.none() | texts,
    usage=st.builds(Usage, input_tokens=st.none() | integers, output_tokens=st.none() | integers),
    latency_s=st.none() | seconds,
    provider_request_id=st.none() | texts,
    attempts=st.lists(attempts, max_size=3).map(tuple),
)
responses = st.builds(Response, request=requests, output=outputs, round=st.integers(1, 5))
judgements = st.one_of(
    st.builds(CouldNotJudge, reason=texts),
    st.builds(Judged, values=st.dictionaries(texts, plain_json, max_size=3), vectors=vectors),
)


def results(depth: int) -> st.SearchStrategy[MetricResult]:
    inner = st.dictionaries(texts, results(depth - 1), max_size=2) if depth else st.just({})
    maybe = st.none() | numbers
    return st.builds(
        MetricResult,
        metric=texts,
        value=numbers,
        reason=texts,
        unit=texts,
        direction=st.sampled_from(["lower_is_better", "higher_is_better", "one_is_best"]),
        numerator=maybe,
        n_samples=st.integers(0, 2**53),
        n_excluded=st.dictionaries(texts, st.integers(0, 10), max_size=2),
        confidence_interval=st.none()
        | st.builds(Interval, low=numbers, high=numbers, level=st.just(0.95), method=texts, approximate=st.booleans()),
        p_value=maybe,
        verdict=st.sampled_from([None, "pass", "inconclusive", "not applicable"]),
        caveats=st.lists(texts, max_size=2).map(tuple),
        parts=st.dictionaries(texts, maybe, max_size=2),
        by_scenario=inner,
        by_attribute=inner,
        tables=st.dictionaries(
            texts, st.lists(st.dictionaries(texts, scalars, max_size=2), max_size=2).map(tuple), max_size=2
        ),
    )


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def shared(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One store for all examples, on each database."""
    if request.param == "sqlite":
        location = str(tmp_path_factory.mktemp("roundtrip") / "evenhand.db")
    else:
        location = request.getfixturevalue("postgres").fresh("roundtrip")
    with open_store(location) as store:
        yield store


def new_run(store: Store, **changes: Any) -> RunId:
    run = a_run(uuid4().hex, **changes)
    store.create_run(run)
    return run.id


@settings(deadline=None, max_examples=60)
@given(response=responses)
def test_any_response_round_trips(shared: Store, response: Response) -> None:
    """Row by row and as columns."""
    run_id = new_run(shared)
    shared.save_responses(run_id, [response])
    assert list(shared.responses(run_id)) == [response]
    columns = shared.response_columns(run_id)
    assert list(columns.outcomes) == [response.output.outcome]
    assert list(columns.prompts) == [response.request.prompt]
    assert set(shared.latest_outcomes(run_id)) == {response.request.id}


@settings(deadline=None, max_examples=60)
@given(request=requests, evaluator=texts, version=texts, judgement=judgements)
def test_any_evaluation_round_trips(
    shared: Store, request: Request, evaluator: str, version: str, judgement: Judged | CouldNotJudge
) -> None:
    """Values are equal, vectors are equal bit for bit."""
    run_id = new_run(shared)
    shared.save_responses(run_id, [Response(request=request, output=GeneratedOutput.answer("yes"))])
    given_ = Evaluation(request_id=request.id, evaluator=evaluator, version=version, judgement=judgement)
    shared.save_evaluations(run_id, [given_])
    (read,) = shared.evaluations(run_id)
    assert (read.request_id, read.evaluator, read.version) == (request.id, evaluator, version)
    assert described(read.judgement) == described(judgement)
    assert shared.evaluated(run_id, evaluator, version) == {request.id}


@settings(deadline=None, max_examples=40)
@given(name=texts, result=results(1))
def test_any_result_round_trips(shared: Store, name: str, result: MetricResult) -> None:
    """Nested results, intervals and tables included."""
    run_id = new_run(shared)
    shared.save_results(run_id, {name: result})
    assert shared.get_run(run_id).results == {name: result}


@settings(deadline=None, max_examples=40)
@given(
    name=texts,
    provider=texts,
    spec=st.dictionaries(texts, plain_json, max_size=3),
    manifest=st.dictionaries(texts, plain_json, max_size=3),
)
def test_any_run_round_trips(
    shared: Store, name: str, provider: str, spec: dict[str, Any], manifest: dict[str, Any]
) -> None:
    """Spec and manifest are JSON of any content."""
    run = a_run(uuid4().hex, name=name, spec=spec, manifest=manifest, model=ModelInfo(provider=provider, name="m"))
    shared.create_run(run)
    assert shared.get_run(run.id) == run


def described(judgement: Judged | CouldNotJudge) -> object:
    if isinstance(judgement, CouldNotJudge):
        return judgement.reason
    return judgement.values, {name: (v.dtype, v.tobytes()) for name, v in judgement.vectors.items()}
