"""Many seeds of one world: how often a test rejects, a verdict alarms, an interval holds the truth."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from math import sqrt

from evenhand.core.results import MetricResult
from evenhand.instruments.audit.conclude import conclude
from evenhand.instruments.audit.score import score
from evenhand.metrics.bands import load_profile
from evenhand.metrics.inference import Inference
from evenhand.metrics.registry import registry

from .world import World, draw, references, truth

NAMES = ("RSI", "ODE", "CDS", "HSI", "SAR", "DSI")
DRAWS = 499


@dataclass(kw_only=True)
class Study:
    """What was seen over the seeds of one world.

    Attributes
    ----------
    rejected, tested
        By metric: raw p-values below .05, and p-values at all.
    covered, intervals, approximate
        By metric: intervals that hold the truth, intervals at all, and those that call themselves approximate.
    verdicts
        By metric: verdicts of the default profile.
    alarms
        Runs with any verdict that is not a pass, and neither inconclusive.
    """

    world: World
    seeds: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    tested: Counter[str] = field(default_factory=Counter)
    covered: Counter[str] = field(default_factory=Counter)
    intervals: Counter[str] = field(default_factory=Counter)
    approximate: Counter[str] = field(default_factory=Counter)
    verdicts: dict[str, Counter[str]] = field(default_factory=dict)
    alarms: int = 0

    def rate(self, counts: Counter[str], of: Counter[str], metric: str) -> float | None:
        """Divide; None where there is nothing to divide by."""
        return counts[metric] / of[metric] if of[metric] else None

    def as_json(self) -> dict[str, object]:
        """Return plain JSON."""
        return {**asdict(self), "world": asdict(self.world) | {"name": self.world.name}}


def study(world: World, seeds: Iterable[int], *, profile: str = "evenhand-1") -> Study:
    """Draw a run for every seed, score it with the real metrics, and compare with the truth."""
    seen, known, bands = Study(world=world), truth(world), load_profile(profile)
    declared = references(world)
    classes = registry()
    for seed in seeds:
        inference = Inference(seed=seed, draws=DRAWS, parts=False)
        metrics = [classes.get(name)().with_inference(inference) for name in NAMES]
        results = conclude(score(draw(world, seed), metrics, declared, skipped={}), bands, replicates=world.replicates)
        seen.seeds += 1
        for name, result in results.items():
            _note(seen, name, result, known.values[name])
        seen.alarms += any(r.verdict in {"watch", "flag", "fail", "under"} for r in results.values())
    return seen


def error(rate: float, n: int) -> float:
    """Monte-Carlo standard error of a share."""
    return sqrt(rate * (1 - rate) / n)


def _note(seen: Study, name: str, result: MetricResult, value: float) -> None:
    if result.p_value is not None:
        seen.tested[name] += 1
        seen.rejected[name] += result.p_value < 0.05
    interval = result.confidence_interval
    if interval is not None:
        seen.intervals[name] += 1
        seen.covered[name] += interval.low - 1e-9 <= value <= interval.high + 1e-9
        seen.approximate[name] += interval.approximate
    seen.verdicts.setdefault(name, Counter())[str(result.verdict)] += 1
