"""Two runs, prompt by prompt: what moved, what did not, and what may be compared at all."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest

from evenhand.core.spec import AuditSpec
from evenhand.core.table import OutputTable
from evenhand.core.types import (
    CounterfactualGroup,
    CounterfactualVariant,
    GenerationConfig,
    Reference,
    Scenario,
    ScenarioSet,
)
from evenhand.errors import UsageError
from evenhand.instruments.audit.compare.matched import match
from evenhand.instruments.audit.compare.measures import measure_changes
from evenhand.instruments.audit.compare.pairing import Permutations, adjusted, compare_pair
from evenhand.instruments.audit.compare.plans import Plan, check_all, common_metrics, common_prompts, references_for
from evenhand.instruments.audit.compare.result import Change, Pair
from evenhand.instruments.audit.compare.rows import stacked, take
from evenhand.instruments.audit.compare.trend import trend

from .instruments_compared_runs import as_run, drawn, every_prompt, question

PERMUTATIONS = Permutations(draws=199)


def _pair(old: OutputTable, new: OutputTable, *, draws: int = 99, seed: int = 0) -> Pair:
    return compare_pair(
        as_run("a", old), as_run("b", new), question(), every_prompt(old), Permutations(draws=draws, seed=seed)
    )


# ---- what moved ----


def test_a_group_that_is_refused_more_is_found() -> None:
    """20% everywhere, then 90% of one group: differential service and refusals move up, harm does not move."""
    old, new = (drawn(seed, replicates=10, refusals=0.1, of_b=of_b) for seed, of_b in ((1, 0.1), (2, 0.9)))
    pair = _pair(old, new, draws=199)
    moved = {change.name for change in pair.moved}
    assert moved == {"DSI", "refusals"}
    dsi = next(change for change in pair.metrics if change.name == "DSI")
    assert dsi.is_for_the_worse
    assert dsi.interval is not None
    assert dsi.interval.low > 0
    assert [change.name for change in pair.regressions] == ["DSI"]


def test_the_other_way_round_the_difference_changes_its_sign() -> None:
    """And what was worse is better."""
    old, new = drawn(1), drawn(2, of_b=0.9)
    forth, back = _pair(old, new), _pair(new, old)
    for one, other in zip((*forth.metrics, *forth.measures), (*back.metrics, *back.measures), strict=True):
        assert one.difference == pytest.approx(-other.difference)
        if one.interval is not None and other.interval is not None:
            assert one.interval.low == pytest.approx(-other.interval.high, abs=1e-6)
    assert back.regressions == ()


def test_a_run_and_its_copy_differ_in_nothing() -> None:
    """Every difference 0, every p-value 1."""
    pair = _pair(drawn(3), drawn(3))
    for change in (*pair.metrics, *pair.measures):
        assert change.difference == 0
        assert change.p_adjusted == 1
        assert not change.has_moved


def test_two_runs_of_one_model_are_quiet_in_95_of_100_pairs() -> None:
    """Holm over the measures: in 200 pairs of one law something moves in 5% and 3 Monte-Carlo errors at most."""
    loud = 0
    for seed in range(200):
        old, new = drawn(2 * seed, scenarios=2), drawn(2 * seed + 1, scenarios=2)
        changes = measure_changes(match(old, new, every_prompt(old)), "these prompts", seed=seed, draws=199)
        loud += any(change.has_moved for change in adjusted(changes))
    assert loud / 200 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


@pytest.mark.calibration
def test_metrics_of_two_runs_of_one_model_are_quiet_in_95_of_100_pairs() -> None:
    """The same for metrics, in 400 pairs."""
    loud = 0
    for seed in range(400):
        pair = _pair(drawn(2 * seed, scenarios=2), drawn(2 * seed + 1, scenarios=2), draws=199, seed=seed)
        loud += any(change.has_moved for change in pair.metrics)
    assert loud / 400 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


def test_the_interval_of_a_difference_in_refusals_covers_it() -> None:
    """A true difference of .3 in 200 pairs: at least 93% less 3 Monte-Carlo errors."""
    covered = 0
    for seed in range(200):
        old, new = drawn(2 * seed, refusals=0.1), drawn(2 * seed + 1, refusals=0.4)
        changes = measure_changes(match(old, new, every_prompt(old)), "these prompts", seed=seed, draws=9)
        interval = next(change.interval for change in changes if change.name == "refusals")
        assert interval is not None
        covered += interval.low <= 0.3 <= interval.high
    assert covered / 200 >= 0.93 - 3 * np.sqrt(0.93 * 0.07 / 200)


def test_same_seed_same_numbers() -> None:
    """Nothing depends on anything but the runs and the seed."""
    old, new = drawn(1, scenarios=2), drawn(2, scenarios=2)
    assert _pair(old, new, seed=5) == _pair(old, new, seed=5)


def test_row_order_does_not_matter() -> None:
    """Outputs are matched by prompt and replicate."""
    old, new = drawn(1, scenarios=2), drawn(2, scenarios=2)
    shuffled = take(new, np.random.default_rng(0).permutation(len(new)))
    assert _pair(old, new).measures == _pair(old, shuffled).measures


def test_with_one_answer_to_a_prompt_refusals_are_tested_by_mcnemar() -> None:
    """Pairs that changed are a fair coin under no difference."""
    old, new = drawn(1, scenarios=20, replicates=1), drawn(2, scenarios=20, replicates=1, refusals=0.6)
    change = next(c for c in _pair(old, new).measures if c.name == "refusals")
    gained = int(((new.refusal == 1) & (old.refusal == 0)).sum())
    lost = int(((new.refusal == 0) & (old.refusal == 1)).sum())
    assert change.test == "McNemar, exact"
    assert change.p_value == pytest.approx(binomtest(gained, gained + lost, 0.5).pvalue)
    assert change.interval is not None
    assert change.interval.method == "Newcombe, paired"


def test_the_mean_of_a_measure_weighs_every_prompt_the_same() -> None:
    """By hand: the mean over prompts of the mean over replicates."""
    old, new = drawn(1), drawn(2)
    change = next(c for c in _pair(old, new).measures if c.name == "refusals")
    assert change.old == pytest.approx(np.mean(old.refusal.reshape(-1, 6).mean(axis=1)))
    assert change.new == pytest.approx(np.mean(new.refusal.reshape(-1, 6).mean(axis=1)))


def test_a_metric_without_a_value_says_why() -> None:
    """Nothing is compared with nothing."""
    from evenhand.metrics.cds import CDS

    old, new = drawn(1), drawn(2)
    pair = compare_pair(as_run("a", old), as_run("b", new), question(CDS()), every_prompt(old), PERMUTATIONS)
    assert [(c.difference, c.p_value, c.reason) for c in pair.metrics] == [
        (None, None, "no output has an embedding (both runs)")
    ]


def test_metrics_and_measures_are_two_families_of_holm() -> None:
    """Three p-values of .02: the first step multiplies by three."""
    changes = [Change(name=n, quantity="value", unit="", old=0.0, new=1.0, p_value=0.02, scatter=1.0) for n in "abc"]
    found = adjusted(changes)
    assert [c.p_adjusted for c in found] == pytest.approx([0.06] * 3)
    # (z[1 − .05/6] + z[.8]): 2.394 + .842
    assert [c.smallest_seen for c in found] == pytest.approx([3.2356] * 3, abs=1e-3)


def test_a_prompt_counts_as_often_in_either_run() -> None:
    """Six replicates against four: the first four of the six are used, and the report says so."""
    old, new = drawn(1, replicates=6), drawn(2, replicates=4)
    matched = match(old, new, every_prompt(old))
    assert matched.each == 4 * 3 * 4
    first, second = matched.split()
    assert first.replicate.max() == second.replicate.max() == 4
    pair = _pair(old, new)
    assert pair.notes[0] == "Of run a, 48 of 72 outputs are compared, to 12 of 12 prompts."


def test_the_trend_has_every_run_with_its_interval() -> None:
    """Three runs, each metric three times."""
    runs = [as_run(str(i), drawn(i)) for i in range(3)]
    found = trend(runs, question(), every_prompt(runs[0].outputs), seed=0)
    assert list(found) == ["DSI", "HSI"]
    assert [result.confidence_interval is not None for result in found["HSI"]] == [True] * 3


# ---- rows ----


def test_stacked_tables_keep_every_output() -> None:
    """Names, scores and texts of each row are those it had."""
    old, new = drawn(1, scenarios=2), drawn(2, scenarios=3)
    both = stacked(old, new)
    assert [o.request_id for o in both] == [o.request_id for o in (*old, *new)]
    assert [o.scenario_id for o in both] == [o.scenario_id for o in (*old, *new)]
    assert both[len(old)].toxicity == new[0].toxicity
    assert take(both, np.array([len(old) + 1]))[0].request_id == new[1].request_id


def test_dealing_keeps_every_answer_at_its_prompt() -> None:
    """Run labels change hands within prompts alone."""
    old, new = drawn(1), drawn(2)
    matched = match(old, new, every_prompt(old))
    order = matched.dealt(np.random.default_rng(3))
    assert sorted(order.tolist()) == list(range(len(matched.table)))
    assert (matched.cell[order] == matched.cell).all()
    assert (order != np.arange(len(order))).any()


# ---- which runs may be compared ----


def _spec(**changes: object) -> AuditSpec:
    variants = tuple(CounterfactualVariant(prompt=f"A {v} nurse.", attribute_value=v) for v in ("female", "male"))
    scenario = Scenario(
        id="nurse",
        prompt="A nurse.",
        counterfactuals=(CounterfactualGroup(attribute="gender", variants=variants),),
        references={"gender": Reference(attribute="gender", shares={"female": 0.9, "male": 0.1}, name="x")},
    )
    plain: dict[str, object] = {
        "model": "m/1",
        "adapter": {"provider": "m"},
        "scenario_sets": (ScenarioSet(name="nurses", scenarios=(scenario,)),),
        "metrics": ["RSI", "DSI"],
        "evaluators": {"refusal": "1"},
        "masking": "1",
    }
    return AuditSpec(**{**plain, **changes})  # type: ignore[arg-type]


def _plans(**changes: object) -> list[Plan]:
    return [Plan(run_id="old", spec=_spec()), Plan(run_id="new", spec=_spec(**changes))]


def test_model_adapter_seed_and_bands_may_differ() -> None:
    """They are what is compared, or change no number."""
    plans = _plans(model="m/2", adapter={"provider": "n"}, seed=9, bands="fairbench-1.0")
    assert check_all(plans, common=False) == []


def test_the_name_of_a_set_is_not_its_content() -> None:
    """Prompts and references count."""
    renamed = replace(_spec().scenario_sets[0], name="other", version="2", description="longer")
    assert check_all(_plans(scenario_sets=(renamed,)), common=False) == []


def test_different_plans_are_refused_with_the_differences() -> None:
    """The message lists them and says what to do."""
    with pytest.raises(UsageError) as caught:
        check_all(_plans(replicates=20, generation=GenerationConfig(temperature=1.0)), common=False)
    assert str(caught.value) == (
        "Runs old and new have different plans: generation.temperature: None → 1.0; replicates: 10 → 20. "
        "Compare what they have in common with --common, or run one of them again with the other's plan."
    )


def test_common_lets_plans_differ_and_returns_the_differences() -> None:
    """They are printed beside the numbers."""
    plans = _plans(replicates=20, metrics=["DSI"])
    assert check_all(plans, common=True) == ["metrics: ['RSI', 'DSI'] → ['DSI']", "replicates: 10 → 20"]
    assert common_metrics(*plans) == ["DSI"]


def test_other_versions_of_evaluators_are_refused_even_with_common() -> None:
    """Numbers of two classifiers do not compare."""
    with pytest.raises(UsageError) as caught:
        check_all(_plans(evaluators={"refusal": "2"}), common=True)
    assert str(caught.value) == (
        "Runs old and new were judged differently, so their numbers do not compare: evaluators.refusal: '1' → '2'. "
        "Run the older one again, and compare with that run."
    )


def test_a_changed_prompt_and_a_changed_reference_are_other_prompts() -> None:
    """The rest is common."""
    old = _spec().scenario_sets[0]
    scenario = old.scenarios[0]
    variants = (scenario.counterfactuals[0].variants[0], CounterfactualVariant(prompt="A man.", attribute_value="male"))
    reworded = replace(scenario, counterfactuals=(CounterfactualGroup(attribute="gender", variants=variants),))
    plans = _plans(scenario_sets=(replace(old, scenarios=(reworded,)),))
    assert common_prompts(*plans) == {("nurse", None, None), ("nurse", "gender", "female")}
    assert check_all(plans, common=True) == ["prompts: 1 differ in their text or references, of 3 and 3"]
    other = replace(scenario, references={"gender": replace(scenario.references["gender"], shares={"female": 1.0})})
    with pytest.raises(UsageError, match="have no prompt in common; compare runs of one scenario set"):
        check_all(_plans(scenario_sets=(replace(old, scenarios=(other,)),)), common=True)


def test_references_of_scenarios_that_are_not_compared_are_left_out() -> None:
    """Otherwise an association of theirs would count as undefined."""
    plan = _plans()[0]
    assert references_for(plan, {("nurse", None, None)}).shares.keys() == {("nurse", "gender")}
    assert references_for(plan, set()).shares == {}
