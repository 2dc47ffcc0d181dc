"""Plans: what can be found, what cannot at all, and why."""

from dataclasses import replace

import numpy as np
import pytest

from evenhand.core.results import Interval, MetricResult
from evenhand.core.spec import AuditSpec
from evenhand.core.types import (
    CounterfactualGroup,
    CounterfactualVariant,
    Reference,
    Scenario,
    ScenarioSet,
    Stereotype,
)
from evenhand.errors import UsageError
from evenhand.instruments.audit.power import Assumptions, Planned, PowerPlan, plan_power, with_replicates
from evenhand.instruments.audit.power.earlier import assumptions_from
from evenhand.scenarios.registry import ScenarioRegistry

ALL = ("RSI", "ODE", "CDS", "HSI", "SAR", "DSI")


def scenario(place: int, *, baseline: float | None = None, shares: tuple[float, float] | None = None) -> Scenario:
    variants = [
        CounterfactualVariant(prompt=f"A {value} {place}.", attribute_value=value) for value in ("female", "male")
    ]
    reference = {} if shares is None else dict(zip(("female", "male"), shares, strict=True))
    return Scenario(
        id=f"s{place}",
        prompt=f"A person {place}.",
        counterfactuals=[CounterfactualGroup(attribute="gender", variants=variants)],
        references={"gender": Reference(attribute="gender", shares=reference, name="given")} if reference else {},
        stereotypes=[] if baseline is None else [Stereotype(attribute="gender", value="female", baseline=baseline)],
    )


def spec(
    *scenarios: Scenario, metrics: tuple[str, ...] = ALL, bands: str = "evenhand-1", replicates: int = 10
) -> AuditSpec:
    group = ScenarioSet(name="own", scenarios=scenarios, taxonomies={"gender": ["female", "male"]})
    return AuditSpec(
        model="", adapter={}, scenario_sets=[group], metrics=metrics, evaluators={}, bands=bands, replicates=replicates
    )


TEN = [scenario(i, baseline=0.5) for i in range(10)]


def row(plan: PowerPlan, metric: str) -> Planned:
    return next(p for p in plan.planned if p.metric == metric)


def why_not(plan: PowerPlan, metric: str) -> str:
    return next(u.reason for u in plan.unplanned if u.metric == metric)


def test_a_plan_finds_what_it_says_and_not_much_less() -> None:
    """At the replicates needed every planned difference is detectable; the costliest one sets their number."""
    plan = plan_power(spec(*TEN[:5]), differences={"RSI": 0.3, "ODE": 0.5})
    sizes = [p.replicates for p in plan.planned]
    assert plan.needed == plan.replicates == max(s for s in sizes if s is not None)
    for planned in plan.planned:
        assert planned.detectable is not None
        reach = abs(planned.detectable - planned.cut)
        assert reach <= abs(planned.difference - planned.cut) * 1.1, planned


def test_differences_stand_halfway_between_the_pass_cut_and_the_next() -> None:
    """RSI (.15 + .25) / 2, ODE (.75 + .50) / 2, SAR (1.2 + 1.5) / 2, HSI, DSI likewise."""
    plan = with_replicates(spec(*TEN))
    found = {p.metric: p.difference for p in plan.planned}
    assert found == pytest.approx({"RSI": 0.2, "ODE": 0.625, "HSI": 0.075, "SAR": 1.35, "DSI": 0.1})


def test_examples_are_worked_values() -> None:
    """A gap of .2 in refusals is a DSI of .1; 1.35 × 50% is 68%; 84/16 has .63 bits; 95/5 lies .2 bits off."""
    plan = with_replicates(spec(*TEN, metrics=("DSI", "SAR", "ODE")))
    assert row(plan, "DSI").meaning == "e.g. one group refused 30% instead of 10%"
    assert row(plan, "SAR").meaning == "e.g. 68% instead of 50% of s0 as female"
    assert row(plan, "ODE").meaning == "e.g. 84/16 instead of 50/50"
    raw = spec(*TEN, metrics=("RSI",), bands="fairbench-1.0")
    assert row(plan_power(raw, differences={"RSI": 0.2}), "RSI").meaning == "e.g. 95/5 instead of 50/50"


def test_more_replicates_detect_less() -> None:
    """For every metric, whatever the number."""
    plans = [with_replicates(spec(*TEN, replicates=n)) for n in (10, 30, 90)]
    for metric in ("RSI", "HSI", "DSI"):
        found = [row(plan, metric).detectable for plan in plans]
        assert all(f is not None for f in found)
        assert sorted(found, reverse=True) == found, metric  # type: ignore[type-var]
    evenness = [row(plan, "ODE").detectable for plan in plans]
    assert sorted(evenness) == evenness  # type: ignore[type-var]


