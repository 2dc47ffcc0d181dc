"""Descriptions of persons: "a Black software engineer", "she is blind", "two Muslims", but no "white coat".

A description counts beside a word for a person, or as what is said of one. Masking reads all of them; detection then
leaves out those that speak of nobody in particular (`is_generic`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from evenhand.evaluation.vocabulary import Descriptor, GenderWord, Vocabulary
from evenhand.evaluation.words import Words

Role = Literal["attributive", "predicate", "noun", "plural", "head"]
_LONGEST_PHRASE = 8
_LOOK_BACK = 4
_STATED_AGE = frozenset({"year", "years"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One describing word or phrase.

    Attributes
    ----------
    first, last
        Words of it, `last` not included.
    attribute, label
        What it says.
    role
        Before its person word, as a predicate, as a noun, or the person word itself ("woman").
    gender
        The gender word, if it is one.
    """

    first: int
    last: int
    attribute: str
    label: str | None
    role: Role
    gender: GenderWord | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonPhrase:
    """One phrase about a person or persons: its parts, and the words it spans, `last` not included."""

    first: int
    last: int
    parts: Sequence[Part]
    is_plural: bool


def read_phrase(words: Words, i: int, known: Vocabulary) -> PersonPhrase | None:
    """Return the person phrase that begins at word `i`; None if the words there describe no person."""
    parts: list[Part] = []
    j = i
    while j < min(len(words), i + _LONGEST_PHRASE) and (j == i or _continues(words, j)):
        part = _adjective_at(words, j, known)
        if part is not None:
            parts.append(part)
            j = part.last
        elif words.keys[j] in known.context["modifiers"] and parts:
            j += 1
        else:
            break
    head = _head_at(words, j, known, parts) if j == i or _continues(words, j) else None
    if head is None:
        return _without_head(words, i, known, parts)
    return _with_head(words, i, known, parts, head)


def is_generic(words: Words, phrase: PersonPhrase, known: Vocabulary) -> bool:
    """True if the phrase names nobody in particular: "women in science", "any man", "not a woman", a quoted word."""
    context = known.context
    if _is_quoted(words, phrase) or words.gap(phrase.last) == "-":  # "man-eating"
        return True
    allowed = context["plural_determiners"] if phrase.is_plural else context["determiners"]
    for k in range(phrase.first - 1, max(phrase.first - 1 - _LOOK_BACK, -1), -1):
        if not words.joins(k + 1):
            break
        if words.keys[k] in context["negations"]:
            return True
        if words.keys[k] in allowed:
            return words.key(k - 1) in context["negations"] and words.joins(k)
        if phrase.is_plural and words.keys[k] not in context["modifiers"]:
            return True
        if words.clitic(k) == "'s" and phrase.is_plural is False:
            return False
        if words.keys[k] in context["function_words"] and words.keys[k] != "and":  # "the king and queen"
            break
    return not _stands_without_determiner(phrase)


def _stands_without_determiner(phrase: PersonPhrase) -> bool:
    """Predicates need no article; "Black woman walks home" is a headline's person; "man is mortal" is nobody."""
    if phrase.is_plural:
        return False
    return phrase.parts[0].role == "predicate" or phrase.last - phrase.first >= 2


def _is_quoted(words: Words, phrase: PersonPhrase) -> bool:
    before, after = words.gap(phrase.first), words.gap(phrase.last)
    return before.endswith('"') and after.startswith('"')


def _continues(words: Words, j: int) -> bool:
    return words.joins(j) or (0 < j < len(words) and words.gap(j) == ", ")


def _adjective_at(words: Words, j: int, known: Vocabulary) -> Part | None:
    key = words.keys[j]
    gender = known.gender.get(key)
    if gender is not None and gender.kind == "adjective":
        return Part(first=j, last=j + 1, attribute="gender", label=gender.label, role="attributive", gender=gender)
    if key.isdigit():
        return _stated_age(words, j, known)
    found = descriptor_at(words, j, known)
    if found is None:
        return None
    last, descriptor = found
    return Part(first=j, last=last, attribute=descriptor.attribute, label=descriptor.label, role="attributive")


def descriptor_at(words: Words, j: int, known: Vocabulary) -> tuple[int, Descriptor] | None:
    """The longest descriptor that begins at word `j`, with the word after it."""
    for keys, descriptor in known.descriptors.get(words.keys[j], ()):
        last = j + len(keys)
        if tuple(words.keys[j:last]) == keys and all(words.joins(k) for k in range(j + 1, last)):
            return last, descriptor
    return None


def _stated_age(words: Words, j: int, known: Vocabulary) -> Part | None:
    """ "34-year-old", "34 years old"."""
    if words.key(j + 1) not in _STATED_AGE or words.key(j + 2) != "old" or len(words.keys[j]) > 3:
        return None
    band = known.age_band(int(words.keys[j]))
    if band is None:
        return None
    return Part(first=j, last=j + 3, attribute="age_band", label=band, role="attributive")


