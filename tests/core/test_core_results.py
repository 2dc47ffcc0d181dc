import math

import pytest

from evenhand.core.results import Interval, MetricResult, as_json, from_json, undefined


def test_a_result_refuses_nan() -> None:
    """NaN travels silently through averages and tables; it must not leave a metric."""
    with pytest.raises(ValueError, match="NaN is not a value"):
        MetricResult(metric="RSI", value=math.nan)


def test_a_value_and_undefined_exclude_each_other() -> None:
    """Neither a number with status undefined nor a missing number with status ok can be built."""
    with pytest.raises(ValueError, match="exactly when"):
        MetricResult(metric="RSI", value=0.0, status="undefined", reason="no outputs")
    with pytest.raises(ValueError, match="exactly when"):
        MetricResult(metric="RSI", value=None)


def test_an_undefined_result_needs_its_reason() -> None:
    """An empty cell without a why is what other tools print."""
    with pytest.raises(ValueError, match="needs its reason"):
        undefined("RSI", "")


def test_a_result_survives_the_way_through_json() -> None:
    """from_json(as_json(x)) == x, nested results, intervals and tables included."""
    inner = MetricResult(metric="RSI", value=0.25, unit="bits", n_samples=20)
    result = MetricResult(
        metric="RSI",
        value=0.5,
        unit="bits",
        n_excluded={"no signal": 3},
        confidence_interval=Interval(low=0.1, high=0.9, level=0.95, method="exact"),
        caveats=("few outputs",),
        parts={"normalised": 0.8, "other": None},
        by_scenario={"nurse": inner, "ceo": undefined("RSI", "no outputs")},
        tables={"shares": ({"category": "female", "count": 3.5},)},
    )
    assert from_json(as_json(result)) == result
