"""A prompt as whole words: where they stand, what touches them, how their case is kept."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

# combining marks belong to the letter before them: without them "she" would be found in a decomposed "shé"
_WORD = re.compile(r"[\w\u0300-\u036f]+")
_HYPHENS = frozenset("-‐‑")
_APOSTROPHES = frozenset("'’")
_CLITICS = frozenset({"s", "d", "ll", "re", "ve", "m"})
_SENTENCE_ENDS = frozenset(".!?\n")
_QUOTES = frozenset('“‘"')
_ABBREVIATIONS = frozenset({"e.g.", "i.e.", "etc.", "vs.", "dr.", "mr.", "mrs.", "ms.", "prof.", "st.", "no."})


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsafe:
    """A variant that cannot be made without risking its grammar or its meaning.

    Attributes
    ----------
    reason
        Why not, and what to do instead.
    word
        The word in question; None if it is not about one.
    """

    reason: str
    word: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One word of a prompt, without a clitic: "she's" is "she".

    Attributes
    ----------
    text
        As written.
    start, end
        Position in the prompt.
    is_part
        True if a hyphen, or an apostrophe that opens no clitic, ties it to a neighbour: "she-wolf", "o'clock".
    """

    text: str
    start: int
    end: int
    is_part: bool

    @property
    def key(self) -> str:
        """In lower case."""
        return self.text.lower()


def words(prompt: str) -> list[Word]:
    """Split a prompt into words; the letters of a clitic are no word of their own."""
    found: list[Word] = []
    for match in _WORD.finditer(prompt):
        is_clitic = _is_clitic(prompt, match.start(), match[0])
        if not (found and is_clitic and found[-1].end == match.start() - 1):
            part = _is_tied(prompt, match.start(), match.end())
            found.append(Word(text=match[0], start=match.start(), end=match.end(), is_part=part))
    return found


def between(prompt: str, found: Sequence[Word], place: int) -> str:
    """Return what stands between word `place` and the one before it; what stands before or after all at the ends."""
    start = found[place - 1].end if place > 0 else 0
    end = found[place].start if place < len(found) else len(prompt)
    return prompt[start:end]


def follows(prompt: str, found: Sequence[Word], place: int) -> bool:
    """Say whether nothing but blanks stands between word `place` and the one before it."""
    return 0 < place < len(found) and between(prompt, found, place).isspace()


def opens_sentence(prompt: str, start: int) -> bool:
    """Say whether a sentence, a line or quoted speech begins at `start`."""
    before = prompt[:start]
    if before[-1:] in _QUOTES:
        # speech stands at the start, or behind a comma or colon; elsewhere a quotation may be a single word
        before = before[:-1].rstrip(" ")
        return not before or before[-1] in _SENTENCE_ENDS | {",", ":"}
    before = before.rstrip(" ")
    last = before[before.rfind(" ") + 1 :].lower()
    return not before or (before[-1] in _SENTENCE_ENDS and last not in _ABBREVIATIONS)


def in_case_of(original: str, replacement: str) -> str | None:
    """Write `replacement` in the case of `original`; None if its case has no rule, as in "sHe"."""
    if original.islower():
        return replacement
    if original.isupper() and len(original) > 1:
        return replacement.upper()
    if original[0].isupper() and (len(original) == 1 or original[1:].islower()):
        return with_capital(replacement)
    return None


def with_capital(text: str) -> str:
    """Write the first letter as a capital and leave the others."""
    return text[:1].upper() + text[1:]


def _is_clitic(prompt: str, start: int, text: str) -> bool:
    return start > 0 and prompt[start - 1] in _APOSTROPHES and text.lower() in _CLITICS


def _is_tied(prompt: str, start: int, end: int) -> bool:
    before, after = prompt[max(0, start - 2) : start], prompt[end : end + 2]
    if before and before[-1] in _HYPHENS | _APOSTROPHES and before[0].isalnum() and len(before) == 2:
        return True
    if len(after) < 2 or not after[1].isalnum():
        return False
    if after[0] in _HYPHENS:
        return True
    clitic = _WORD.match(prompt, end + 1)
    return after[0] in _APOSTROPHES and clitic is not None and clitic[0].lower() not in _CLITICS
