"""What a metric says: a value or the reason why there is none, with everything needed to doubt it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

JsonScalar = str | int | float | bool | None
Row = Mapping[str, JsonScalar]
"""One line of a descriptive table."""

Status = Literal["ok", "undefined"]
Direction = Literal["lower_is_better", "higher_is_better", "one_is_best"]
Band = Literal["pass", "watch", "flag", "fail", "under"]
Verdict = Literal["pass", "watch", "flag", "fail", "under", "inconclusive", "not applicable"]
Target = Literal["these prompts", "prompts like these"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A confidence interval.

    Attributes
    ----------
    low, high
        Limits, in the unit of the number they belong to.
    level
        Coverage promised, in (0, 1).
    method
        Name of the method, such as ``"wilson"``.
    target
        What the interval speaks about: the prompts that were asked, or prompts like them.
    approximate
        True where simulated coverage fell short of what is promised.
    """

    low: float
    high: float
    level: float
    method: str
    target: Target = "these prompts"
    approximate: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricResult:
    """One metric over one set of outputs.

    Attributes
    ----------
    metric
        Short name: ``"RSI"``.
    value
        Plug-in estimate of the published definition; None exactly when `status` is ``"undefined"``. Never NaN.
    reason
        Why it is undefined, or why the verdict is inconclusive.
    unit
        Unit of `value`: ``"bits"``, ``"ratio"``, ``"share"``.
    numerator, denominator
        The counts behind the value where it is a rate; None otherwise.
    n_samples
        Outputs that entered the value.
    n_clusters
        Scenarios that entered it.
    n_excluded
        Outputs that did not, by reason.
    fair_expected, fair_q95
        What a perfectly fair model would score at these sample sizes: mean and 95% quantile.
    excess
        `value` − `fair_expected`.
    p_value, p_adjusted
        Of exactly that null; adjusted by Holm over the overall metrics of a run. By scenario and by attribute p-values
        are not adjusted, and exploratory.
    test
        Name of the test and of how its law was had: ``"G, Monte-Carlo multinomial, 1999 draws"``.
    limits
        Quantity that bands read (``"value"``, ``"excess"``, ``"normalised excess"``, …) to an interval whose ends are
        one-sided 95% limits of what it estimates. A quantity without limits supports no verdict.
    verdict
        The supported verdict; None while no test has been made. ``"inconclusive"`` from a metric itself says that the
        data cannot support any verdict, and stands.
    further_replicates
        About how many more replicates of each prompt would settle an inconclusive verdict; None where it is settled,
        or where no number of them would.
    caveats
        What limits the number, each one sentence.
    parts
        Named components of the value, in its unit or as named.
    by_scenario, by_attribute
        The same metric over one scenario, or one attribute.
    tables
        Descriptive rows by table name: shares, groups, associations.
    """

    metric: str
    value: float | None
    status: Status = "ok"
    reason: str = ""
    unit: str = ""
    direction: Direction = "lower_is_better"
    numerator: float | None = None
    denominator: float | None = None
    n_samples: int = 0
    n_clusters: int = 0
    n_excluded: Mapping[str, int] = field(default_factory=dict)
    confidence_interval: Interval | None = None
    fair_expected: float | None = None
    fair_q95: float | None = None
    excess: float | None = None
    p_value: float | None = None
    p_adjusted: float | None = None
    test: str = ""
    limits: Mapping[str, Interval] = field(default_factory=dict)
    verdict: Verdict | None = None
    further_replicates: int | None = None
    caveats: Sequence[str] = ()
    parts: Mapping[str, float | None] = field(default_factory=dict)
    by_scenario: Mapping[str, "MetricResult"] = field(default_factory=dict)
    by_attribute: Mapping[str, "MetricResult"] = field(default_factory=dict)
    tables: Mapping[str, Sequence[Row]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse the two lies a result can tell: NaN, and a number that is not defined."""
        if self.value is not None and self.value != self.value:
            raise ValueError(f"{self.metric}: NaN is not a value; use status='undefined' and a reason")
        if (self.value is None) != (self.status == "undefined"):
            raise ValueError(f"{self.metric}: value is None exactly when status is 'undefined'")
        if self.status == "undefined" and not self.reason:
            raise ValueError(f"{self.metric}: an undefined value needs its reason")


def undefined(metric: str, reason: str, *, unit: str = "", n_excluded: Mapping[str, int] | None = None) -> MetricResult:
    """Build the result of a metric that has no value here, with the reason."""
    return MetricResult(
        metric=metric, value=None, status="undefined", reason=reason, unit=unit, n_excluded=n_excluded or {}
    )


def as_json(result: MetricResult) -> dict[str, Any]:
    """Turn a result into plain JSON; `from_json` is its inverse."""
    plain = {f.name: getattr(result, f.name) for f in fields(result)}
    interval = result.confidence_interval
    plain["confidence_interval"] = None if interval is None else asdict(interval)
    plain["limits"] = {quantity: asdict(limits) for quantity, limits in result.limits.items()}
    plain["n_excluded"], plain["parts"] = dict(result.n_excluded), dict(result.parts)
    plain["caveats"] = list(result.caveats)
    plain["by_scenario"] = {key: as_json(inner) for key, inner in result.by_scenario.items()}
    plain["by_attribute"] = {key: as_json(inner) for key, inner in result.by_attribute.items()}
    plain["tables"] = {name: [dict(row) for row in rows] for name, rows in result.tables.items()}
    return plain


def from_json(plain: Mapping[str, Any]) -> MetricResult:
    """Rebuild a result from its plain JSON."""
    interval = plain["confidence_interval"]
    return MetricResult(
        **{
            **plain,
            "confidence_interval": None if interval is None else Interval(**interval),
            "limits": {quantity: Interval(**limits) for quantity, limits in plain.get("limits", {}).items()},
            "caveats": tuple(plain["caveats"]),
            "by_scenario": {key: from_json(inner) for key, inner in plain["by_scenario"].items()},
            "by_attribute": {key: from_json(inner) for key, inner in plain["by_attribute"].items()},
            "tables": {name: tuple(rows) for name, rows in plain["tables"].items()},
        }
    )
