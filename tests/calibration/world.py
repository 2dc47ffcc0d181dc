"""Worlds of which the truth is known: evaluated outputs drawn from declared laws, fair or with a planted effect.

Drawing starts at evaluations, not at texts, so that thousands of runs are affordable.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.core.outcomes import Answered
from evenhand.core.table import OutputTable
from evenhand.core.types import Reference, References, Stereotype
from evenhand.stats.divergence import jsd_bits, normalised_entropy, normalised_jsd

DIMENSIONS = 16
ATTRIBUTE = "kind"
_SEED = 20_261_201


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """How outputs come about.

    Attributes
    ----------
    groups
        Groups of the one attribute, which is also the number of categories that base prompts may show.
    replicates, scenarios
        Of each prompt; prompts differ in what they refer to and how they are answered.
    correlated
        Whether the answers of one scenario have a level of their own in length, refusals, toxicity and meaning, which
        all its conditions share.
    effect
        0: the model treats every group alike and base prompts follow their references. 1: as unfair as the laws below
        allow.
    """

    groups: int
    replicates: int
    scenarios: int = 6
    correlated: bool = False
    effect: float = 0.0

    @property
    def name(self) -> str:
        """In words, for tables."""
        kind = "correlated" if self.correlated else "independent"
        return f"{self.groups} groups, {self.replicates} replicates, {self.scenarios} scenarios, {kind}"


def references(world: World) -> References:
    """Declare taxonomy, references (uniform and skewed in turn) and one stereotype a scenario."""
    labels = _labels(world)
    shares = {
        (_scenario(s), ATTRIBUTE): Reference(
            attribute=ATTRIBUTE, shares=dict(zip(labels, _q(world, s).tolist(), strict=True)), name="declared"
        )
        for s in range(world.scenarios)
    }
    stereotypes = {
        _scenario(s): [
            Stereotype(
                attribute=ATTRIBUTE, value=labels[0], baseline=float(_q(world, s)[0]), source="this world", year=2026
            )
        ]
        for s in range(world.scenarios)
    }
    return References(taxonomies={ATTRIBUTE: labels}, shares=shares, stereotypes=stereotypes)


def draw(world: World, seed: int) -> OutputTable:
    """Draw one run."""
    rng = np.random.default_rng([_SEED, seed])
    g, r, s = world.groups, world.replicates, world.scenarios
    scenario = np.repeat(np.arange(s), (g + 1) * r)
    condition = np.tile(np.repeat(np.arange(g + 1), r), s)  # 0: the base prompt
    replicate = np.tile(np.arange(1, r + 1), s * (g + 1))
    refused = rng.random(len(scenario)) < refusal_rates(world)[scenario, condition]
    words = np.maximum(1, rng.lognormal(np.log(mean_words(world))[scenario, condition], 0.35)).astype(int)
    shown = _shown(world, scenario, condition, rng)
    labels = _labels(world)
    return OutputTable.from_columns(
        scenario_ids=[_scenario(i) for i in scenario],
        attributes=[None if c == 0 else ATTRIBUTE for c in condition],
        values=[None if c == 0 else labels[c - 1] for c in condition],
        replicates=replicate.tolist(),
        outcomes=[Answered(text=_TEXTS[min(n, len(_TEXTS) - 1)]) for n in words],
        prompts=[""] * len(scenario),
        request_ids=[str(i) for i in range(len(scenario))],
        judged={
            "detected_entities": [{ATTRIBUTE: {labels[i]: 1.0}} for i in shown],
            "is_refusal": refused.astype(float),
            "toxicity": _toxicity(world, scenario, condition, rng),
            "sentiment": rng.dirichlet([2.0, 1.0, 5.0], size=len(scenario)),
            "embedding": _embeddings(world, scenario, condition, rng),
        },
        could_not_judge={},
        extra={},
    )


_TEXTS = [" ".join(["word"] * n) for n in range(2_000)]


@cache
def refusal_rates(world: World) -> NDArray[np.float64]:
    """(scenarios, 1 + groups) chance of a refusal; the first group is refused more under an effect."""
    rates = np.full((world.scenarios, world.groups + 1), 0.15)
    if world.correlated:
        rates += np.linspace(-0.1, 0.1, world.scenarios)[:, None]
    rates[:, 1] += 0.5 * world.effect
    return rates


@cache
def mean_words(world: World) -> NDArray[np.float64]:
    """(scenarios, 1 + groups) median length; the first group is answered shorter under an effect."""
    words = np.full((world.scenarios, world.groups + 1), 60.0)
    if world.correlated:
        words *= np.geomspace(0.5, 2.0, world.scenarios)[:, None]
    words[:, 1] *= 1 - 0.6 * world.effect
    return words


@cache
def shown_shares(world: World) -> NDArray[np.float64]:
    """(scenarios, categories) law of what answers to base prompts show: the reference, pulled to the first category."""
    q = np.stack([_q(world, s) for s in range(world.scenarios)])
    corner = np.eye(world.groups)[0]
    return (1 - world.effect) * q + world.effect * corner


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """Population values of the published definitions in one world; None where there is none in closed form."""

    values: dict[str, float]


@cache
def truth(world: World) -> Truth:
    """Compute what an endless run would score. CDS from 2,000 outputs a condition, whose error is negligible here."""
    q = np.stack([_q(world, s) for s in range(world.scenarios)])
    p = shown_shares(world)
    rates, words = refusal_rates(world)[:, 1:].mean(axis=0), mean_words(world)[:, 1:].mean(axis=0)
    rrd, rld = np.ptp(rates), words.std() / words.mean() / np.sqrt(world.groups - 1)
    fold = p[:, 0] / q[:, 0]
    return Truth(
        values={
            "RSI": float(jsd_bits(p, q).mean()),
            "RSI normalised": float(normalised_jsd(p, q).mean()),
            "ODE": float(normalised_entropy(p, world.groups).mean()),
            "SAR": float(np.exp(np.mean(np.log(np.maximum(fold, 1 / fold))))),
            "DSI": float((rrd + rld) / 2),
            "HSI": float(_mean_hate(world)[:, :].mean()),
            "CDS": _true_distance(world),
        }
    )


def _true_distance(world: World) -> float:
    from evenhand.metrics.cds import CDS

    large = draw(replace(world, replicates=2_000 if world.scenarios * world.groups < 40 else 800), 999_983)
    value = CDS().with_inference(None).compute(large, references(world)).value
    assert value is not None
    return value


def _mean_hate(world: World) -> NDArray[np.float64]:
    """(scenarios, 1 + groups) mean of the severity that HSI reads."""
    a, b = _hate_law(world)
    return a / (a + b)


def _hate_law(world: World) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    mean = np.full((world.scenarios, world.groups + 1), 0.02)
    if world.correlated:
        mean *= np.geomspace(0.5, 2.0, world.scenarios)[:, None]
    mean[:, 1] += 0.3 * world.effect
    return 4 * mean, 4 * (1 - mean)


def _toxicity(world: World, scenario: Any, condition: Any, rng: np.random.Generator) -> NDArray[np.float64]:
    a, b = _hate_law(world)
    scores = np.zeros((len(scenario), 6))
    scores[:, 5] = rng.beta(a[scenario, condition], b[scenario, condition])
    scores[:, 0] = np.minimum(1, scores[:, 5] + 0.05 * rng.random(len(scenario)))
    return scores


def _embeddings(world: World, scenario: Any, condition: Any, rng: np.random.Generator) -> NDArray[np.float32]:
    fixed = np.random.default_rng(_SEED)
    centre = fixed.normal(size=(world.scenarios if world.correlated else 1, DIMENSIONS))
    turn = fixed.normal(size=DIMENSIONS)
    vectors = centre[scenario % len(centre)] + 0.8 * rng.normal(size=(len(scenario), DIMENSIONS))
    vectors[condition == 1] += 1.5 * world.effect * turn
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors.astype(np.float32)


def _shown(world: World, scenario: Any, condition: Any, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw the category of each output: base prompts by their law, changed prompts nearly always as asked."""
    p = shown_shares(world)
    shown = (rng.random(len(scenario))[:, None] > np.cumsum(p, axis=1)[scenario]).sum(axis=1)
    shown = np.minimum(shown, world.groups - 1)
    asked = np.where(rng.random(len(scenario)) < 0.9, condition - 1, shown)
    return np.where(condition == 0, shown, asked)


def _q(world: World, scenario: int) -> NDArray[np.float64]:
    """Uniform, or the first category half of all, in turn."""
    k = world.groups
    if scenario % 2 == 0 or k == 2:
        return np.full(k, 1 / k)
    rest = np.full(k, 0.5 / (k - 1))
    rest[0] = 0.5
    return rest


def _labels(world: World) -> tuple[str, ...]:
    return tuple(f"group {chr(97 + i)}" for i in range(world.groups))


def _scenario(number: int) -> str:
    return f"scenario {number}"
