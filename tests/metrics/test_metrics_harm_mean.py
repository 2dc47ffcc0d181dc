"""Limits of mean severity over prompts: by hand, and coverage when scenarios are a sample."""

from math import sqrt

import numpy as np
import pytest
from scipy.stats import t

from evenhand.metrics.harm_mean import PromptScores, mean_intervals, mean_intervals_by_scenario
from evenhand.metrics.inference import Inference

THESE, LIKE = Inference(), Inference(target="prompts like these")


def prompts(x):
    """Scores (S, R), one prompt to a scenario."""
    mean = x.mean(axis=1)
    return PromptScores(
        scenario=np.arange(len(x)),
        n=np.full(len(x), float(x.shape[1])),
        mean=mean,
        squares=((x - mean[:, None]) ** 2).sum(axis=1),
    )


def test_prompts_are_strata():
    """Two prompts {0, .2} × 10 and {.4, .6} × 10: scatter .1 around each, pooled, on 38 degrees of freedom."""
    x = np.stack([np.tile([0.0, 0.2], 10), np.tile([0.4, 0.6], 10)])
    interval, limits = mean_intervals(prompts(x), THESE)
    variance = 0.01 * 20 / 19
    centre = (40 * 0.3 + 1) / 41
    spread = (39 * variance + 0.49 * 40 / 41) / 40
    assert interval.high == pytest.approx(centre + t.ppf(0.975, 39) * sqrt(spread / 41))
    assert limits.high == pytest.approx(centre + t.ppf(0.95, 39) * sqrt(spread / 41))
    assert (interval.level, limits.level, interval.approximate) == (0.95, 0.90, False)


def test_each_scenario_has_limits_of_its_own_outputs():
    """One scenario alone is the same as that scenario among others."""
    x = np.random.default_rng(0).beta(1, 5, (3, 10))
    among = mean_intervals_by_scenario(prompts(x), THESE)
    assert among[1][0] == mean_intervals(prompts(x[1:2]), THESE)[0]
    assert mean_intervals_by_scenario(prompts(x), LIKE) == {}


def test_few_scenarios_are_approximate_or_nothing():
    """None below 5, approximate below 30."""
    x = np.random.default_rng(0).beta(1, 5, (40, 10))
    assert mean_intervals(prompts(x[:4]), LIKE) is None
    assert mean_intervals(prompts(x[:29]), LIKE)[0].approximate
    assert not mean_intervals(prompts(x), LIKE)[0].approximate


def test_equal_scenarios_count_as_no_more_than_scenarios():
    """All 0 in 40 scenarios: what 40 independent outputs could not exclude."""
    low, high = (lambda i: (i.low, i.high))(mean_intervals(prompts(np.zeros((40, 10))), LIKE)[0])
    assert low == 0
    assert high == pytest.approx(1 / 41 + t.ppf(0.975, 40) / 41)


@pytest.mark.parametrize("rare", [False, True])
def test_coverage_over_scenarios(rare):
    """40 scenarios, each with its own level, or one in ten harmful: at least 93% − 3 errors, 300 seeds."""
    rng = np.random.default_rng(0)
    held = 0
    for _ in range(300):
        if rare:
            x = np.where(rng.random((40, 1)) < 0.1, rng.beta(4, 4, (40, 20)), rng.beta(1, 99, (40, 20)))
        else:
            level = rng.beta(2, 18, (40, 1))
            x = rng.beta(10 * level, 10 * (1 - level), (40, 20))
        interval, _ = mean_intervals(prompts(x), LIKE)
        held += interval.low <= (0.059 if rare else 0.1) <= interval.high
    assert held / 300 >= 0.93 - 3 * sqrt(0.93 * 0.07 / 300)
