"""How the plug-in DSI of one attribute scatters, were groups t times as far apart as they were seen to be."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evenhand.core.table import Flags, Floats
from evenhand.metrics.balanced import comparable
from evenhand.metrics.cell_moments import CellMoments, between_scenarios, within_cells

HELPFULNESS = (1.0, 5.0)
SAME = 1e-12
WIDER = 1.2
"""Factor on the errors along the differences seen, whose direction is itself uncertain; found by simulation."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Means:
    """Group means of a real-valued measure, (G,)."""

    centre: float
    deviation: Floats
    error: Floats
    df: float
    bounds: tuple[float, float]

    def at(self, steps: Floats) -> tuple[Floats, Floats]:
        true = np.clip(self.centre + steps[:, None] * self.deviation, *self.bounds)
        return true, np.broadcast_to(self.error, true.shape)

    def in_two_camps(self) -> "_Means":
        return replace(self, deviation=_camps(self.deviation, self.error**2))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Rates:
    """Rates of the cells (S, G): the scenario's own, and each cell's deviation from it."""

    scenario: Floats
    deviation: Floats
    n: Floats
    between: Floats
    df: float

    def at(self, steps: Floats) -> tuple[Floats, Floats]:
        """Shift every cell; its variance follows its rate, as in a score interval."""
        rate = np.clip(self.scenario[:, None] + steps[:, None, None] * self.deviation, 0.0, 1.0)
        # the observed cells are themselves noisy, which makes their p(1 − p) too small by (n − 1) / n
        noisy = 1 + np.minimum(steps, 1.0)[:, None, None] ** 2 / np.maximum(self.n - 1, 1)
        variance = (rate * (1 - rate) * noisy / self.n).sum(axis=1) / rate.shape[1] ** 2
        return rate.mean(axis=1), np.sqrt(np.maximum(variance, self.between))

    def in_two_camps(self) -> "_Rates":
        by_group = self.deviation.mean(axis=0)
        error = self.at(np.zeros(1))[1][0]
        camps = _camps(by_group - by_group.mean(), error**2)
        return replace(self, deviation=np.broadcast_to(camps, self.deviation.shape))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ServiceLaw:
    """The law, by simulation with the same random numbers for every step.

    Attributes
    ----------
    components
        Measure to how its group means move and scatter.
    noise
        Measure to multiples of the standard errors, (groups that have one, 1, draws).
    wider
        Factor on standard errors.
    """

    components: Mapping[str, "_Means | _Rates"]
    noise: Mapping[str, Floats]
    wider: float = WIDER

    def simulate(self, steps: Floats) -> tuple[Floats, Floats]:
        """Return plug-in DSI (T, draws) and true DSI (T,) at each step (T,)."""
        plug_in, true = [], []
        for name, component in self.components.items():
            mean, error = (x.T[:, :, None] for x in component.at(steps))
            drawn = np.clip(mean + self.wider * error * self.noise[name], *_BOUNDS[name])
            true.append(_COMPONENT[name](mean)[:, 0])
            plug_in.append(_COMPONENT[name](drawn))
        return sum(plug_in[1:], start=plug_in[0]) / len(plug_in), sum(true[1:], start=true[0]) / len(true)

    def in_two_camps(self) -> "ServiceLaw | None":
        """Return the law along a ray on which groups stand in two camps, split at the widest gap seen.

        Groups that do not differ scatter around each other, and that scatter drives a range up more than that of
        groups which were seen apart by chance. A measure moves as far as its differences exceed noise; None if no
        measure's do.
        """
        found = {name: component.in_two_camps() for name, component in self.components.items()}
        if not any(np.any(component.deviation) for component in found.values()):
            return None
        return ServiceLaw(components=found, noise=self.noise, wider=1.0)


def _camps(deviation: Floats, variance: Floats) -> Floats:
    """Move each group (G,) to the mean of its camp, and all of them closer by the share of noise in what was seen."""
    order = np.argsort(deviation)
    cut = 1 + int(np.argmax(np.diff(deviation[order])))
    found = np.empty_like(deviation)
    for camp in (order[:cut], order[cut:]):
        found[camp] = deviation[camp].mean()
    seen = float((deviation**2).sum())
    noise = float(variance.mean()) * (len(deviation) - 1)
    return found * (max(0.0, 1 - noise / seen) if seen > 0 else 0.0)


def _range(means: Floats) -> Floats:
    """Range over the first axis, along which numpy is quick for few groups."""
    found: Floats = means.max(axis=0) - means.min(axis=0)
    return found


def _range_of_four(means: Floats) -> Floats:
    return _range(means) / 4


def _length_disparity(means: Floats) -> Floats:
    centre = means.sum(axis=0) / len(means)
    apart = means - centre  # centred first: equal lengths are to have no disparity, not one of 1e-8
    found: Floats = np.sqrt((apart * apart).sum(axis=0) / (len(means) * (len(means) - 1))) / centre
    return found


