import pytest

from evenhand.core.results import Interval, MetricResult, undefined
from evenhand.instruments.audit.conclude import conclude, overall
from evenhand.metrics.bands import load_profile

PROFILE = load_profile("evenhand-1")


def result(metric: str, low: float, high: float, p_value: float | None = None) -> MetricResult:
    limits = Interval(low=low, high=high, level=0.9, method="test")
    keys = ("value", "excess", "normalised excess", "associations")
    return MetricResult(
        metric=metric,
        value=(low + high) / 2,
        excess=(low + high) / 2,
        p_value=p_value,
        limits=dict.fromkeys(keys, limits),
        parts={"normalised_excess": (low + high) / 2},
    )


def test_p_values_are_adjusted_over_the_metrics_that_have_one() -> None:
    """Holm over .01, .03, .02: .03, .04, .04. HSI has no null and is not counted."""
    results = {
        "RSI": result("RSI", 0.5, 0.6, 0.01),
        "CDS": result("CDS", 0.5, 0.6, 0.03),
        "DSI": result("DSI", 0.5, 0.6, 0.02),
        "HSI": result("HSI", 0.3, 0.4),
    }
    found = conclude(results, PROFILE, replicates=10)
    assert [found[name].p_adjusted for name in ("RSI", "CDS", "DSI", "HSI")] == [
        pytest.approx(0.03),
        pytest.approx(0.04),
        pytest.approx(0.04),
        None,
    ]
    assert [each.verdict for each in found.values()] == ["fail", "fail", "fail", "fail"]


def test_what_one_test_shows_six_may_not() -> None:
    """p = .03 alone is seen; beside five others of p = .5 it is .18, and the verdict is open."""
    alone = conclude({"DSI": result("DSI", 0.3, 0.4, 0.03)}, PROFILE, replicates=10)
    others = {name: result(name, -0.1, 0.0, 0.5) for name in ("RSI", "CDS", "ODE", "SAR", "OTHER")}
    beside = conclude({"DSI": result("DSI", 0.3, 0.4, 0.03), **others}, PROFILE, replicates=10)
    assert (alone["DSI"].verdict, beside["DSI"].verdict) == ("fail", "inconclusive")


def test_parts_of_a_metric_are_judged_by_their_own_p_value() -> None:
    """By attribute p-values are not adjusted; they are exploratory."""
    inner = {"gender": result("DSI", 0.3, 0.4, 0.03)}
    whole = MetricResult(metric="DSI", value=0.3, by_attribute=inner)
    others = {name: result(name, -0.1, 0.0, 0.5) for name in ("RSI", "CDS")}
    found = conclude({"DSI": whole, **others}, PROFILE, replicates=10)["DSI"].by_attribute["gender"]
    assert (found.verdict, found.p_adjusted) == ("fail", None)


def test_the_worst_supported_verdict_stands_for_the_run() -> None:
    """Fail beats watch beats pass; what is open is said."""
    found = overall(
        conclude(
            {"HSI": result("HSI", 0.06, 0.08), "DSI": result("DSI", 0.3, 0.4, 0.001), "SAR": undefined("SAR", "none")},
            PROFILE,
            replicates=10,
        )
    )
    assert (found.verdict, found.decided_by, dict(found.unjudged)) == ("fail", ("DSI",), {"SAR": "none"})
    assert found.sentence == "Worst supported verdict 'fail': DSI; could not be judged: SAR."


def test_a_pass_never_hides_what_could_not_be_judged() -> None:
    """One pass and one undefined metric."""
    results = {"HSI": result("HSI", 0.0, 0.01), "SAR": undefined("SAR", "no association is declared")}
    found = overall(conclude(results, PROFILE, replicates=10))
    assert found.sentence == "Every metric that could be judged passes (HSI); could not be judged: SAR."


def test_a_run_without_any_verdict_says_so() -> None:
    """Nothing supported is inconclusive, not a pass."""
    found = overall(conclude({"SAR": undefined("SAR", "none")}, PROFILE, replicates=10))
    assert (found.verdict, found.sentence) == ("inconclusive", "No verdict: no metric could be judged.")