def _head_at(words: Words, j: int, known: Vocabulary, parts: Sequence[Part]) -> Part | None:
    """The person word at `j`: "woman" always; "engineer", "person", "mother" behind a description."""
    key = words.key(j)
    gender = known.gender.get(key)
    if gender is not None and (gender.kind == "noun" or (parts and gender.kind in ("kinship", "unmarked"))):
        return Part(first=j, last=j + 1, attribute="gender", label=gender.label, role="head", gender=gender)
    if parts and gender is None and key in known.context["persons"]:
        return Part(first=j, last=j + 1, attribute="", label=None, role="head")
    return None


def _with_head(words: Words, i: int, known: Vocabulary, parts: Sequence[Part], head: Part) -> PersonPhrase | None:
    plain = (words.keys[head.first] if head.gender is None else head.gender.mask) in known.context["core_persons"]
    parts = [part for part in parts if plain or not _needs_plain_person(words, part, known)]
    if not parts and head.gender is None:
        return None
    last, plural = head.last, _is_plural(words.keys[head.first], head.gender)
    # "woman engineer", "Black lady doctor": a role behind a gendered noun is the same person
    if head.gender is not None and head.gender.kind == "noun" and words.joins(last):
        following = words.keys[last]
        if following in known.context["roles"] and following not in known.gender:
            plural, last = _is_plural(following, None), last + 1
    first = parts[0].first if parts else head.first
    return PersonPhrase(first=first, last=last, parts=[*parts, head], is_plural=plural)


def _needs_plain_person(words: Words, part: Part, known: Vocabulary) -> bool:
    found = descriptor_at(words, part.first, known) if part.gender is None else None
    return found is not None and found[1].core_only


def _is_plural(key: str, gender: GenderWord | None) -> bool:
    if gender is not None:
        return gender.is_plural
    return key in ("people", "folks", "children") or (key.endswith("s") and not key.endswith("ss"))


def _without_head(words: Words, i: int, known: Vocabulary, parts: Sequence[Part]) -> PersonPhrase | None:
    """A description that stands alone: "is blind", "a Muslim", "the Latinos", "identifies as nonbinary"."""
    if len(parts) > 1:
        parts = parts[:1]
    part = parts[0] if parts else _noun_alone(words, i, known)
    role = None if part is None else _standing(words, i, part, known)
    if part is None or role is None or not _ends_here(words, part.last, role, known):
        return None
    alone = Part(
        first=part.first, last=part.last, attribute=part.attribute, label=part.label, role=role, gender=part.gender
    )
    return PersonPhrase(first=i, last=part.last, parts=[alone], is_plural=role == "plural")


def _noun_alone(words: Words, i: int, known: Vocabulary) -> Part | None:
    found = descriptor_at(words, i, known)
    if found is None:
        return None
    last, descriptor = found
    return Part(first=i, last=last, attribute=descriptor.attribute, label=descriptor.label, role="noun")


def _standing(words: Words, i: int, part: Part, known: Vocabulary) -> Role | None:
    before = words.key(i - 1) if words.joins(i) else ""
    found = descriptor_at(words, i, known) if part.gender is None and part.attribute != "age_band" else None
    uses = found[1].uses if found is not None else frozenset({"adjective", "noun"})
    if "plural" in uses:
        return "plural"
    if "noun" in uses and before in ("a", "an", "one", "another", "the", "this", "that"):
        return "noun"
    if "adjective" in uses and (_is_predicate(words, i, known) or _is_entry(words, i, part)):
        return "predicate"
    return None


def _is_predicate(words: Words, i: int, known: Vocabulary) -> bool:
    """True after "<person> is", "<person> is also", "identifies as"."""
    context = known.context
    k = i - 1
    if words.key(k) == "as" and words.key(k - 1) in context["claims"]:
        return True
    while k > i - 3 and words.key(k) in context["be_adverbs"] and words.joins(k + 1):
        k -= 1
    if not words.joins(k + 1):
        return False
    if words.key(k) in context["be_forms"]:
        return k > 0 and _is_person(words, k - 1, known)
    return words.clitic(k) in ("'s", "'m", "'re") and _is_person(words, k, known)


def _is_entry(words: Words, i: int, part: Part) -> bool:
    """True for gender stated in brackets ("the nurse (female, 34)") or as an entry of a form ("Gender: Male")."""
    if part.attribute != "gender":
        return False
    return words.gap(i).endswith("(") or (words.key(i - 1) in ("gender", "sex") and ":" in words.gap(i))


def _is_person(words: Words, k: int, known: Vocabulary) -> bool:
    key = words.keys[k]
    if key in ("i", "you", "we", "who") or key in known.gender or key in known.context["persons"]:
        return True
    return words.is_capitalised(k) and key not in known.context["function_words"]


def _ends_here(words: Words, j: int, role: Role, known: Vocabulary) -> bool:
    """True if the phrase ends before word `j`: at punctuation, or before a word that goes on with the sentence.

    A predicate goes on in other words too: "blind to the problem" is no disability.
    """
    if j >= len(words) or not words.joins(j):
        return True
    if role != "predicate" and known.is_pronoun(words.keys[j]):
        return True
    lists = ("predicate_ends",) if role == "predicate" else ("predicate_ends", "openers", "be_forms", "human_verbs")
    return any(words.keys[j] in known.context[name] for name in lists)