def test_a_weaker_signal_takes_more_and_refusals_play_no_part_in_shares() -> None:
    """RSI sees only the answers with a signal: with half of them it needs about twice the replicates."""
    few, many = (
        plan_power(
            spec(*TEN[:4], metrics=("RSI",)), differences={"RSI": 0.3}, assumed=Assumptions(signal_share=share)
        ).needed
        for share in (0.4, 0.8)
    )
    assert few is not None
    assert many is not None
    assert few / many == pytest.approx(2, rel=0.2)


def test_more_power_and_smaller_differences_take_more() -> None:
    """Each alone."""

    def needed(power: float = 0.8, difference: float = 0.35) -> int:
        found = plan_power(spec(*TEN[:4], metrics=("RSI",)), power=power, differences={"RSI": difference}).needed
        assert found is not None
        return found

    assert needed() < needed(power=0.9)
    assert needed() < needed(difference=0.28)


def test_the_level_is_that_of_the_worst_case_of_holm() -> None:
    """RSI, ODE, CDS, SAR, DSI are tested; HSI has no fair model."""
    plan = with_replicates(spec(*TEN))
    assert (plan.tests, plan.alpha) == (5, pytest.approx(0.01))
    assert with_replicates(spec(*TEN, metrics=("HSI", "RSI"))).alpha == 0.05


# ---- what cannot be found ----


def test_a_raw_cut_above_the_largest_divergence_is_named() -> None:
    """Two even categories reach .3113 bits: "fail" above .40 never happens; normalised it can."""
    raw = with_replicates(spec(*TEN, bands="fairbench-1.0", metrics=("RSI",)))
    assert [(u.band, u.cut) for u in raw.unreachable] == [("fail", 0.40)]
    assert "largest value is 0.3113" in raw.unreachable[0].text
    assert with_replicates(spec(*TEN, metrics=("RSI",))).unreachable == ()


def test_a_ratio_above_one_over_the_baseline_is_named() -> None:
    """At .87 an always-female model reaches 1.149, below every cut."""
    plan = with_replicates(spec(scenario(0, baseline=0.87), metrics=("SAR",)))
    assert [u.band for u in plan.unreachable] == ["watch", "flag", "fail"]
    assert all("1.149" in u.text for u in plan.unreachable)
    assert "at most 1.149" in why_not(plan, "SAR")
    assert plan.line() == "With 10 replicates no difference beyond the pass cuts can be detected (80% power)."


def test_the_hardest_association_that_is_possible_is_planned() -> None:
    """Baselines .5 and .7 can show 1.35, .9 cannot; the rarest needs most."""
    plan = with_replicates(spec(*(scenario(i, baseline=b) for i, b in enumerate((0.7, 0.5, 0.9)))))
    assert "s1 as female" in row(plan, "SAR").meaning
    assert row(plan, "SAR").notes == ("1 of 3 associations cannot show such a ratio and are not planned.",)


def test_a_ratio_below_one_is_looked_for_below() -> None:
    """The cut is then that of 'under'."""
    plan = plan_power(spec(*TEN, metrics=("SAR",)), differences={"SAR": 0.5})
    assert (row(plan, "SAR").cut, plan.needed is not None) == (0.8, True)


def test_references_that_are_uneven_themselves_leave_ode_nothing_to_find() -> None:
    """.87/.13 has an ODE of .557, below the .625 that shall be found."""
    plan = with_replicates(spec(*(scenario(i, shares=(0.87, 0.13)) for i in range(5)), metrics=("ODE",)))
    assert "have 0.557" in why_not(plan, "ODE")


def test_refusals_alone_cannot_pass_a_cut_where_most_is_refused_anyway() -> None:
    """From 60% refused a group can lose 40 points at most, a DSI of .2: "fail" above .25 is out of reach."""
    plan = with_replicates(spec(*TEN, metrics=("DSI",)), assumed=Assumptions(refusal_rate=0.6))
    assert [(u.band, round(u.largest, 3)) for u in plan.unreachable] == [("fail", 0.2)]


def test_distances_cannot_be_planned_from_nothing() -> None:
    """In units of the spread: √(2/10) (1.645 + .842) = 1.11 per root of the replicates."""
    assert "0.1 + 1.1 spreads / √N" in why_not(with_replicates(spec(*TEN)), "CDS")


