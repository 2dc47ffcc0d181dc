"""RSI and ODE for prompts like these: the scenarios are a sample, and vary among themselves."""

from collections.abc import Sequence

import numpy as np

from evenhand.core.results import Interval
from evenhand.core.table import Floats
from evenhand.metrics.count_cells import CountCell, Reading
from evenhand.metrics.count_limits import ONE_SIDED, SideBySide
from evenhand.metrics.inference import Inference
from evenhand.stats.share_ray import shares_along_ray

METHOD = "t over scenarios, less sampling noise"
FEWEST_CLUSTERS = 5


def clustered_limits(
    cells: Sequence[CountCell], weights: Floats, reading: Reading, inference: Inference
) -> tuple[Interval, Interval]:
    """Return the two-sided interval and the one-sided limits of the mean over all prompts of this kind.

    Parameters
    ----------
    cells
        Of at least `FEWEST_CLUSTERS` scenarios.

    Notes
    -----
    Student's t over scenarios, each first brought down by what sampling adds to it at the observed shares, which is
    found by simulation and is itself estimated: the intervals are called approximate.
    """
    from scipy.special import stdtrit  # slow to import

    arrays = SideBySide.of(cells, reading)
    law = arrays.law(weights, seed=int(inference.rng(reading.metric, "clusters").integers(2**63)))
    near = shares_along_ray(arrays.origin, arrays.counts, np.ones(1))[0]
    noise = law.expected(near) - arrays.read(near[:, None], np.arange(len(cells)))[:, 0]
    names = dict.fromkeys(cell.scenario for cell in cells)
    place = {name: i for i, name in enumerate(names)}
    at = [place[cell.scenario] for cell in cells]
    share = np.bincount(at, weights=weights)
    each = np.bincount(at, weights=weights * (arrays.observed - noise)) / share
    error = float(each.std(ddof=1)) / np.sqrt(len(names))
    most = float(weights @ [float(reading.distance(np.eye(len(c.reference)), c.reference).max()) for c in cells])
    intervals = []
    for level in (inference.level, 2 * ONE_SIDED - 1):
        reach = float(stdtrit(len(names) - 1, (1 + level) / 2)) * error
        ends = sorted(reading.of_distance(float(np.clip(each.mean() + sign * reach, 0, most))) for sign in (-1, 1))
        intervals.append(
            Interval(
                low=ends[0], high=ends[1], level=level, method=METHOD, target="prompts like these", approximate=True
            )
        )
    return intervals[0], intervals[1]
