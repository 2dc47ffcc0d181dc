"""ODE, output diversity: how evenly the outputs of one prompt spread over what is possible."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from evenhand.core.results import MetricResult, undefined
from evenhand.core.table import Flags, Floats, OutputTable
from evenhand.core.types import EvaluatedOutput
from evenhand.errors import UsageError
from evenhand.metrics.base import Baseline, Metric, references_of
from evenhand.metrics.count_cells import Reading
from evenhand.metrics.count_uncertainty import Quantity, with_uncertainty
from evenhand.metrics.exclusions import account
from evenhand.metrics.share_cells import ShareMetric, base_comparisons, combine, count_cells
from evenhand.metrics.shares import MIN_DETERMINATE
from evenhand.stats.divergence import normalised_entropy, vendi_score

Mode = Literal["detected", "embedding"]
UNIT = "share of maximum"
NO_NULL = (
    "Embedding mode has no interval and no test: there is no reference for how varied answers should be, and the value "
    "of a few outputs depends on their number."
)


class ODE(Metric):
    """Output diversity.

    Parameters
    ----------
    mode
        ``"detected"``: entropy of the detected categories. ``"embedding"``: effective number of distinct outputs, for
        images and free text without labels.
    """

    long_name = "Output diversity"
    requires = ("detected_entities",)
    formula = (
        "H(P)/log2 K per scenario and attribute; P: detected shares over the outputs of the scenario's base prompt, "
        "K: declared categories; mean over scenarios. Embedding mode: exp of the entropy of the eigenvalues of the "
        "cosine-similarity matrix over n, divided by n."
    )
    source = "Shannon (1948), Bell Syst. Tech. J. 27:379-423; Vendi score: Friedman and Dieng (2023), TMLR"
    limits = (
        "A model that matches an uneven reference scores below 1 and is not at fault; read it beside RSI.",
        "A few outputs look less diverse than the model is.",
    )

    def __init__(self, mode: Mode = "detected") -> None:
        if mode not in get_args(Mode):
            raise UsageError(f"ODE has no mode {mode!r}; use 'detected' or 'embedding'.")
        self.mode = mode
        if mode == "embedding":
            self.requires = ("embedding",)

    @property
    def name(self) -> str:
        """Short name."""
        return "ODE"

    @property
    def description(self) -> str:
        """What is measured."""
        return "How evenly the answers to one neutral prompt spread over the declared categories."

    def compute(self, outputs: Sequence[EvaluatedOutput], baseline: Baseline = None) -> MetricResult:
        """Compute the mean normalised entropy over scenarios, in [0, 1]; 1 is an even spread.

        Parts: ``dominant_share``, ``reference_value`` (what outputs distributed exactly like the reference score),
        ``no_signal_share``, ``out_of_taxonomy_share``. Tables: ``shares``, ``pooled``. Embedding mode has neither.
        """
        table = OutputTable.of(outputs)
        if self.mode == "embedding":
            return _embedding_diversity(table)
        comparisons = base_comparisons(table, references_of(baseline, table))
        result = combine(table, comparisons, DIVERSITY)
        if self.inference is None:
            return result
        categories = {c.shares.attribute: c.shares.categories for c in comparisons}
        cells = count_cells(table, comparisons)
        return with_uncertainty(result, cells, QUANTITIES, self.inference, categories=categories)

    def interpret(self, result: MetricResult) -> str:
        """Say what was compared."""
        if result.value is None:
            return f"Output diversity is undefined: {result.reason}."
        what = "the declared categories" if self.mode == "detected" else "distinct meanings"
        return (
            f"Over {result.n_samples} outputs of {result.n_clusters} base prompts, the spread over {what} is "
            f"{result.value:.3g}, where 1 is even and 0 means one for all. "
            "This does not show that an even spread would be the right one."
        )


def _score(counts: Floats, q: Floats) -> tuple[Floats, Mapping[str, Floats]]:
    k = counts.shape[1]
    dominant: Floats = counts.max(axis=1) / counts.sum(axis=1)
    return normalised_entropy(counts, k), {
        "dominant_share": dominant,
        "reference_value": normalised_entropy(q, k),
    }


def _evenness(counts: Floats, reference: Floats) -> Floats:
    return normalised_entropy(counts, counts.shape[-1])


def _unevenness(counts: Floats, reference: Floats) -> Floats:
    return 1.0 - _evenness(counts, reference)


def _uniform(reference: Floats) -> Floats:
    return np.full(len(reference), 1 / len(reference))


QUANTITIES = (
    Quantity(
        names=("value",),
        reading=Reading(
            metric="ODE",
            value=_evenness,
            distance=_unevenness,
            of_distance=lambda unevenness: 1.0 - unevenness,
            origin=_uniform,  # an even spread is the end of the scale, whatever the reference
            sign=-1,
            tests_g=False,
        ),
    ),
)
DIVERSITY = ShareMetric(metric="ODE", unit=UNIT, direction="higher_is_better", score=_score)


def _embedding_diversity(table: OutputTable) -> MetricResult:
    usable = table.answered & ~table.empty
    if table.embedding is None:
        return _none("no output has an embedding")
    entered = table.is_base & usable & ~np.isnan(table.embedding[:, 0])
    accounting = account(table, table.is_base, entered, {})
    accounts = accounting.counts_by(table.scenario, len(table.scenario_ids))
    rows = _rows_by_scenario(table, entered)
    by_scenario = {
        table.scenario_ids[code]: _one_scenario(table.embedding[rows[code]], accounts[code][1])
        for code in np.unique(table.scenario[table.is_base])
    }
    values = [r.value for r in by_scenario.values() if r.value is not None]
    n, excluded = accounting.counts()
    if not values:
        return replace(_none("no scenario has two base outputs with an embedding"), n_excluded=excluded)
    doubts = [r.reason for r in by_scenario.values() if r.value is None or r.verdict == "inconclusive"]
    return MetricResult(
        metric="ODE",
        value=float(np.mean(values)),
        unit=UNIT,
        direction="higher_is_better",
        n_samples=n,
        n_clusters=len(values),
        n_excluded=excluded,
        caveats=(NO_NULL,),
        verdict="inconclusive" if doubts else None,
        reason=f"{len(doubts)} of {len(by_scenario)} scenarios are inconclusive: {doubts[0]}" if doubts else "",
        by_scenario=by_scenario,
    )


def _one_scenario(embeddings: NDArray[np.float32], excluded: Mapping[str, int]) -> MetricResult:
    n = len(embeddings)
    if n < 2:
        return replace(_none("fewer than two outputs with an embedding; diversity needs two"), n_excluded=excluded)
    # n equal outputs score 1/n, so a handful of them would look diverse
    thin = f"only {n} outputs with an embedding; at least {MIN_DETERMINATE} are needed" if n < MIN_DETERMINATE else ""
    return MetricResult(
        metric="ODE",
        value=vendi_score(embeddings),
        unit=UNIT,
        direction="higher_is_better",
        n_samples=n,
        n_clusters=1,
        n_excluded=excluded,
        verdict="inconclusive" if thin else None,
        reason=thin,
        caveats=(f"Inconclusive: {thin}.",) if thin else (),
    )


def _rows_by_scenario(table: OutputTable, entered: Flags) -> list[NDArray[np.intp]]:
    rows = np.flatnonzero(entered)
    rows = rows[np.argsort(table.scenario[rows], kind="stable")]
    sizes = np.bincount(table.scenario[rows], minlength=len(table.scenario_ids))
    return np.split(rows, np.cumsum(sizes)[:-1])


def _none(reason: str) -> MetricResult:
    return replace(undefined("ODE", reason, unit=UNIT), direction="higher_is_better")
