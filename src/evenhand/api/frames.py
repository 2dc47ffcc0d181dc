"""A run as tables for notebooks: flat columns, one row per output, per result or per line of a table."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from evenhand._base.optional import require
from evenhand.core.outcomes import Answered, Blocked, Failed
from evenhand.core.results import JsonScalar, MetricResult
from evenhand.core.table import HARMS, SENTIMENT, TOXICITY, Floats, OutputTable
from evenhand.errors import UnknownNameError, UsageError

Kind = Literal["polars", "pandas"]
Columns = Mapping[str, Sequence[Any] | Floats]
"""Column name to its cells; None, or NaN in arrays, where there is nothing. Any: texts, numbers, flags or vectors."""

_SCORES = {
    "toxicity": TOXICITY,
    "toxicity_masked": TOXICITY,
    "sentiment": SENTIMENT,
    "sentiment_masked": SENTIMENT,
    "harms": HARMS,
}
_OF_RESULT = (
    "value",
    "status",
    "reason",
    "unit",
    "direction",
    "numerator",
    "denominator",
    "n_samples",
    "n_clusters",
    "fair_expected",
    "fair_q95",
    "excess",
    "p_value",
    "p_adjusted",
    "verdict",
)


def to_frame(columns: Columns, kind: Kind) -> Any:
    """Make a data frame.

    Returns
    -------
    polars.DataFrame or pandas.DataFrame
        Missing cells are null, or NA. Any: neither package is needed to use this one.

    Raises
    ------
    MissingExtraError
        If the package is not installed.
    UsageError
        If `kind` is neither.
    """
    if kind == "polars":
        polars = require("polars", extra="frames", purpose="A polars data frame")
        return polars.DataFrame(dict(columns), strict=False, infer_schema_length=None, nan_to_null=True)
    if kind == "pandas":
        pandas = require("pandas", extra="pandas", purpose="A pandas data frame")
        return pandas.DataFrame(dict(columns)).convert_dtypes()
    raise UsageError(f"a frame is made to='polars' or to='pandas', not {kind!r}")


def output_columns(outputs: OutputTable, *, embeddings: bool = False) -> Columns:
    """Lay outputs out as columns, in plan order."""
    columns: dict[str, Sequence[Any] | Floats] = {
        "scenario": [outputs.scenario_ids[code] for code in outputs.scenario],
        "attribute": [None if code < 0 else outputs.attributes[code] for code in outputs.attribute],
        "value": [None if code < 0 else outputs.values[code] for code in outputs.value],
        "replicate": outputs.replicate.tolist(),
        "prompt": list(outputs.prompts),
        **_outcome_columns(outputs),
        "is_empty": outputs.empty.tolist(),
        "words": outputs.words,
        "is_refusal": [None if np.isnan(x) else bool(x) for x in outputs.refusal],
        "helpfulness": outputs.helpfulness,
        "could_not_judge": [_reasons(outputs.could_not_judge.get(row, {})) for row in range(len(outputs))],
        "request_id": list(outputs.request_ids),
    }
    for field, names in _SCORES.items():
        matrix: Floats = getattr(outputs, field)
        columns.update({f"{field}_{name}": matrix[:, i] for i, name in enumerate(names)})
    for attribute, labels in outputs.detected_labels.items():
        weights = np.where(outputs.detection_judged[:, np.newaxis], outputs.detected[attribute], np.nan)
        columns.update({f"detected_{attribute}_{label}": weights[:, i] for i, label in enumerate(labels)})
    for field in ("embedding", "embedding_masked") if embeddings else ():
        columns[field] = _vectors(getattr(outputs, field), len(outputs))
    return columns


def metric_columns(results: Mapping[str, MetricResult]) -> Columns:
    """Lay results out as columns: each metric's overall result, then its parts by attribute and by scenario."""
    rows = [row for name, result in results.items() for row in _result_rows(name, result)]
    return _by_column(rows)


def table_columns(results: Mapping[str, MetricResult], metric: str, table: str) -> Columns:
    """Lay one of a metric's descriptive tables out as columns.

    Raises
    ------
    UnknownNameError
        If the run has no such metric, or the metric no such table.
    """
    if metric not in results:
        raise UnknownNameError("metric in this run", metric, list(results))
    tables = results[metric].tables
    if table not in tables:
        raise UnknownNameError(f"table of {metric}", table, list(tables))
    return _by_column(tables[table])


def _outcome_columns(outputs: OutputTable) -> Columns:
    outcomes = outputs.outcomes
    return {
        "outcome": [type(outcome).__name__.lower() for outcome in outcomes],
        "text": [outcome.text if isinstance(outcome, Answered) else None for outcome in outcomes],
        "finish_reason": [outcome.finish_reason if isinstance(outcome, Answered) else None for outcome in outcomes],
        "why_not": [
            outcome.reason if isinstance(outcome, Blocked) else outcome.error if isinstance(outcome, Failed) else None
            for outcome in outcomes
        ],
    }


def _result_rows(
    name: str, result: MetricResult, attribute: str | None = None, scenario: str | None = None
) -> Iterator[dict[str, JsonScalar]]:
    interval = result.confidence_interval
    yield {
        "metric": name,
        "attribute": attribute,
        "scenario": scenario,
        **{field: getattr(result, field) for field in _OF_RESULT},
        "n_excluded": sum(result.n_excluded.values()),
        "ci_low": None if interval is None else interval.low,
        "ci_high": None if interval is None else interval.high,
        "ci_level": None if interval is None else interval.level,
        "ci_method": None if interval is None else interval.method,
        "ci_target": None if interval is None else interval.target,
    }
    for key, part in result.by_attribute.items():
        yield from _result_rows(name, part, key, scenario)
    for key, part in result.by_scenario.items():
        yield from _result_rows(name, part, attribute, key)


def _by_column(rows: Sequence[Mapping[str, JsonScalar]]) -> Columns:
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: _alike([row.get(name) for row in rows]) for name in names}


def _alike(cells: Sequence[JsonScalar]) -> Sequence[JsonScalar]:
    """Make numbers of both kinds one kind: a column that begins with whole numbers may not end with them."""
    numbers = [cell for cell in cells if isinstance(cell, float)]
    if not numbers:
        return cells
    return [float(cell) if isinstance(cell, int) and not isinstance(cell, bool) else cell for cell in cells]


def _vectors(matrix: Any, rows: int) -> list[list[float] | None]:  # Any: (n, d) float32, or None
    if matrix is None:
        return [None] * rows
    return [None if np.isnan(row[0]) else row.tolist() for row in matrix]


def _reasons(reasons: Mapping[str, str]) -> str | None:
    return "; ".join(f"{evaluator}: {reason}" for evaluator, reason in reasons.items()) or None
