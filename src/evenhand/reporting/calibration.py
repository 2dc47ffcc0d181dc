"""The calibration that a run stores → what a reader is told: how far the scorers alone make groups differ."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evenhand.core.results import Row
from evenhand.core.types import EvaluationRun
from evenhand.reporting import text
from evenhand.reporting.results import table_view
from evenhand.reporting.view import Calibration

# evaluator to the score that is read out; the table shows the others beside it
_LEADING = {"toxicity": "toxic", "sentiment": "negative"}
_SHOWN = ("toxic", "identity_attack", "negative", "positive")  # neutral is what is left: in the JSON form alone
_MEANING = (
    "Plain sentences that say who somebody is and nothing else (“I am a … person.”), put to the scorers of this run. "
    "No model wrote them: differences here are the scorer's own, not the model's. A difference between groups in this "
    "report that is no larger, or gone once identity words are masked, may be the scorer's too."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gap:
    """The highest and the lowest row of one attribute."""

    attribute: str
    score: str
    highest: Row
    lowest: Row

    @property
    def size(self) -> float:
        return _value(self.highest, self.score) - _value(self.lowest, self.score)

    @property
    def is_nothing(self) -> bool:
        """True if it would be printed as zero: sums of the same numbers may differ in the last digit."""
        return self.size < 0.0005


def calibration(run: EvaluationRun) -> Calibration:
    """Read the calibration out of the manifest of `run`; what is not there is said to be missing, and why."""
    stored: Sequence[Row] = run.manifest.get("calibration", ())
    by_scorer = {name: [row for row in stored if row["evaluator"] == name] for name in _LEADING}
    found = {name: rows for name, rows in by_scorer.items() if rows}
    missing = _missing(run, [name for name in _LEADING if name not in found])
    return Calibration(
        headline=_headline(found) or missing,
        meaning=_MEANING if found else "",
        findings=(*(_finding(name, rows) for name, rows in found.items()), *([missing] if missing else [])),
        by_attribute=table_view("by_attribute", _by_attribute(found)) if found else None,
        by_word=table_view("by_word", _by_word(found)) if found else None,
        rows=tuple(stored),
    )


def _missing(run: EvaluationRun, scorers: Sequence[str]) -> str:
    skipped = [name for name in scorers if name in run.spec.get("skipped_evaluators", ())]
    lost = [name for name in scorers if name not in skipped]
    parts = [f"{name} was skipped on request and is not calibrated" for name in skipped]
    if lost and "calibration" in run.manifest:
        parts.append(f"{' and '.join(lost)} did not take part in this run and is not calibrated")
    elif lost:
        parts.append(f"the calibration of {' and '.join(lost)} is not stored; a run stores it when it closes")
    return text.sentence("; ".join(parts))


def _finding(scorer: str, rows: Sequence[Row]) -> str:
    score = _LEADING[scorer]
    top = _highest(rows, score)
    if top is None:
        return f"{scorer.capitalize()}: none of the sentences could be judged."
    return (
        f"{scorer.capitalize()}: the highest mean is {_number(top, score)} {score} ({_named(top)})"
        f"{_without_group(rows, score)}. {_difference(rows, score)}"
    )


def _without_group(rows: Sequence[Row], score: str) -> str:
    plain = [_number(row, score) for row in rows if row["attribute"] == "none"]
    return f"; the same sentences without a group have {plain[0]}" if plain else ""


def _difference(rows: Sequence[Row], score: str) -> str:
    gap = max(_gaps(rows, score), key=lambda found: found.size)
    if gap.is_nothing:
        return "No two words of one attribute differ."
    masked = list(_gaps(rows, f"{score}_masked"))
    same = [text.number(found.size) for found in masked if found.attribute == gap.attribute]
    left = max(masked, key=lambda found: found.size, default=None)
    return (
        f"The largest difference between two words of one attribute is {_size(gap)}. Masking identity words reduces it "
        f"to {same[0] if same else text.NOTHING}{_left(left)}."
    )


def _left(gap: _Gap | None) -> str:
    if gap is None or gap.is_nothing:
        return ", and leaves none elsewhere"
    return f"; what it leaves is at most {_size(gap)}, words that its lists do not hold"


def _size(gap: _Gap) -> str:
    return f"{text.number(gap.size)} ({_attribute(gap.attribute)}: {_word(gap.highest, gap)}, {_word(gap.lowest, gap)})"


def _word(row: Row, gap: _Gap) -> str:
    return f"{row['word']} {_number(row, gap.score)}"


def _headline(found: Mapping[str, Sequence[Row]]) -> str:
    for scorer, rows in found.items():
        score = _LEADING[scorer]
        top = _highest(rows, score)
        if top is not None:
            return (
                f"Plain sentences that name a group score up to {_number(top, score)} {score} by themselves "
                f"({_named(top)}){_without_group(rows, score)}, and {_number(top, f'{score}_masked')} with identity "
                "words masked. This is the scorer's own, not the model's."
            )
    return ""


def _by_attribute(found: Mapping[str, Sequence[Row]]) -> list[dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    for scorer, own in found.items():
        score = _LEADING[scorer]
        masked = {gap.attribute: gap.size for gap in _gaps(own, f"{score}_masked")}
        for gap in _gaps(own, score):
            row = rows.setdefault(gap.attribute, {"attribute": _attribute(gap.attribute)})
            row[f"most_{score}"] = f"all {_number(gap.highest, score)}" if gap.is_nothing else _word(gap.highest, gap)
            row[f"least_{score}"] = text.NOTHING if gap.is_nothing else _word(gap.lowest, gap)
            row[f"{score}_difference"] = gap.size
            row[f"{score}_difference_masked"] = masked.get(gap.attribute)
    return list(rows.values())


def _by_word(found: Mapping[str, Sequence[Row]]) -> list[dict[str, Any]]:
    merged: dict[str, dict[str, Any]] = {}
    for rows in found.values():
        for row in rows:
            merged.setdefault(_named(row), {"named": _named(row)}).update(_shown(row))
    return list(merged.values())


def _shown(row: Row) -> Iterator[tuple[str, Any]]:
    for score in _SHOWN:
        if f"{score}_mean" in row:
            yield score, row[f"{score}_mean"]
            yield f"{score}_masked", row[f"{score}_masked_mean"]


def _gaps(rows: Sequence[Row], score: str) -> Iterator[_Gap]:
    attributes = dict.fromkeys(str(row["attribute"]) for row in rows if row["attribute"] != "none")
    for attribute in attributes:
        own = [row for row in rows if row["attribute"] == attribute and row[f"{score}_mean"] is not None]
        if own:
            ordered = sorted(own, key=lambda row: _value(row, score))
            yield _Gap(attribute=attribute, score=score, highest=ordered[-1], lowest=ordered[0])


def _highest(rows: Sequence[Row], score: str) -> Row | None:
    gaps = list(_gaps(rows, score))
    return max((gap.highest for gap in gaps), key=lambda row: _value(row, score)) if gaps else None


def _named(row: Row) -> str:
    return "no group" if row["attribute"] == "none" else f"{_attribute(str(row['attribute']))}: {row['word']}"


def _attribute(name: str) -> str:
    return text.heading(name.removesuffix("_any"))


def _number(row: Row, score: str) -> str:
    value = row[f"{score}_mean"]
    return text.number(value if isinstance(value, float) else None)


def _value(row: Row, score: str) -> float:
    value = row[f"{score}_mean"]
    assert isinstance(value, (int, float))  # rows without it were left out
    return float(value)
