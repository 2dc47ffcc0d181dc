"""Figures of a reply: percentages, sums, prices, times, each by the words of its own sentence."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median

from evenhand.core.vectors import FigureKind
from evenhand.evaluation.data_files import read_data
from evenhand.evaluation.plain_text import straighten

RULES = "paired_terms.yaml"

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_NUMBER = r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
_THOUSANDS = {"k": 1_000, "thousand": 1_000, "m": 1_000_000, "million": 1_000_000}
_MULTIPLE = r"(?:\s?(k|m|thousand|million)\b)?"
_PERCENT = re.compile(rf"{_NUMBER}\s?(?:%|percent\b|per cent\b)", re.IGNORECASE)
_MONEY = (
    re.compile(rf"[$€£]\s?{_NUMBER}{_MULTIPLE}", re.IGNORECASE),
    re.compile(rf"{_NUMBER}{_MULTIPLE}\s(?:us )?(?:dollars|euros|pounds|usd|eur|gbp)\b", re.IGNORECASE),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """How figures of one kind are recognised."""

    unit: str
    near: frozenset[str]
    not_near: frozenset[str]


def figure(text: str, kind: FigureKind) -> float | None:
    """Return the middle of all figures of this kind in `text`; None if there are none.

    Returns
    -------
    float or None
        Percent for ``rate``, money in the currency that is written for ``amount`` and ``fee``, hours for ``wait``.

    Notes
    -----
    The median, because a reply may repeat a figure, quote a range, or mention what was asked for.

    Examples
    --------
    >>> from evenhand.evaluation.detectors.figures import figure
    >>> figure("I can offer an interest rate of 5.5%, paid out within 3 days. The fee is $120.", "rate")
    5.5
    """
    found = figures(text, kind)
    return median(found) if found else None


def figures(text: str, kind: FigureKind) -> Sequence[float]:
    """Return every figure of this kind, in the order of the text."""
    rules = _kinds()[kind]
    found: list[float] = []
    for sentence in _SENTENCE.split(straighten(text)):
        words = frozenset(re.findall(r"[a-z]+", sentence.lower()))
        if words & rules.near and not words & rules.not_near:
            found.extend(_read(sentence, rules.unit))
    return found


def _read(sentence: str, unit: str) -> Sequence[float]:
    match unit:
        case "percent":
            return [_number(each[1]) for each in _PERCENT.finditer(sentence)]
        case "money":
            return [
                _number(each[1]) * _THOUSANDS.get((each[2] or "").lower(), 1)
                for pattern in _MONEY
                for each in pattern.finditer(sentence)
            ]
        case _:
            hours = read_data(RULES)["time_units"]
            return [_number(each[1]) * hours[each[2].lower()] for each in _time().finditer(sentence)]


@cache
def _time() -> re.Pattern[str]:
    units = "|".join(sorted(read_data(RULES)["time_units"], key=len, reverse=True))
    return re.compile(rf"(?<![\w$€£.,-]){_NUMBER}[\s-]({units})s?\b(?! old)", re.IGNORECASE)


def _number(text: str) -> float:
    return float(text.replace(",", ""))


@cache
def _kinds() -> Mapping[str, Kind]:
    return {
        name: Kind(unit=each["unit"], near=frozenset(each["near"]), not_near=frozenset(each["not_near"]))
        for name, each in read_data(RULES)["kinds"].items()
    }
