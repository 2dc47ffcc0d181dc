"""Plain measures of the answers: refusals, length, harm, toxicity; differences by prompt, clustered by scenario."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand._base.seeding import stream
from evenhand.core.results import Direction, Interval, Target
from evenhand.core.table import TOXICITY, Flags, Floats, OutputTable
from evenhand.instruments.audit.compare.matched import Matched
from evenhand.instruments.audit.compare.result import Change
from evenhand.metrics.comparisons import FEWEST_CLUSTERS
from evenhand.metrics.harms import harm_of
from evenhand.metrics.service import usable
from evenhand.stats.bounded_mean import bounded_mean_limits
from evenhand.stats.intervals.differences import newcombe_paired
from evenhand.stats.label_permutation import permuted_sums
from evenhand.stats.paired_proportions import mcnemar
from evenhand.stats.stratified_difference import mover, stratified_newcombe, welch

LEVEL = 0.95
DRAWS = 1_999


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One number of every output, and the outputs that have it.

    Attributes
    ----------
    is_rate
        Every value is 0 or 1.
    bounds
        Least and largest value possible; None where there is no largest.
    direction
        Which way is better; None where neither is.
    """

    unit: str
    of: Callable[[OutputTable], tuple[Floats, Flags]]
    is_rate: bool = False
    bounds: tuple[float, float] | None = None
    direction: Direction | None = None


def _refusals(table: OutputTable) -> tuple[Floats, Flags]:
    outputs = usable(table)
    return outputs.refused.astype(np.float64), outputs.judged


def _words(table: OutputTable) -> tuple[Floats, Flags]:
    return table.words, usable(table).substantive


def _harm(table: OutputTable) -> tuple[Floats, Flags]:
    harm = harm_of(table, table.toxicity)
    return harm.score, harm.complete


def _toxicity(table: OutputTable) -> tuple[Floats, Flags]:
    score = table.toxicity[:, TOXICITY.index("toxic")]
    return score, ~np.isnan(score)


