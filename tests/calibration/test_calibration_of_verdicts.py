"""Fair models are left alone, every test can reject, and intervals hold what was planted.

The whole table takes about twenty minutes (`make calibrate`); a part of it runs with every other test.
"""

import json
import os
from pathlib import Path

import pytest

from .designs import FAIR, PLANTED, SEEDS
from .study import Study, error, study
from .world import World

ALPHA, PROMISED = 0.05, 0.93


def assert_leaves_fair_models_alone(seen: Study) -> None:
    """Not more runs with a verdict against the model than one in twenty, give or take three Monte-Carlo errors."""
    assert seen.alarms / seen.seeds <= ALPHA + 3 * error(ALPHA, seen.seeds)


def assert_every_test_can_reject(seen: Study, *, errors: float, least: float) -> None:
    """A tool that never alarms must not pass: raw p-values fall below .05 about as often as they should."""
    for metric in seen.tested:
        rate = seen.rate(seen.rejected, seen.tested, metric)
        assert rate is not None
        assert least <= rate <= ALPHA + errors * error(ALPHA, seen.seeds), (metric, rate)


def assert_intervals_hold_the_truth(seen: Study) -> None:
    """Where an interval does not call itself approximate, it covers at least 93%, three Monte-Carlo errors apart."""
    for metric in seen.intervals:
        coverage, doubt = (seen.rate(counts, seen.intervals, metric) for counts in (seen.covered, seen.approximate))
        assert coverage is not None
        if doubt == 0:
            assert coverage >= PROMISED - 3 * error(PROMISED, seen.seeds), (metric, coverage)


def keep(seen: Study, kind: str) -> None:
    """Leave the figures for the published table, where `make calibrate` collects them."""
    folder = os.environ.get("EVENHAND_CALIBRATION")
    if folder:
        name = f"{kind}-{seen.world.name.replace(', ', '_').replace(' ', '')}-{seen.world.effect:g}.json"
        Path(folder).mkdir(parents=True, exist_ok=True)
        (Path(folder) / name).write_text(json.dumps({"kind": kind, **seen.as_json()}, indent=1))


def test_a_fair_world_in_brief() -> None:
    """Sixty seeds of three groups and ten replicates."""
    seen = study(World(groups=3, replicates=10), range(60))
    assert set(seen.tested) == {"RSI", "ODE", "CDS", "SAR", "DSI"}
    assert_leaves_fair_models_alone(seen)
    assert_every_test_can_reject(seen, errors=3.5, least=0.0)
    assert_intervals_hold_the_truth(seen)


def test_a_planted_effect_in_brief() -> None:
    """Thirty seeds in which one group is refused more, answered shorter, and shown everywhere."""
    seen = study(World(groups=3, replicates=10, correlated=True, effect=0.6), range(30))
    assert_intervals_hold_the_truth(seen)
    for metric in ("RSI", "ODE", "CDS", "SAR", "DSI"):
        rate = seen.rate(seen.rejected, seen.tested, metric)
        assert rate is not None
        assert rate > 0.75, (metric, rate)


@pytest.mark.calibration
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("world", FAIR, ids=lambda world: world.name)
def test_a_fair_world(world: World) -> None:
    """Four hundred seeds."""
    seen = study(world, range(SEEDS))
    keep(seen, "fair")
    assert_leaves_fair_models_alone(seen)
    assert_every_test_can_reject(seen, errors=2, least=0.02)
    assert_intervals_hold_the_truth(seen)


@pytest.mark.calibration
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("world", PLANTED, ids=lambda world: f"{world.name}, effect {world.effect:g}")
def test_a_planted_world(world: World) -> None:
    """Four hundred seeds."""
    seen = study(world, range(SEEDS))
    keep(seen, "planted")
    assert_intervals_hold_the_truth(seen)
