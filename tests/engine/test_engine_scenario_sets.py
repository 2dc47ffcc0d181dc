"""Every built-in set yields its metric: through the real engine, with a simulated model that is even or is not."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from evenhand.adapters.simulated.adapter import SimulatedAdapter
from evenhand.adapters.simulated.profile import Profile
from evenhand.core.results import MetricResult
from evenhand.core.types import EvaluationRun, ScenarioSet
from evenhand.engine import FairBenchEngine
from evenhand.scenarios.registry import ScenarioRegistry

DETECTION_ALONE = ("embeddings", "toxicity", "names", "sentiment")
# embeddings are the slow part: short texts, and every third scenario with all of its variants
SHORT = {"length": {"mean_words": 14, "sd_words": 2}}
ABUSE = ["I hate those disgusting immigrants, kill them all."]


@pytest.fixture(scope="module")
def sets() -> Mapping[str, ScenarioSet]:
    registry = ScenarioRegistry()
    return {name: registry.get(name) for name in registry.names()}


async def audit(
    folder: Path, group: ScenarioSet, metric: str, profile: dict, *, replicates: int = 12, skip: tuple[str, ...]
) -> MetricResult:
    """Ask the whole set and return its metric, which must have a value."""
    async with FairBenchEngine(folder / f"{profile['name']}.db") as engine:
        run: EvaluationRun = await engine.evaluate(
            model=SimulatedAdapter(Profile.model_validate(profile)),
            scenarios=group,
            metrics=[metric],
            replicates=replicates,
            concurrency=64,
            skip_evaluators=skip,
        )
    result = run.results[metric]
    assert result.status == "ok", result.reason
    assert result.value is not None
    return result


def pronouns_as_published(group: ScenarioSet) -> dict:
    """Let each role have exactly its reference's shares; the role's name is the scenario's id without its prefix."""
    roles = {}
    for scenario in group.scenarios:
        role = scenario.id.partition("_")[2].replace("_", " ")
        assert role in scenario.prompt
        shares = scenario.references["gender"].shares
        roles[role] = {"she": shares["female"], "he": shares["male"]}
    return {"name": "even", "pronouns": {"roles": roles}}


def every_third(group: ScenarioSet) -> ScenarioSet:
    return replace(group, scenarios=group.scenarios[::3])


async def test_rsi_benchmark_yields_representation_skew(sets, tmp_path):
    """Shares as published leave sampling noise alone; a model that writes "he" everywhere is far from all of them."""
    group = sets["rsi_benchmark"]
    even = await audit(tmp_path, group, "RSI", pronouns_as_published(group), skip=DETECTION_ALONE)
    masculine = {"name": "planted", "pronouns": {"default": {"he": 1.0}}}
    planted = await audit(tmp_path, group, "RSI", masculine, skip=DETECTION_ALONE)
    assert planted.n_clusters == even.n_clusters == 12
    # a dozen answers to each of two categories cost about .02 bits of noise
    assert even.value < 0.06
    assert planted.value > 0.2


async def test_ode_benchmark_yields_diversity_over_three_categories(sets, tmp_path):
    """One pronoun for everybody: 0. Women and men evenly: at most .631, the third is missing. All three: near 1."""
    values = {}
    for name, shares in {
        "planted": {"he": 1.0},
        "two": {"she": 0.5, "he": 0.5},
        "even": {"she": 0.34, "he": 0.33, "ze": 0.33},
    }.items():
        profile = {"name": name, "pronouns": {"default": shares}}
        values[name] = (await audit(tmp_path, sets["ode_benchmark"], "ODE", profile, skip=DETECTION_ALONE)).value
    assert values["planted"] == 0
    assert 0.5 < values["two"] <= 0.631
    assert values["even"] > 0.8


async def test_sar_benchmark_yields_stereotype_amplification(sets, tmp_path):
    """Shares as published: a factor near 1. The stereotype in every answer: 1/baseline, between 1.2 and 1.6 here."""
    group = sets["sar_benchmark"]
    even_profile = pronouns_as_published(group)
    even = await audit(tmp_path, group, "SAR", even_profile, replicates=24, skip=DETECTION_ALONE)
    roles = {
        role: {"she": 1.0} if stereotype.value == "female" else {"he": 1.0}
        for role, stereotype in zip(
            even_profile["pronouns"]["roles"], (s.stereotypes[0] for s in group.scenarios), strict=True
        )
    }
    planted = await audit(
        tmp_path, group, "SAR", {"name": "planted", "pronouns": {"roles": roles}}, skip=DETECTION_ALONE
    )
    assert even.value < planted.value
    assert even.value < 1.2
    assert planted.value > 1.3
    assert planted.parts["lowest_s"] > 1.2
    assert planted.parts["lowest_reachable_max"] > 1.2


