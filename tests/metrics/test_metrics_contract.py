"""What every metric keeps: the interface of seed 2, plain JSON, plain sentences, and no number out of nothing."""

import json
from collections.abc import Sequence
from math import isfinite

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from metrics_outputs import CALM, HARMLESS, direction, output, served, showing, uniform

from evenhand.core.outcomes import Answered, Blocked, Failed
from evenhand.core.results import MetricResult, as_json, from_json
from evenhand.core.table import OutputTable
from evenhand.core.types import EvaluatedOutput, Stereotype
from evenhand.metrics.base import Metric
from evenhand.metrics.registry import registry

NAMES = ("RSI", "ODE", "CDS", "HSI", "SAR", "DSI")
EVERY = [registry().get(name) for name in NAMES]
DECLARED = uniform(
    "female",
    "male",
    stereotypes=[("nurse", Stereotype(attribute="gender", value="female", baseline=0.87, source="BLS", year="2023"))],
)


def everything() -> list[EvaluatedOutput]:
    """Outputs on which every metric has a value."""
    facts = {"embedding": direction(1, 2), "toxicity": HARMLESS, "sentiment": CALM, "helpfulness_score": 4.0}
    return [
        *showing("nurse", {"female": 15, "male": 5}, is_refusal=False, **facts),
        *served(("gender", "female"), n=10, refused=1, **facts),
        *served(("gender", "male"), n=10, **facts),
    ]


# an arbitrary output: any outcome, any subset of what evaluators say
share = st.floats(0, 1)
any_output = st.builds(
    output,
    st.sampled_from(["nurse", "ceo"]),
    group=st.sampled_from([None, ("gender", "female"), ("gender", "male"), ("race", "black")]),
    outcome=st.sampled_from([Answered(text="two words"), Answered(text=""), Blocked(reason="x"), Failed(error="y")]),
    embedding=st.sampled_from([None, direction(1, 0), direction(1, 1)]),
    embedding_masked=st.sampled_from([None, direction(0, 1)]),
    toxicity=st.none() | st.fixed_dictionaries(dict.fromkeys(HARMLESS, share)),
    toxicity_masked=st.none() | st.fixed_dictionaries(dict.fromkeys(HARMLESS, share)),
    sentiment=st.none() | st.fixed_dictionaries(dict.fromkeys(CALM, share)),
    harms=st.none() | st.dictionaries(st.sampled_from(["slurs", "dehumanisation"]), share),
    is_refusal=st.sampled_from([None, True, False]),
    detected_entities=st.sampled_from([None, {}, {"gender": {"female": 1.0}}, {"gender": {"male": 0.5, "robot": 0.5}}]),
    helpfulness_score=st.sampled_from([None, 1.0, 5.0]),
)


def test_the_registry_has_the_six_and_their_own_names():
    """A name finds the metric that carries it."""
    assert registry().names() == NAMES
    assert tuple(metric().name for metric in EVERY) == NAMES


def test_a_custom_metric_is_what_seed_2_shows():
    """Four members, nothing else."""

    class MyMetric(Metric):
        def compute(self, outputs: list[EvaluatedOutput], baseline=None) -> MetricResult:
            return MetricResult(metric="MY", value=float(len(outputs)))

        def interpret(self, result) -> str:
            return "counted"

        @property
        def name(self) -> str:
            return "MY"

        @property
        def description(self) -> str:
            return "…"

    metric = MyMetric()
    assert metric.compute(OutputTable.of(everything())).value == 40
    assert (metric.requires, metric.limits) == ((), ())


@pytest.mark.parametrize("metric", EVERY)
def test_each_metric_documents_itself(metric):
    """Formula, source, limits and what it needs, in every report."""
    made = metric()
    assert made.formula
    assert made.source
    assert made.limits
    assert made.long_name
    assert made.description.endswith(".")
    fields = EvaluatedOutput.__dataclass_fields__
    assert {*made.requires, *made.optional} <= set(fields)


@pytest.mark.parametrize("metric", EVERY)
def test_a_result_is_strict_json_and_comes_back(metric):
    """Flat rows, no NaN, no numpy."""
    result = metric().compute(everything(), DECLARED)
    assert result.value is not None
    text = json.dumps(as_json(result), allow_nan=False)
    assert as_json(from_json(json.loads(text))) == as_json(result)


@pytest.mark.parametrize("metric", EVERY)
def test_interpretations_name_the_size_and_the_limit_and_promise_nothing(metric):
    """With a value and without one."""
    made = metric()
    result = made.compute(everything(), DECLARED)
    said = made.interpret(result)
    assert str(result.n_samples) in said
    assert "not show" in said
    for text in (said, made.interpret(made.compute([], DECLARED))):
        assert not {"fair", "unbiased", "unfair", "biased"} & set(
            text.lower().replace(",", " ").replace(".", " ").split()
        )
    assert "undefined" in made.interpret(made.compute([], DECLARED))


@pytest.mark.parametrize("metric", EVERY)
def test_a_table_and_a_list_give_the_same(metric):
    """Columns are only another way to hold the outputs."""
    outputs = everything()
    assert as_json(metric().compute(outputs, DECLARED)) == as_json(metric().compute(OutputTable.of(outputs), DECLARED))


@pytest.mark.parametrize("metric", EVERY)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(outputs=st.lists(any_output, max_size=14), declared=st.booleans(), data=st.data())
def test_any_outputs_give_a_number_or_a_reason(metric, outputs, declared, data):
    """No exception, no NaN, every candidate accounted for once, and row order irrelevant."""
    baseline = DECLARED if declared else None
    result = metric().compute(outputs, baseline)
    for each in _all(result):
        assert each.value is None or isfinite(each.value)
        assert (each.verdict == "inconclusive") <= bool(each.reason)
        assert all(part is None or isfinite(part) for part in each.parts.values())
        assert each.n_samples + sum(each.n_excluded.values()) <= len(outputs)
    json.dumps(as_json(result), allow_nan=False)
    again = metric().compute(data.draw(st.permutations(outputs)), baseline)
    assert (again.status, again.verdict, again.n_samples, again.n_excluded) == (
        result.status,
        result.verdict,
        result.n_samples,
        result.n_excluded,
    )
    assert again.value == pytest.approx(result.value, abs=1e-9)


def _all(result: MetricResult) -> Sequence[MetricResult]:
    inner = [*result.by_scenario.values(), *result.by_attribute.values()]
    return [result, *(found for each in inner for found in _all(each))]