MEASURES: Mapping[str, Measure] = {
    "refusals": Measure(unit="share", of=_refusals, is_rate=True),
    "length": Measure(unit="words", of=_words),
    "harm": Measure(unit="severity", of=_harm, bounds=(0.0, 1.0), direction="lower_is_better"),
    "toxicity": Measure(unit="score", of=_toxicity, bounds=(0.0, 1.0), direction="lower_is_better"),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """Prompts with a value in both runs.

    Attributes
    ----------
    scenario
        (C,) codes.
    n, mean, squares
        (C, 2) outputs of the first and second run, their mean and sum of squares about it.
    """

    scenario: NDArray[np.integer]
    n: Floats
    mean: Floats
    squares: Floats

    @property
    def apart(self) -> Floats:
        """(C,) second less first."""
        difference: Floats = self.mean[:, 1] - self.mean[:, 0]
        return difference

    @property
    def is_single(self) -> bool:
        """Whether every prompt was answered once."""
        return bool((self.n == 1).all())


def measure_changes(matched: Matched, target: Target, *, seed: int, draws: int = DRAWS) -> list[Change]:
    """Compare every measure that both runs have; p-values are not adjusted yet."""
    return list(_changes(matched, target, seed, draws))


def _changes(matched: Matched, target: Target, seed: int, draws: int) -> Iterator[Change]:
    for name, measure in MEASURES.items():
        x, known = measure.of(matched.table)
        kept = known & _in_both(matched, known)
        if kept.any():
            cells = _cells(matched, x, kept)
            interval, why_not = _interval(cells, measure, target)
            p_value, scatter, test = _test(
                matched, x, kept, cells, measure, draws, stream(seed, "compare", "measures", name)
            )
            yield Change(
                name=name,
                quantity="measure",
                unit=measure.unit,
                old=float(cells.mean[:, 0].mean()),
                new=float(cells.mean[:, 1].mean()),
                direction=measure.direction,
                interval=interval,
                no_interval=why_not,
                p_value=p_value,
                test=test,
                scatter=scatter if scatter > 0 else None,
                n=(int(cells.n[:, 0].sum()), int(cells.n[:, 1].sum())),
            )


def _in_both(matched: Matched, known: Flags) -> Flags:
    """(n,) rows of prompts with a value in both runs: a prompt that one run lacks cannot be paired."""
    has = [np.bincount(matched.cell[known & side], minlength=len(matched.sizes)) > 0 for side in _sides(matched)]
    both: Flags = (has[0] & has[1])[matched.cell]
    return both


def _sides(matched: Matched) -> tuple[Flags, Flags]:
    return ~matched.is_new, matched.is_new


def _cells(matched: Matched, x: Floats, kept: Flags) -> Cells:
    codes, place = np.unique(matched.cell[kept], return_inverse=True)
    key, size = place * 2 + matched.is_new[kept], 2 * len(codes)
    n = np.bincount(key, minlength=size).astype(np.float64)
    mean = np.bincount(key, weights=x[kept], minlength=size) / n
    squares = np.bincount(key, weights=(x[kept] - mean[key]) ** 2, minlength=size).astype(np.float64)
    scenario = np.zeros(len(codes), dtype=np.int64)
    scenario[place] = matched.table.scenario[kept]
    return Cells(scenario=scenario, n=n.reshape(-1, 2), mean=mean.reshape(-1, 2), squares=squares.reshape(-1, 2))


def _test(
    matched: Matched, x: Floats, kept: Flags, cells: Cells, measure: Measure, draws: int, rng: np.random.Generator
) -> tuple[float, float, str]:
    """Return p-value, scatter of the difference where there is none, and the test's name."""
    if measure.is_rate and cells.is_single:
        old_only, new_only = _changed(cells)
        return mcnemar(old_only, new_only), float(np.sqrt(old_only + new_only)) / len(cells.n), "McNemar, exact"
    observed, *_ = differences = _permuted(matched, x, kept, cells, draws, rng)
    scatter = float(np.sqrt((differences[1:] ** 2).mean()))
    # sums are in single precision: equal differences must count as equal
    least = abs(observed) - 1e-5 * (abs(observed) + scatter)
    extreme = int((np.abs(differences[1:]) >= least).sum())
    return (1 + extreme) / (1 + draws), scatter, f"run labels permuted within prompts, {draws} draws"


def _permuted(matched: Matched, x: Floats, kept: Flags, cells: Cells, draws: int, rng: np.random.Generator) -> Floats:
    """(1 + draws,) mean differences over prompts, the observed one first."""
    _, place = np.unique(matched.cell[kept], return_inverse=True)
    centre = np.bincount(place, weights=x[kept]) / np.bincount(place)
    columns = (x[kept] - centre[place])[:, None].astype(np.float32)
    found = np.zeros(1 + draws)
    batches = permuted_sums(
        columns,
        place * 2 + matched.is_new[kept],
        shape=(len(cells.n), 2),
        draws=draws,
        rng=rng,
    )
    for batch in batches:
        means = batch.sums[..., 0] / cells.n[batch.blocks][:, None, :]
        found += (means[..., 1] - means[..., 0]).sum(axis=0)
    return found / len(cells.n)


def _changed(cells: Cells) -> tuple[int, int]:
    """Prompts with the property in the first run alone, and in the second alone."""
    return int((cells.apart < 0).sum()), int((cells.apart > 0).sum())


def _interval(cells: Cells, measure: Measure, target: Target) -> tuple[Interval | None, str]:
    within = _within(cells, measure)
    clustered = target == "prompts like these" or within is None
    between = _between(cells) if clustered else None
    if clustered and between is None:
        return None, f"no interval: it needs several answers to a prompt, or {FEWEST_CLUSTERS} scenarios that vary"
    ends = [pair for pair in (within, between) if pair is not None]
    low, high = min(low for low, _ in ends), max(high for _, high in ends)
    if low == high:
        return None, "no interval: nothing varies between replicates"
    return Interval(
        low=low,
        high=high,
        level=LEVEL,
        method="t between scenarios" if clustered else _method(cells, measure),
        target="prompts like these" if clustered else "these prompts",
        approximate=clustered or cells.is_single,  # simulated with several answers to a prompt alone
    ), ""


def _method(cells: Cells, measure: Measure) -> str:
    if not measure.is_rate:
        return "Welch within prompts" if measure.bounds is None else "t with pseudo-observations, MOVER from both runs"
    return "Newcombe, paired" if cells.is_single else "Newcombe within prompts"


def _within(cells: Cells, measure: Measure) -> tuple[float, float] | None:
    """Limits for the prompts that were asked; None where no prompt has two answers and the measure is no rate."""
    if measure.is_rate:
        yes = np.rint(cells.n * cells.mean)
        if not cells.is_single:
            return stratified_newcombe(yes[:, 1], cells.n[:, 1], yes[:, 0], cells.n[:, 0], level=LEVEL)
        old_only, new_only = _changed(cells)
        both = int((yes.sum(axis=1) == 2).sum())
        found = newcombe_paired(both, new_only, old_only, len(yes) - both - old_only - new_only, level=LEVEL)
        return found.low, found.high
    free = (cells.n - 1).sum(axis=0)
    if not free.all():
        return None
    pooled = cells.squares.sum(axis=0) / free
    own = np.where(cells.n > 1, cells.squares / np.maximum(cells.n - 1, 1), pooled)
    variance = (own / cells.n).sum(axis=0) / len(cells.n) ** 2
    if measure.bounds is not None:
        return _bounded(cells, variance, free, measure.bounds)
    return welch(float(cells.apart.mean()), (variance[0], variance[1]), (free[0], free[1]), level=LEVEL)


def _bounded(cells: Cells, variance: Floats, df: Floats, bounds: tuple[float, float]) -> tuple[float, float]:
    """Limits that allow for what was not seen: a mean of scores that are nearly all 0 is skewed."""
    n, mean = cells.n.sum(axis=0), cells.mean.mean(axis=0)
    low, high = bounded_mean_limits(mean, n=n, variance=variance * n, df=df, level=LEVEL, low=bounds[0], high=bounds[1])
    old, new = ((mean[[side]], low[[side]], high[[side]]) for side in (0, 1))
    return mover(float(cells.apart.mean()), new, old)


def _between(cells: Cells) -> tuple[float, float] | None:
    """Limits for prompts like these: scenarios are clusters."""
    codes, place = np.unique(cells.scenario, return_inverse=True)
    if len(codes) < FEWEST_CLUSTERS:
        return None
    mean = float(cells.apart.mean())
    moved = np.bincount(place, weights=cells.apart - mean) / len(cells.n)
    variance = float((moved**2).sum()) * len(codes) / (len(codes) - 1)
    return welch(mean, (variance, 0.0), (len(codes) - 1.0, 1.0), level=LEVEL)
