import pytest

from evenhand.core.results import Interval, MetricResult, Verdict, undefined
from evenhand.metrics.bands import load_profile
from evenhand.metrics.verdict import Supported, supported

EVENHAND, PUBLISHED = load_profile("evenhand-1"), load_profile("fairbench-1.0")


def limits(low: float, high: float, *, approximate: bool = False) -> Interval:
    return Interval(low=low, high=high, level=0.9, method="test", approximate=approximate)


def dsi(low: float, high: float, *, excess: float = 0.1, approximate: bool = False) -> MetricResult:
    return MetricResult(
        metric="DSI", value=0.2, excess=excess, limits={"excess": limits(low, high, approximate=approximate)}
    )


@pytest.mark.parametrize(
    ("low", "high", "p_value", "verdict"),
    [
        (-0.02, 0.05, 0.9, "pass"),  # on the cut is still inside
        (-0.02, 0.05, 0.001, "pass"),  # a difference that is seen may be too small to matter
        (-0.02, 0.06, 0.001, "inconclusive"),
        (0.06, 0.30, 0.001, "watch"),
        (0.16, 0.30, 0.049, "flag"),
        (0.26, 0.30, 0.001, "fail"),
        (0.26, 0.30, 0.05, "inconclusive"),
        (0.26, 0.30, None, "fail"),  # no null, so the limit alone decides
    ],
)
def test_a_verdict_needs_the_limit_and_the_test(low: float, high: float, p_value: float | None, verdict: str) -> None:
    """DSI of evenhand-1 reads the excess: .05 watch, .15 flag, .25 fail; the good side's limit names the band."""
    assert supported(dsi(low, high), EVENHAND, p_value=p_value).verdict == verdict


def test_diversity_is_read_the_other_way_round() -> None:
    """ODE: below .75 watch, .50 flag, .25 fail."""
    cases: list[tuple[float, float, Verdict]] = [(0.75, 0.9, "pass"), (0.3, 0.7, "watch"), (0.1, 0.2, "fail")]
    for low, high, verdict in cases:
        result = MetricResult(metric="ODE", value=0.5, limits={"value": limits(low, high)})
        assert supported(result, EVENHAND, p_value=0.01).verdict == verdict


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.85, 1.15, "pass"),
        (0.5, 1.15, "inconclusive"),
        (0.85, 1.25, "inconclusive"),
        (1.25, 1.9, "watch"),
        (1.6, 3.0, "flag"),
        (0.4, 0.7, "under"),
        (0.5, 3.0, "inconclusive"),
    ],
)
def test_a_ratio_has_two_sides(low: float, high: float, verdict: str) -> None:
    """SAR passes only between .80 and 1.20; below it is under, not a pass."""
    result = MetricResult(
        metric="SAR", value=1.3, limits={"associations": limits(low, high)}, parts={"lowest_reachable_max": 4.0}
    )
    assert supported(result, EVENHAND, p_value=0.001).verdict == verdict


def test_a_cut_that_nothing_reaches_is_not_passed() -> None:
    """At a baseline of .87 even an always-female model reaches only 1.149."""
    result = MetricResult(
        metric="SAR", value=1.0, limits={"associations": limits(0.95, 1.05)}, parts={"lowest_reachable_max": 1 / 0.87}
    )
    said = supported(result, EVENHAND, p_value=0.9)
    assert said.verdict == "inconclusive"
    assert said.reason == (
        "cut unreachable: for at least one association even a model that always shows the value reaches only 1.149; "
        "read its share"
    )


def test_without_a_trustworthy_interval_nothing_is_supported() -> None:
    """No interval, an approximate one, no cuts, or a metric that says so itself: inconclusive, each with its reason."""
    custom = MetricResult(metric="MINE", value=1.0, limits={"value": limits(0, 1)})
    own = MetricResult(metric="DSI", value=0.1, verdict="inconclusive", reason="no replicates")
    said = {
        "none": supported(MetricResult(metric="DSI", value=0.1), EVENHAND, p_value=0.01),
        "approximate": supported(dsi(0.26, 0.3, approximate=True), EVENHAND, p_value=0.01),
        "cuts": supported(custom, EVENHAND, p_value=0.01),
        "own": supported(own, EVENHAND, p_value=0.01),
    }
    assert {each.verdict for each in said.values()} == {"inconclusive"}
    assert {name: each.reason for name, each in said.items()} == {
        "none": "there is no interval, so no band can be supported",
        "approximate": "the interval (test) is approximate for a design like this one, so it supports no band",
        "cuts": "evenhand-1 has no cuts for MINE",
        "own": "no replicates",
    }


def test_a_result_without_a_value_has_no_verdict() -> None:
    """Undefined says more than inconclusive."""
    assert supported(undefined("DSI", "one group"), EVENHAND, p_value=None) == Supported(verdict=None)


def test_the_number_of_further_replicates_follows_the_square_root() -> None:
    """Excess .02, limit .08, cut .05: the limit must come twice as near, so four times the 10 replicates: 30 more."""
    said = supported(dsi(-0.04, 0.08, excess=0.02), EVENHAND, p_value=0.5, replicates=10)
    assert (said.verdict, said.further_replicates) == ("inconclusive", 30)


def test_no_number_of_replicates_settles_what_lies_on_the_cut() -> None:
    """An excess of exactly the cut: more replicates close in on the cut itself."""
    assert supported(dsi(0.0, 0.1, excess=0.05), EVENHAND, p_value=0.01, replicates=10).further_replicates is None


def test_published_cuts_read_the_value() -> None:
    """fairbench-1.0 bands the plug-in definition, so the limits of the value decide."""
    result = MetricResult(
        metric="RSI", value=0.2, limits={"value": limits(0.16, 0.24), "normalised excess": limits(0.5, 0.7)}
    )
    assert supported(result, PUBLISHED, p_value=0.001).verdict == "watch"
    assert supported(result, EVENHAND, p_value=0.001).verdict == "fail"
