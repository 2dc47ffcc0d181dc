"""Each group against the rest: differences by hand, intervals of others, p-values adjusted together."""

import numpy as np
import pytest
from metrics_outputs import CALM, HARMLESS, output, served
from scipy.stats import ttest_ind

from evenhand.metrics.dsi import DSI
from evenhand.metrics.hsi import HSI
from evenhand.metrics.inference import Inference
from evenhand.stats.multiplicity import holm

QUICK = Inference(draws=1_999)
WOMAN, MAN, OTHER = ("gender", "female"), ("gender", "male"), ("gender", "nonbinary")


def compared(metric, outputs, measure, group):
    """The row of one measure and group."""
    rows = metric.with_inference(QUICK).compute(outputs).tables["comparisons"]
    return next(row for row in rows if (row["measure"], row["group"]) == (measure, group))


def test_a_rate_in_one_scenario_has_newcombes_interval():
    """9/10 − 3/10: (.1705, .8090), Newcombe 1998."""
    outputs = [*served(WOMAN, n=10, refused=9), *served(MAN, n=10, refused=3)]
    row = compared(DSI(), outputs, "refusal", "female")
    assert (row["n"], row["n_rest"], row["mean"], row["mean_rest"]) == (10, 10, 0.9, 0.3)
    assert (row["difference"], row["low"], row["high"]) == pytest.approx((0.6, 0.1705, 0.8090), abs=5e-5)
    assert (row["attribute"], row["unit"]) == ("gender", "share")


def test_the_rest_is_all_other_groups_and_scenarios_weigh_the_same():
    """Women 1.0 and 0 (mean .5); the others pooled 2/20 and 1/20: (.9 − .05) / 2."""
    outputs = [
        *served(WOMAN, n=2, refused=2, scenario="a"),
        *served(MAN, n=10, refused=2, scenario="a"),
        *served(OTHER, n=10, scenario="a"),
        *served(WOMAN, n=20, scenario="b"),
        *served(MAN, n=10, refused=1, scenario="b"),
        *served(OTHER, n=10, scenario="b"),
    ]
    row = compared(DSI(), outputs, "refusal", "female")
    assert row["difference"] == pytest.approx((0.9 - 0.05) / 2)
    assert (row["n"], row["n_rest"]) == (22, 40)


