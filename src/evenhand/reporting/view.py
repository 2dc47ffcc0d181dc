"""The view model: everything a scorecard says, with each number beside its one printed text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from evenhand.core.results import Band, Direction, JsonScalar, Status, Verdict
from evenhand.core.types import RunStatus
from evenhand.reporting.charts.dots import Axis, DotRow
from evenhand.reporting.charts.strip import Zone
from evenhand.reporting.inputs import EvaluatorInfo

NoticeKind = Literal["simulated", "incomplete", "repeated", "uncertainty", "skipped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A number and the text that every form prints for it; None where there is none."""

    raw: float | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something a reader must know before reading any number."""

    kind: NoticeKind
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BandView:
    """Where the point value falls in a band profile.

    Attributes
    ----------
    band
        The band; None where the value has none.
    quantity
        What the band was read from: ``"value"``, ``"excess"``, ``"normalised value"``.
    number
        That quantity's number.
    basis
        Both as a phrase, saying so where it is not what the profile asks for; why there is no band where there is none.
    cuts
        The profile's cuts in words.
    zones
        The cuts as zones to draw; empty where nothing can be drawn.
    action
        What the profile advises for this band.
    note
        What a reader must know about this band; empty if nothing.
    """

    band: Band | None
    quantity: str
    number: Quantity
    basis: str
    cuts: str
    zones: Sequence[Zone]
    action: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a descriptive table; numbers are set to the right."""

    title: str
    is_number: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """A descriptive table, cells both raw and as printed."""

    name: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Quantity | str]]
    raw: Sequence[Mapping[str, JsonScalar]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultView:
    """One result: over the whole run, one scenario or one attribute.

    Attributes
    ----------
    key
        Metric name, scenario id or attribute.
    finding
        One word: undefined, else the verdict where a test was made, else the point band.
    finding_label
        The same as it is printed, naming what it is: ``"point band: watch"``, ``"verdict: inconclusive"``.
    band_text
        The banded quantity and its number, and the point band where the finding is a verdict.
    interval_text, confidence_interval_text
        Limits of the value's interval alone; and with level, method and target.
    limits, limits_text
        One-sided 95% limits of the banded quantity, by which the verdict was reached; empty where there are none.
    fair_text
        What a perfectly fair model would score at these sample sizes: mean, and 95% quantile.
    further_text
        About how many more replicates of each prompt would settle an open verdict; empty where that is not known.
    excluded
        Outputs that did not enter the value, by reason.
    numbers
        (name, text) of every number behind the value that was computed.
    remarks
        Why there is no finding, then what limits the number, each one sentence.
    """

    key: str
    value: Quantity
    unit: str
    direction: Direction
    status: Status
    reason: str
    direction_text: str
    reason_text: str
    band: BandView
    band_text: str
    verdict: Verdict | None
    finding: str
    finding_label: str
    n_samples: int
    n_samples_text: str
    n_clusters: int
    n_clusters_text: str
    excluded: Mapping[str, int]
    numerator: float | None
    denominator: float | None
    confidence_interval: Mapping[str, Any] | None
    confidence_interval_text: str
    interval_text: str
    limits: Mapping[str, Any] | None
    limits_text: str
    fair_text: str
    test: str
    further_replicates: int | None
    further_text: str
    fair_expected: Quantity
    fair_q95: Quantity
    excess: Quantity
    p_value: Quantity
    p_adjusted: Quantity
    caveats: Sequence[str]
    parts: Mapping[str, Quantity]
    numbers: Sequence[tuple[str, str]]
    remarks: Sequence[str]

    @property
    def n_excluded(self) -> int:
        """Outputs that did not enter the value."""
        return sum(self.excluded.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricView:
    """A metric of the run: its words, its overall result and what lies below it."""

    name: str
    long_name: str
    description: str
    formula: str
    source: str
    limits: Sequence[str]
    interpretation: str
    overall: ResultView
    by_scenario: Sequence[ResultView]
    by_attribute: Sequence[ResultView]
    tables: Sequence[TableView]

    @property
    def reading(self) -> str:
        """The interpretation; empty where it would only repeat the reason that stands beside it."""
        reason = self.overall.reason
        repeats = self.overall.status == "undefined" and bool(reason) and reason in self.interpretation
        return "" if repeats else self.interpretation


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """What was asked and what came back, in outputs.

    Attributes
    ----------
    requested
        Planned generations: prompts times replicates.
    stored
        Outcomes that the report uses: answered + blocked + failed. Where the run stopped early these are the ones of
        complete replicates.
    left_out
        Stored outcomes of replicates that are not complete; None where that is not known.
    answered
        Of these, with an answer, be it empty.
    empty, truncated
        Answers with nothing but white space; answers cut by the token limit.
    refusals, refusals_judged
        Answers judged to be a refusal, and answers that were judged. None judged: refusals is None.
    by_condition
        Condition ("base", "gender = female") to the counts of that condition.
    """

    requested: int
    stored: int
    left_out: int | None
    answered: int
    empty: int
    blocked: int
    failed: int
    truncated: int
    refusals: int | None
    refusals_judged: int
    by_condition: Mapping[str, Mapping[str, int]]

    @property
    def not_used(self) -> int:
        """Planned generations that were not asked, or whose replicate is not complete."""
        return max(0, self.requested - self.stored)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One output in the drill-down.

    Attributes
    ----------
    condition
        ``"base"`` or ``"gender = female"``.
    outcome
        answered, empty, blocked or failed.
    text
        The answer, shortened; the reason where there is none.
    signals
        What the evaluators read in it, each a short phrase.
    omitted_characters
        Characters that were left out of `text`.
    """

    condition: str
    replicate: int
    prompt: str
    outcome: str
    text: str
    signals: Sequence[str]
    omitted_characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The answers to one scenario side by side: the base prompt's first, then the variants'."""

    scenario_id: str
    answers: Sequence[Answer]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillDown:
    """A bounded sample of answers, and what it leaves out."""

    comparisons: Sequence[Comparison]
    shown: int
    stored: int
    omitted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One chart's data."""

    title: str
    subtitle: str
    description: str
    rows: Sequence[DotRow]
    axis: Axis


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """Charts that share one heading and one way of reading."""

    name: str
    title: str
    how_to_read: str
    panels: Sequence[Panel]
    omitted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unjudged:
    """Outputs on which one evaluator had nothing to say, by reason."""

    evaluator: str
    reasons: Mapping[str, int]

    @property
    def total(self) -> int:
        """Outputs in all."""
        return sum(self.reasons.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What the scorers of the run say about plain sentences that name a group: their own share of a difference.

    Attributes
    ----------
    headline
        The largest, in one line; why there is nothing, where nothing was calibrated.
    meaning
        How to read the tables; empty where there are none.
    findings
        What each scorer shows, and which is missing; one paragraph each.
    by_attribute, by_word
        None where nothing was calibrated.
    rows
        As the run stores them.
    """

    headline: str
    meaning: str
    findings: Sequence[str]
    by_attribute: TableView | None
    by_word: TableView | None
    rows: Sequence[Mapping[str, JsonScalar]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What the run cost: as one line, and as the run stores it (empty if it does not)."""

    text: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """The run as the header states it."""

    id: str
    name: str
    status: RunStatus
    created_at: str
    finished_at: str | None
    spec_digest: str
    scenario_sets: Sequence[Mapping[str, Any]]
    sets_text: str
    replicates: int | None
    replicates_text: str
    seed: int | None
    generation: Mapping[str, JsonScalar]
    bands: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelView:
    """The model as the header states it."""

    provider: str
    name: str
    is_simulated: bool
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class OverallView:
    """What the run says as a whole: one verdict, and the sentence that must be read with it."""

    verdict: str
    sentence: str
    unjudged: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorecard:
    """Everything a run says. Four forms print it; none of them computes or formats a number."""

    generated_at: str
    generated_at_text: str
    run: RunView
    model: ModelView
    notices: Sequence[Notice]
    flow: Flow
    flow_text: str
    cost: Cost
    overall: OverallView
    metrics: Sequence[MetricView]
    figures: Sequence[Figure]
    answers: DrillDown
    could_not_judge: Sequence[Unjudged]
    evaluators: Sequence[EvaluatorInfo]
    calibration: Calibration
    skipped_evaluators: Sequence[str]
    human_review: Mapping[str, str]
    known_limitations: Sequence[str]
    manifest: Mapping[str, Any]
