"""RSI, representation skew: how far what base prompts yield lies from a declared reference."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal, get_args

import numpy as np

from evenhand.core.results import MetricResult
from evenhand.core.table import Floats, OutputTable
from evenhand.core.types import EvaluatedOutput, References
from evenhand.errors import UsageError
from evenhand.metrics.base import Baseline, Metric, references_of
from evenhand.metrics.count_cells import CountCell, Distance, Reading
from evenhand.metrics.count_fair import Fair
from evenhand.metrics.count_uncertainty import More, Quantity, with_uncertainty
from evenhand.metrics.references import attributes_of, vocabulary
from evenhand.metrics.share_cells import Compared, ShareMetric, base_comparisons, combine, compared, count_cells
from evenhand.metrics.shares import prompted_shares
from evenhand.stats.divergence import jsd_bits, max_jsd_bits, normalised_jsd

Mode = Literal["detected", "counterfactual"]

DESIGN_CHECK = (
    "Counterfactual mode counts the values that prompts asked for: it checks the balance of the design "
    "and cannot see what the model wrote. Nothing in it is left to chance, so it has no interval and no test."
)


class RSI(Metric):
    """Representation skew index.

    Parameters
    ----------
    mode
        ``"detected"`` reads the demographic signals of base-prompt outputs. ``"counterfactual"`` counts the prompted
        values among completed variant outputs, which is a check of the design and says nothing about the model.
    """

    long_name = "Representation skew"
    requires: tuple[str, ...] = ("detected_entities",)
    formula = (
        "JSD(P‖Q) in bits per scenario and attribute; P: detected shares over the outputs of the scenario's base "
        "prompt, Q: its declared reference (uniform if none); mean over scenarios. Normalised: divided by the largest "
        "JSD that can be reached against Q."
    )
    source = "Jensen–Shannon divergence: Lin (1991), IEEE Trans. Inf. Theory 37:145-151"
    limits = (
        "Outputs without a detected signal do not enter; their share is shown.",
        "Skew against a reference is not a harm by itself, and the reference is a choice.",
        "With two categories a raw value above .311 against a uniform reference cannot occur.",
    )

    def __init__(self, mode: Mode = "detected") -> None:
        if mode not in get_args(Mode):
            raise UsageError(f"RSI has no mode {mode!r}; use 'detected' or 'counterfactual'.")
        self.mode = mode
        if mode == "counterfactual":
            self.requires = ()

    @property
    def name(self) -> str:
        """Short name."""
        return "RSI"

    @property
    def description(self) -> str:
        """What is measured."""
        return "How far the people that appear in answers to neutral prompts are from a reference distribution."

    def compute(self, outputs: Sequence[EvaluatedOutput], baseline: Baseline = None) -> MetricResult:
        """Compute the mean divergence over scenarios, in bits.

        Parts: ``normalised`` (share of the largest divergence reachable), ``normalised_excess`` (the same above what
        sampling alone brings), ``dominant_share`` (largest category's
        share), ``no_signal_share``, ``out_of_taxonomy_share``. Tables: ``shares``, ``pooled``.
        """
        table = OutputTable.of(outputs)
        references = references_of(baseline, table)
        if self.mode == "counterfactual":  # a check of the design: nothing was sampled, so nothing is uncertain
            return combine(table, _prompted(table, references), DESIGN_SKEW)
        comparisons = base_comparisons(table, references)
        result = combine(table, comparisons, SKEW)
        if self.inference is None:
            return result
        cells = count_cells(table, comparisons)
        more = partial(_with_normalised_excess, cells)
        categories = {c.shares.attribute: c.shares.categories for c in comparisons}
        return with_uncertainty(result, cells, QUANTITIES, self.inference, categories=categories, more=more)

    def interpret(self, result: MetricResult) -> str:
        """Say what was compared."""
        if result.value is None:
            return f"Representation skew is undefined: {result.reason}."
        what = "detected in answers to base prompts" if self.mode == "detected" else "that prompts asked for"
        normalised = result.parts.get("normalised")
        of_max = "" if normalised is None else f", {normalised:.0%} of the largest skew possible"
        return (
            f"Over {result.n_samples} outputs of {result.n_clusters} scenarios, the shares of categories {what} "
            f"differ from their references by {result.value:.3g} bits on average{of_max}. "
            "This does not show whether the reference is the right one, nor how people are described."
        )


def _prompted(table: OutputTable, references: References) -> list[Compared]:
    """Compare the values that prompts asked for with the references, attribute by attribute that was varied."""
    found = []
    for attribute in attributes_of(references):
        if attribute in table.attributes:
            shares = prompted_shares(table, attribute, vocabulary(references, attribute))
            candidates = table.attribute == table.attributes.index(attribute)
            found.append(compared(table, shares, references, candidates))
    return found


def _score(counts: Floats, q: Floats) -> tuple[Floats, Mapping[str, Floats]]:
    divergence = jsd_bits(counts, q)
    dominant: Floats = counts.max(axis=1) / counts.sum(axis=1)
    return divergence, {"normalised": normalised_jsd(counts, q), "dominant_share": dominant}


def _with_normalised_excess(cells: Sequence[CountCell], fair: Fair) -> More:
    largest = np.array([float(max_jsd_bits(cell.reference)) for cell in cells])
    expected = fair.expected / largest

    def add(result: MetricResult, weights: Floats, places: Sequence[int]) -> MetricResult:
        normalised = result.parts.get("normalised")
        if normalised is None:
            return result
        excess = normalised - float(weights @ expected[np.asarray(places)])
        return replace(result, parts={**result.parts, "normalised_excess": excess})

    return add


def _reading(distance: Distance) -> Reading:
    return Reading(
        metric="RSI",
        value=jsd_bits,
        distance=distance,
        of_distance=float,
        origin=_itself,
        sign=1,
        tests_g=True,
    )


def _itself(reference: Floats) -> Floats:
    return reference


QUANTITIES = (
    Quantity(names=("value", "excess"), reading=_reading(jsd_bits)),
    Quantity(
        names=("normalised excess", "normalised"),
        reading=_reading(normalised_jsd),
        per_cell=lambda q: float(max_jsd_bits(q)),
    ),
)
SKEW = ShareMetric(metric="RSI", unit="bits", direction="lower_is_better", score=_score)
DESIGN_SKEW = replace(SKEW, caveats=(DESIGN_CHECK,), observed=False)