async def test_dsi_benchmark_yields_differential_service(sets, tmp_path):
    """Nobody refused: lengths alone, near 0. Half of the requests by people with some names refused: RRD near .5."""
    group = sets["dsi_benchmark"]
    even = await audit(tmp_path, group, "DSI", {"name": "even"}, skip=DETECTION_ALONE)
    names = [
        variant.prompt.split()[0]
        for scenario in group.scenarios
        for counterfactual in scenario.counterfactuals
        for variant in counterfactual.variants
        if (counterfactual.attribute, variant.attribute_value) == ("perceived_race", "black")
    ]
    refusing = {"name": "planted", "groups": {"by_name": {"match": names, "refusal_rate": 0.5}}}
    planted = await audit(tmp_path, group, "DSI", refusing, skip=DETECTION_ALONE)
    assert even.parts["RRD"] == 0
    assert even.value < 0.05
    assert planted.value > 0.2
    assert planted.by_attribute["perceived_race"].parts["RRD"] == pytest.approx(0.5, abs=0.15)
    assert planted.by_attribute["gender"].parts["RRD"] == 0
    # DSI compares over complete scenarios: here that is all of them, for every attribute
    assert {result.n_clusters for result in planted.by_attribute.values()} == {10}


@pytest.mark.assets
async def test_hsi_benchmark_yields_harm_and_whom_it_falls_on(sets, tmp_path):
    """No abuse: near 0. Half of the answers about one religion abusive: the level rises, and the gap says whose."""
    skip = ("embeddings", "names", "sentiment", "demographics", "refusal")
    even = await audit(tmp_path, sets["hsi_benchmark"], "HSI", {"name": "even", **SHORT}, skip=skip)
    abusive = {
        "name": "planted",
        "groups": {"muslim": {"match": ["Muslim"], "toxic_rate": 0.5}},
        "toxic_phrases": ABUSE,
        **SHORT,
    }
    planted = await audit(tmp_path, sets["hsi_benchmark"], "HSI", abusive, skip=skip)
    assert planted.value > 2 * even.value
    gaps = {name: result.parts["group_gap"] for name, result in planted.by_attribute.items()}
    assert max(gaps, key=gaps.__getitem__) == "religion"
    assert gaps["religion"] > 5 * even.parts["group_gap"]


@pytest.mark.assets
async def test_cds_benchmark_yields_divergence_above_its_floor(sets, tmp_path):
    """Answers that ignore the person lie no further apart than two answers to one prompt; refusals to one group do."""
    skip = ("toxicity", "names", "demographics", "refusal")
    group = every_third(sets["cds_benchmark"])
    even = await audit(tmp_path, group, "CDS", {"name": "even", **SHORT}, replicates=2, skip=skip)
    refusing = {"name": "planted", "groups": {"old": {"match": ["older"], "refusal_rate": 1.0}}, **SHORT}
    planted = await audit(tmp_path, group, "CDS", refusing, replicates=2, skip=skip)
    assert abs(even.excess) < 0.02
    assert planted.excess > even.excess + 0.01
    assert planted.by_attribute["age"].excess > 0.1
    assert planted.by_attribute["religion"].excess == pytest.approx(even.by_attribute["religion"].excess)


@pytest.mark.assets
async def test_racial_sentiment_yields_a_difference_in_tone(sets, tmp_path):
    """The sentiment part moves when answers about one race end in abuse, and the worst group is that one."""
    skip = ("toxicity", "names", "demographics", "refusal")
    group = every_third(sets["racial_sentiment"])
    even = await audit(tmp_path, group, "CDS", {"name": "even", **SHORT}, replicates=3, skip=skip)
    abusive = {
        "name": "planted",
        "groups": {"black": {"match": ["Black"], "toxic_rate": 1.0}},
        "toxic_phrases": ABUSE,
        **SHORT,
    }
    planted = await audit(tmp_path, group, "CDS", abusive, replicates=3, skip=skip)
    assert planted.parts["sentiment"] > even.parts["sentiment"] + 0.02
    rows = {row["group"]: row["value"] for row in planted.tables["groups"]}
    assert max(rows, key=rows.__getitem__) == "black"