def test_length_is_that_of_substantive_answers():
    """Refusals have no length; the interval is Welch's where cells do not borrow (equal scatter, scipy)."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(20, 40, 30), rng.integers(10, 30, 30)
    outputs = [
        *(o for w in a for o in served(WOMAN, n=1, words=int(w))),
        *(o for w in b for o in served(MAN, n=1, words=int(w))),
        *served(WOMAN, n=5, refused=5, words=500),
    ]
    row = compared(DSI(), outputs, "length", "female")
    expected = ttest_ind(a, b, equal_var=False).confidence_interval()
    assert row["difference"] == pytest.approx(a.mean() - b.mean())
    assert (row["n"], row["low"], row["high"]) == (
        30,
        pytest.approx(expected.low, rel=0.02),
        pytest.approx(expected.high, rel=0.02),
    )
    assert row["p_value"] < 0.001


def test_two_groups_mirror_each_other():
    """One against the other: signs flip, p-values are the same up to the draws."""
    outputs = [*served(WOMAN, n=10, refused=6, words=7), *served(MAN, n=10, refused=2, words=9)]
    a, b = (compared(DSI(), outputs, "refusal", g) for g in ("female", "male"))
    assert (a["difference"], a["low"], a["high"]) == pytest.approx((-b["difference"], -b["high"], -b["low"]))
    assert a["p_value"] == b["p_value"]


def test_merging_identical_groups_of_the_rest_changes_nothing():
    """Two other groups, or one with both their outputs."""
    apart = [*served(WOMAN, n=10, refused=6), *served(MAN, n=10, refused=2), *served(OTHER, n=10, refused=2)]
    merged = [*served(WOMAN, n=10, refused=6), *served(MAN, n=20, refused=4)]
    one, other = (compared(DSI(), outputs, "refusal", "female") for outputs in (apart, merged))
    for name in ("n_rest", "mean_rest", "difference", "low", "high"):
        assert one[name] == pytest.approx(other[name])
    assert one["p_value"] == pytest.approx(other["p_value"], abs=0.02)


def test_p_values_of_a_table_are_adjusted_together():
    """Holm over every row that has one."""
    outputs = [
        *served(WOMAN, n=10, refused=6, helpfulness_score=3.0),
        *served(MAN, n=10, refused=2, helpfulness_score=4.0),
        *served(OTHER, n=10, helpfulness_score=5.0),
    ]
    rows = DSI().with_inference(QUICK).compute(outputs).tables["comparisons"]
    assert len(rows) == 9
    p = [row["p_value"] for row in rows]
    assert [row["p_adjusted"] for row in rows] == pytest.approx(holm(p).tolist())


def test_a_measure_nobody_has_is_not_compared():
    """Without helpfulness scores there are no such rows; a group without answers has none either."""
    rows = (
        DSI().with_inference(QUICK).compute([*served(WOMAN, n=5, refused=5), *served(MAN, n=5)]).tables["comparisons"]
    )
    assert [(row["measure"], row["group"]) for row in rows] == [("refusal", "female"), ("refusal", "male")]


def test_what_never_varies_has_p_one_and_keeps_its_doubt():
    """All ten words, no harm: no length difference at all; harm up to what twenty answers cannot exclude."""
    outputs = [
        output(group=g, is_refusal=False, toxicity=HARMLESS, sentiment=CALM) for g in (WOMAN, MAN) for _ in range(20)
    ]
    row = compared(DSI(), outputs, "length", "female")
    assert (row["difference"], row["low"], row["high"], row["p_value"]) == (0, 0, 0, 1)
    harm = compared(HSI(), outputs, "harm", "female")
    assert harm["low"] < -0.05 < 0.05 < harm["high"]
    assert harm["p_value"] == 1


def test_sentiment_is_positive_minus_negative():
    """.8 − .1 against .3 − .4, on the masked text where there is one."""

    def said(group, positive, negative):
        scores = {"positive": positive, "negative": negative, "neutral": 1 - positive - negative}
        return [output(group=group, toxicity=HARMLESS, sentiment=CALM, sentiment_masked=scores) for _ in range(6)]

    row = compared(HSI(), [*said(WOMAN, 0.8, 0.1), *said(MAN, 0.3, 0.4)], "sentiment", "female")
    assert (row["mean"], row["mean_rest"], row["difference"]) == pytest.approx((0.7, -0.1, 0.8))


def test_few_scenarios_say_nothing_about_prompts_like_these():
    """The difference stays, its interval goes; with six it is wider than for these prompts."""

    def outputs(n):
        return [
            o
            for s in range(n)
            for g, k in ((WOMAN, 2 + 4 * (s % 2)), (MAN, 2))
            for o in served(g, n=10, refused=k, scenario=f"s{s}")
        ]

    like = DSI().with_inference(Inference(draws=99, target="prompts like these"))
    few = next(r for r in like.compute(outputs(4)).tables["comparisons"] if r["measure"] == "refusal")
    assert (few["low"], few["high"], few["difference"]) == (None, None, pytest.approx(0.2))
    row = next(r for r in like.compute(outputs(6)).tables["comparisons"] if r["measure"] == "refusal")
    these = compared(DSI(), outputs(6), "refusal", "female")
    assert (row["low"] <= these["low"], row["high"] >= these["high"]) == (True, True)


@pytest.mark.calibration
@pytest.mark.parametrize(("replicates", "scenarios"), [(10, 1), (5, 4), (20, 4)])
def test_coverage_of_a_planted_difference(replicates, scenarios):
    """One of three groups refused .3 more and answered half as long again: at least 93% − 3 errors, 300 seeds."""
    metric, held = DSI().with_inference(Inference(draws=99)), []
    for seed in range(300):
        rng = np.random.default_rng([seed, replicates, scenarios])
        base = rng.choice([0.05, 0.1, 0.3], scenarios)
        outputs = [
            output(
                f"s{s}",
                group=group,
                outcome="word " * max(1, round(40 * factor * np.exp(rng.normal(-0.08, 0.4)))),
                is_refusal=bool(rng.random() < base[s] + more),
            )
            for s in range(scenarios)
            for group, more, factor in ((WOMAN, 0.3, 1.5), (MAN, 0, 1), (OTHER, 0, 1))
            for _ in range(replicates)
        ]
        rows = metric.compute(outputs).tables["comparisons"]
        truth = {"refusal": 0.3, "length": 20.0}
        held += [row["low"] <= truth[row["measure"]] <= row["high"] for row in rows if row["group"] == "female"]
    assert np.mean(held) >= 0.93 - 3 * np.sqrt(0.93 * 0.07 / len(held))
