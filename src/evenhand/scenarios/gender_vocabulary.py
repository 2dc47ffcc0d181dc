"""What each gendered word of a prompt is: its gender, its kind, and what it becomes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

COLUMNS = ("neutral", "female", "male", "nonbinary")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One word.

    Attributes
    ----------
    gender
        ``"neutral"``, ``"female"`` or ``"male"``; nonbinary phrases are written, never read.
    kind
        ``"pronoun"``, ``"noun"`` or ``"adjective"``.
    becomes
        Gender to the word that takes its place; a gender without one is absent. Empty for "her" and "his", whose
        form depends on what follows.
    person
        Number of the noun's row: "woman" and "women" have the same.
    """

    gender: str
    kind: str
    becomes: Mapping[str, str]
    person: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class GenderVocabulary:
    """The words of `lists/gender_words.yaml`, ready to look up; `sets` holds the lists that guard the rules."""

    entries: Mapping[str, Entry]
    sets: Mapping[str, frozenset[str]]

    def is_gendered(self, key: str) -> bool:
        """Say whether a word says female or male, or might."""
        entry = self.entries.get(key)
        return (entry is not None and entry.gender != "neutral") or key in self.sets["no_counterpart"]


@cache
def gender_vocabulary() -> GenderVocabulary:
    """Read the word lists, once."""
    text = (files("evenhand.scenarios") / "lists" / "gender_words.yaml").read_text(encoding="utf-8")
    data = yaml.safe_load(text)
    guards = {name: frozenset(found) for name, found in data.items() if name not in ("pronouns", "nouns", "adjectives")}
    return GenderVocabulary(entries={**_pronouns(data), **_nouns(data), **_adjectives(data)}, sets=guards)


def _pronouns(data: Mapping[str, Any]) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for form in ("subject", "object", "possessive", "reflexive"):
        for gender, word in data["pronouns"][form].items():
            # the forms of "her" and "his" are told apart by their neighbours
            becomes = {} if word in ("her", "his") else data["pronouns"][form]
            found[word] = Entry(gender=gender, kind="pronoun", becomes=becomes)
    return found


def _nouns(data: Mapping[str, Any]) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for person, (singular, plural) in enumerate(data["nouns"]):
        for row in (singular, plural):
            becomes = {gender: word for gender, word in zip(COLUMNS, row, strict=True) if word is not None}
            for gender, word in becomes.items():
                if gender != "nonbinary":
                    found[word] = Entry(gender=gender, kind="noun", becomes=becomes, person=person)
    return found


def _adjectives(data: Mapping[str, Any]) -> dict[str, Entry]:
    becomes = data["adjectives"]
    return {
        word: Entry(gender=gender, kind="adjective", becomes=becomes)
        for gender, word in becomes.items()
        if gender != "nonbinary"
    }
