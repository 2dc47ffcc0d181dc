"""The vocabulary of perceived attributes: one place for the words that say something about a person.

The words are data (`data/gender.yaml`, `data/identity.yaml`, `data/context.yaml`). The labels are those of the
shipped references, where a reference exists; `LABELS_WITHOUT_REFERENCE` names the others.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from evenhand.evaluation.data_files import fingerprint, read_data
from evenhand.evaluation.english import function_words
from evenhand.evaluation.words import split_phrase

FILES = ("gender.yaml", "identity.yaml", "context.yaml")

LABELS_WITHOUT_REFERENCE: Mapping[str, tuple[str, ...]] = {
    "gender": ("nonbinary",),
    "race": ("middle_eastern",),
    "age": ("young", "middle_aged", "old"),
    "age_band": ("under_18",),
    "sexual_orientation": ("gay", "lesbian", "bisexual", "heterosexual", "asexual"),
    "trans_identity": ("transgender", "cisgender"),
}

GenderKind = Literal["pronoun", "title", "kinship", "noun", "adjective", "unmarked"]
Use = Literal["adjective", "noun", "plural"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GenderWord:
    """A word that says something about gender, or that masking must treat like one.

    Attributes
    ----------
    kind
        "unmarked" words ("waiter") are masked and give no signal.
    label
        female, male, nonbinary; None where the word alone does not tell ("they", "waiter").
    mask
        What masking writes in its place.
    form
        For pronouns subject, object, possessive or reflexive; for titles "name" (counts only before a name) or "any".
    is_plural
        True for "women", "sisters".
    is_weak
        True for neopronouns that are also ordinary words.
    """

    kind: GenderKind
    label: str | None
    mask: str
    form: str = ""
    is_plural: bool = False
    is_weak: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Descriptor:
    """A word or phrase that describes a person: "Black", "middle-aged", "Muslim".

    Attributes
    ----------
    attribute, label
        What it says.
    uses
        As an adjective, a noun in the singular, a noun in the plural.
    core_only
        True if only plain words for persons make it a description: "old woman", not "old friend".
    """

    attribute: str
    label: str
    uses: frozenset[Use]
    core_only: bool = False


Phrases = Mapping[str, Sequence[tuple[tuple[str, ...], Descriptor]]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Vocabulary:
    """Every word list, ready to look up.

    Attributes
    ----------
    labels
        Attribute to the labels that can be detected.
    gender
        Key to gender word (titles apart).
    titles
        Key to title.
    descriptors
        First key to (all keys, descriptor), longest first.
    no_person
        First key to phrases that name no person, longest first.
    context
        Name of a list in `context.yaml` to its words.
    triggers
        Every key at which a signal can begin.
    masks
        What masking writes for a descriptor that is no adjective before its noun, by use.
    age_bands
        Label to first and last age in years.
    """

    labels: Mapping[str, tuple[str, ...]]
    gender: Mapping[str, GenderWord]
    titles: Mapping[str, GenderWord]
    descriptors: Phrases
    no_person: Mapping[str, Sequence[tuple[str, ...]]]
    context: Mapping[str, frozenset[str]]
    triggers: frozenset[str]
    masks: Mapping[str, str]
    age_bands: Mapping[str, tuple[int, int]]

    def is_pronoun(self, key: str) -> bool:
        """True for every pronoun of the vocabulary, whatever its gender."""
        word = self.gender.get(key)
        return word is not None and word.kind == "pronoun"

    def age_band(self, years: int) -> str | None:
        """The label of the age band that holds `years`; None above 120."""
        return next((label for label, (low, high) in self.age_bands.items() if low <= years <= high), None)


@cache
def vocabulary() -> Vocabulary:
    """Read the word lists, once."""
    gender, identity, context = (read_data(name) for name in FILES)
    words, titles = _gender_words(gender), _titles(gender)
    descriptors = _descriptors(identity["entries"])
    no_person = _by_first(split_phrase(phrase) for phrase in [*gender["no_person"], *identity["no_person"]])
    return Vocabulary(
        labels={**{a: tuple(v) for a, v in identity["labels"].items()}, "gender": tuple(gender["labels"])},
        gender=words,
        titles=titles,
        descriptors=descriptors,
        no_person=no_person,
        context=_context(context, gender),
        triggers=frozenset({*words, *titles, *descriptors, *no_person}),
        masks=identity["masks"],
        age_bands={label: (low, high) for label, (low, high) in identity["age_bands"].items()},
    )


def vocabulary_version() -> str:
    """Changes whenever a word list does."""
    return fingerprint(*FILES)


def _gender_words(data: Mapping[str, Any]) -> dict[str, GenderWord]:
    words: dict[str, GenderWord] = {}
    words.update(_pronouns(data))
    words.update(_pairs("kinship", data["kinship"], frozenset(data["plural_kinship"])))
    words.update(_pairs("noun", data["nouns"], frozenset(data["plural_nouns"])))
    for word, mask in data["unmarked"].items():
        words[word] = GenderWord(kind="unmarked", label=None, mask=mask)
    for label, adjectives in data["adjectives"].items():
        words.update({word: GenderWord(kind="adjective", label=label, mask="human") for word in adjectives})
    for label, plurals in data["noun_plurals_of_adjectives"].items():
        words.update({word: GenderWord(kind="noun", label=label, mask="people", is_plural=True) for word in plurals})
    return words


def _pronouns(data: Mapping[str, Any]) -> dict[str, GenderWord]:
    families: dict[str | None, Mapping[str, Sequence[str]]] = {**data["pronouns"], None: data["ambiguous_pronouns"]}
    weak = frozenset(data["weak_pronouns"])
    return {
        word: GenderWord(kind="pronoun", label=label, mask=data["pronoun_masks"][form], form=form, is_weak=word in weak)
        for label, forms in families.items()
        for form, words in forms.items()
        for word in words
    }


def _pairs(
    kind: Literal["kinship", "noun"], rows: Iterable[Sequence[str | None]], plurals: frozenset[str]
) -> dict[str, GenderWord]:
    words: dict[str, GenderWord] = {}
    for mask, female, male in rows:
        for label, word in (("female", female), ("male", male)):
            if word is not None:
                words[word] = GenderWord(kind=kind, label=label, mask=str(mask), is_plural=word in plurals)
    return words


def _titles(data: Mapping[str, Any]) -> dict[str, GenderWord]:
    return {
        word: GenderWord(kind="title", label=label, mask=data["title_mask"], form=form)
        for word, label, form in data["titles"]
    }


def _descriptors(entries: Iterable[Mapping[str, Any]]) -> dict[str, list[tuple[tuple[str, ...], Descriptor]]]:
    merged: dict[tuple[str, ...], Descriptor] = {}
    for entry in entries:
        for use, words in (("adjective", "adjectives"), ("noun", "nouns"), ("plural", "plurals")):
            for phrase in entry.get(words, ()):
                keys = split_phrase(phrase)
                known = merged[keys].uses if keys in merged else frozenset()
                merged[keys] = Descriptor(
                    attribute=entry["attribute"],
                    label=entry["label"],
                    uses=known | {use},  # type: ignore[arg-type]  # the three literals above
                    core_only=entry.get("person") == "core",
                )
    grouped: dict[str, list[tuple[tuple[str, ...], Descriptor]]] = {}
    for keys in sorted(merged, key=len, reverse=True):
        grouped.setdefault(keys[0], []).append((keys, merged[keys]))
    return grouped


def _by_first(phrases: Iterable[tuple[str, ...]]) -> dict[str, list[tuple[str, ...]]]:
    grouped: dict[str, list[tuple[str, ...]]] = {}
    for keys in sorted(phrases, key=len, reverse=True):
        grouped.setdefault(keys[0], []).append(keys)
    return grouped


def _context(data: Mapping[str, Any], gender: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    lists = {name: frozenset(words) for name, words in data.items() if name != "version"}
    lists["neutral_titles"] = frozenset(gender["neutral_titles"])
    lists["kinship_names"] = frozenset(gender["kinship_names"])
    lists["ordinary_names"] |= lists.pop("ordinary_words_in_tables") | lists.pop("place_names")
    lists["persons"] = lists["core_persons"] | lists["roles"]
    lists["function_words"] = lists["openers"] | lists["determiners"] | lists["negations"] | lists["be_forms"]
    lists["never_names"] = lists["function_words"] | function_words("english")
    return lists