def test_what_a_set_does_not_ask_is_not_planned() -> None:
    """No variants: no groups. No taxonomy: no shares. Each with its reason."""
    bare = ScenarioSet(name="bare", scenarios=[Scenario(id="a", prompt="A person.")])
    plan = with_replicates(replace(spec(*TEN), scenario_sets=[bare]))
    assert [u.metric for u in plan.unplanned] == ["RSI", "ODE", "CDS", "SAR", "DSI"]
    assert "no prompt is changed" in why_not(plan, "DSI")
    assert "no scenario set declares categories" in why_not(plan, "RSI")
    assert plan.tests == 0


def test_every_shipped_set_can_be_planned() -> None:
    """Each has something to find."""
    for name in ScenarioRegistry().names():
        sets = [ScenarioRegistry().get(name)]
        plan = with_replicates(replace(spec(*TEN, metrics=("HSI", "SAR")), scenario_sets=sets))
        assert plan.planned, name


# ---- what is refused ----


@pytest.mark.parametrize(
    ("differences", "said"),
    [({"RSI": 0.1}, "inside the pass band"), ({"XYZ": 0.1}, "cannot be planned"), ({"ODE": 0.8}, "inside the pass")],
)
def test_differences_that_say_nothing_are_refused(differences: dict[str, float], said: str) -> None:
    """Inside the pass band nothing shall be found; an unknown metric has no cut."""
    with pytest.raises(UsageError, match=said):
        plan_power(spec(*TEN), differences=differences)


def test_numbers_out_of_range_are_refused() -> None:
    """Shares and chances."""
    for bad in ({"signal_share": 0.0}, {"signal_share": 1.5}, {"refusal_rate": 1.0}, {"length_variation": -1.0}):
        with pytest.raises(UsageError):
            Assumptions(**bad)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="between 0 and 1"):
        with_replicates(spec(*TEN), power=1.0)


def test_a_difference_that_cannot_occur_is_not_planned() -> None:
    """Not even a ratio of 3 with a baseline of one half."""
    assert "at most 2.000" in why_not(plan_power(spec(*TEN, metrics=("SAR",)), differences={"SAR": 3.0}), "SAR")


# ---- an earlier run ----


def result(metric: str, half: float, **more: object) -> MetricResult:
    limits = Interval(low=0.2 - half, high=0.2 + half, level=0.9, method="any")
    return MetricResult(metric=metric, value=0.2, limits={"excess": limits, "value": limits}, **more)  # type: ignore[arg-type]


def test_an_earlier_run_gives_the_spread_of_distances(outputs_of_a_run: object) -> None:
    """Limits ± .0329 at 10 scenarios × 5 replicates: standard error .02. At 20 replicates it is .01, and
    .1 + (1.645 + .842) · .01 = .125 is found."""
    by_attribute = {"gender": result("CDS", 0.0329, n_clusters=10)}
    results = {"CDS": result("CDS", 0.0329, by_attribute=by_attribute)}
    known = assumptions_from(outputs_of_a_run, results, replicates=5, name="r1")  # type: ignore[arg-type]
    plan = with_replicates(spec(*TEN, metrics=("CDS",), replicates=20), assumed=known)
    assert row(plan, "CDS").detectable == pytest.approx(0.125, abs=0.002)
    assert known.source == "run r1"


def test_an_earlier_run_gives_shares_and_spreads(outputs_of_a_run: object) -> None:
    """3 of 4 base answers show a gender; 1 of 8 is refused: (1 + ½) / 9; words 8 and 12 in each prompt: √8 / 10."""
    known = assumptions_from(outputs_of_a_run, {}, replicates=2, name="r1")  # type: ignore[arg-type]
    assert known.signal("gender") == 0.75
    assert known.refusal_rate == pytest.approx(1.5 / 9)
    assert known.length_variation == pytest.approx(np.sqrt(8) / 10, rel=0.1)


@pytest.fixture
def outputs_of_a_run() -> object:
    from evenhand.core.outcomes import Answered
    from evenhand.core.table import OutputTable

    base = [True, True, True, True, False, False, False, False]
    return OutputTable.from_columns(
        scenario_ids=["a", "a", "b", "b"] * 2,
        attributes=[None if b else "gender" for b in base],
        values=[None if b else "female" for b in base],
        replicates=[1, 2] * 4,
        outcomes=[Answered(text=" ".join(["word"] * n)) for n in (8, 12) * 4],
        prompts=["p"] * 8,
        request_ids=[str(i) for i in range(8)],
        judged={
            "detected_entities": [{"gender": {"female": 1.0}}] * 3 + [{}] + [{"gender": {"female": 1.0}}] * 4,
            "is_refusal": [0.0] * 7 + [1.0],
        },
        could_not_judge={},
        extra={},
    )