_COMPONENT: Mapping[str, Callable[[Floats], Floats]] = {
    "refusal": _range,
    "length": _length_disparity,
    "helpfulness": _range_of_four,
}
_BOUNDS = {"refusal": (0.0, 1.0), "length": (1.0, np.inf), "helpfulness": HELPFULNESS}


def service_law(
    moments: Mapping[str, CellMoments],
    correlation: Floats,
    *,
    draws: int,
    rng: np.random.Generator,
    clustered: bool,
) -> ServiceLaw | None:
    """Fit the law to one attribute's cells.

    Parameters
    ----------
    moments
        ``"refusal"``, ``"length"`` and ``"helpfulness"``.
    correlation
        (3, 3) of these within cells.
    clustered
        True where scenarios are a sample: errors are then never smaller than the scatter of scenarios shows.

    Returns
    -------
    ServiceLaw or None
        None where a measure's scatter cannot be seen: one value of each group, in one scenario.
    """
    components: dict[str, _Means | _Rates] = {}
    places: dict[str, NDArray[np.intp]] = {}
    for name, cells in moments.items():
        groups, scenarios = comparable(cells.n > 0)
        if groups.sum() < 2 or not scenarios.any():
            continue
        kept = _restrict(cells, groups, scenarios)
        places[name] = np.flatnonzero(groups)
        found = _rates(kept, clustered) if name == "refusal" else _means(kept, clustered, _BOUNDS[name])
        if found is None:
            return None
        components[name] = found
    noise = _noise(components, places, correlation, draws, rng)
    if any(np.any(np.abs(component.deviation) > SAME) for component in components.values()):
        # errors from the scatter of few scenarios are wide enough
        return ServiceLaw(components=components, noise=noise, wider=1.0 if clustered else WIDER)
    # a ray needs a direction; this one is not estimated, so it makes nothing wider
    return ServiceLaw(components=_with_direction(components), noise=noise, wider=1.0)


def _restrict(cells: CellMoments, groups: Flags, scenarios: Flags) -> CellMoments:
    """Keep the groups that have a value anywhere, and the scenarios that have one of each of those."""
    kept = np.ix_(scenarios, groups)
    return CellMoments(n=cells.n[kept], mean=cells.mean[kept], squares=cells.squares[kept])


def _rates(cells: CellMoments, clustered: bool) -> _Rates:
    total = cells.n.sum(axis=1)
    refused = (cells.n * cells.mean).sum(axis=1)
    found = between_scenarios(cells.mean) if clustered else None
    between, df = found or (np.zeros(cells.n.shape[1]), np.inf)
    return _Rates(
        # half a refusal and half an answer more, so that none in all leaves some doubt
        scenario=(refused + 0.5) / (total + 1),
        deviation=cells.mean - (refused / total)[:, None],
        n=cells.n,
        between=between,
        df=df,
    )


def _means(cells: CellMoments, clustered: bool, bounds: tuple[float, float]) -> _Means | None:
    between = between_scenarios(cells.mean)
    found = within_cells(cells) or between
    if found is None:
        return None
    variance, df = found
    if clustered and between is not None:
        variance, df = np.maximum(variance, between[0]), between[1]
    by_group = cells.mean.mean(axis=0)
    centre = float(by_group.mean())
    return _Means(centre=centre, deviation=by_group - centre, error=np.sqrt(variance), df=df, bounds=bounds)


def _with_direction(components: Mapping[str, _Means | _Rates]) -> dict[str, _Means | _Rates]:
    """Let refusals of the first and the last group part, where no two groups differ at all."""
    found = dict(components)
    rates = found.get("refusal")
    if isinstance(rates, _Rates):
        deviation = np.zeros_like(rates.deviation)
        deviation[:, 0], deviation[:, -1] = 0.01, -0.01
        found["refusal"] = replace(rates, deviation=deviation)
    return found


def _noise(
    components: Mapping[str, _Means | _Rates],
    places: Mapping[str, NDArray[np.intp]],
    correlation: Floats,
    draws: int,
    rng: np.random.Generator,
) -> dict[str, Floats]:
    """Normal multiples, correlated between measures; Student's where the error was estimated from few."""
    values, vectors = np.linalg.eigh(correlation)
    mixing = vectors * np.sqrt(np.maximum(values, 0.0))
    groups = 1 + max(int(found.max()) for found in places.values())
    normal = np.tensordot(mixing, rng.standard_normal((3, groups, draws)), axes=1)
    noise = {}
    for place, name in enumerate(_BOUNDS):
        if name in components:
            df = components[name].df
            inflation = np.ones(draws) if np.isinf(df) else np.sqrt(df / rng.chisquare(df, draws))
            noise[name] = (normal[place] * inflation)[places[name], None]
    return noise
