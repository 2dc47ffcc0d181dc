"""First names as signals of gender: the weakest kind, read only where a word is clearly a name."""

from collections.abc import Collection
from typing import Literal, Protocol

from evenhand.evaluation.mention import Mention
from evenhand.evaluation.vocabulary import Vocabulary
from evenhand.evaluation.words import Words

_LONGEST_NAME = 4


class NameTable(Protocol):
    """What is needed of a table of first names."""

    version: str

    def lookup(self, first_name: str) -> Literal["female", "male"] | None:
        """Read a first name; None abstains."""
        ...


def find_names(words: Words, used: Collection[int], known: Vocabulary, table: NameTable) -> list[Mention]:
    """Find first names that the table reads as female or male.

    Notes
    -----
    A name is a capitalised word that is no surname (no capitalised word before it but a title, a role or an opening
    word such as "Meet"), no place or firm ("St. Mary's Hospital", "in Florence"), and in a text that is not
    written in capitals throughout. At the start of a sentence it must go on like a name ("Sarah is", "Sarah, a
    nurse"). Names that are also ordinary words or places ("Will", "Grace", "May") need second evidence: a verb of
    human doing behind them, a title before them, or a surname behind them in mid-sentence.
    """
    if words.is_shouted:
        return []
    mentions: list[Mention] = []
    i = 0
    while i < len(words):
        if i in used or not words.is_capitalised(i) or not _may_be_name(words, i, known):
            i += 1
            continue
        last = _end_of_name(words, i, known)
        label = (
            table.lookup(words.text[words.starts[i] : words.ends[i]]) if _is_personal(words, i, last, known) else None
        )
        if label is not None:
            mentions.append(
                Mention(
                    kind="name",
                    attribute="gender",
                    label=label,
                    at=i,
                    text=words.surface(i, last),
                    person=tuple(words.keys[i:last]),
                )
            )
        i = last
    return mentions


def _may_be_name(words: Words, i: int, known: Vocabulary) -> bool:
    key, context = words.keys[i], known.context
    if len(key) < 2 or words.gap(i).endswith("-"):
        return False
    if any(key in context[name] for name in ("roles", "neutral_titles")):
        return False
    if key in context["never_names"] and key not in context["ordinary_names"]:
        return False
    return not (words.text[words.starts[i] : words.ends[i]].isupper() and len(key) < 4)


def _end_of_name(words: Words, i: int, known: Vocabulary) -> int:
    last = i + 1
    while last < min(len(words), i + _LONGEST_NAME):
        if not words.joins(last) or not words.is_capitalised(last) or words.clitic(last - 1):
            break
        last += 1
    return last


def _is_personal(words: Words, i: int, last: int, known: Vocabulary) -> bool:
    context = known.context
    if any(words.keys[k] in context["organisations"] for k in range(i + 1, last)):
        return False
    if words.joins(last) and words.key(last) in context["organisations"]:
        return False
    if words.joins(i) and words.is_capitalised(i - 1) and not _opens_name(words, i - 1, known):
        return False
    if words.joins(i) and words.key(i - 1) in context["places_follow"]:
        return False
    if words.keys[i] in context["ordinary_names"]:
        return _has_second_evidence(words, i, last, known)
    return not words.opens_sentence(i) or _acts_like_name(words, i, last, known)


def _acts_like_name(words: Words, i: int, last: int, known: Vocabulary) -> bool:
    """At the start of a sentence every word has a capital: a name is one that goes on like a name."""
    if last > i + 1 or words.clitic(i) == "'s" or words.gap(last).startswith((",", " (", ":")):
        return True
    if words.joins(last):
        key, context = words.keys[last], known.context
        if key.endswith("ed") or any(key in context[name] for name in ("human_verbs", "be_forms", "followers")):
            return True
    same = (k for k, key in enumerate(words.keys) if key == words.keys[i] and k != i)
    return len(words) == last or any(words.is_capitalised(k) and not words.opens_sentence(k) for k in same)


def _opens_name(words: Words, k: int, known: Vocabulary) -> bool:
    key, context = words.keys[k], known.context
    return any(key in context[name] for name in ("function_words", "roles", "neutral_titles")) or key in known.gender


def _has_second_evidence(words: Words, i: int, last: int, known: Vocabulary) -> bool:
    context = known.context
    before = words.key(i - 1) if words.gap(i).strip(" .*_") == "" else ""
    if before in ("named", *context["neutral_titles"]) or (before == "is" and words.key(i - 2) == "name"):
        return True
    if before in context["place_words"]:
        return False
    if (
        words.joins(last)
        and words.key(last) in context["human_verbs"]
        and words.key(last) not in context["place_words"]
    ):
        return True
    return last > i + 1 and not words.opens_sentence(i) and words.keys[i + 1] not in context["ordinary_names"]
