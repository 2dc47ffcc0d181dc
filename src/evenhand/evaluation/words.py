"""A text as words: keys to look up, positions to point back; typographic apostrophes, markdown and case are handled."""

import re
from dataclasses import dataclass

from evenhand.evaluation.plain_text import straighten

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+")
_CLITICS = ("'s", "'d", "'ll", "'re", "'ve", "'m")
_PLAIN_GAP = frozenset(" *_-\t")
_SENTENCE_ENDS = frozenset('.!?:;\n•"(')
_ABBREVIATIONS = frozenset({"mr", "mrs", "ms", "dr", "prof", "st", "mx", "rev"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Words:
    """The words of one text, column by column.

    Attributes
    ----------
    text
        The text with straight quotes and apostrophes; every position fits the original text too.
    keys
        Lower case, without a clitic: "She’s" is "she".
    starts, ends
        Where the word stands, without its clitic.
    full_ends
        Where the word ends with its clitic.
    is_shouted
        True if the text is written in capitals, so that capitals say nothing.
    """

    text: str
    keys: list[str]
    starts: list[int]
    ends: list[int]
    full_ends: list[int]
    is_shouted: bool

    def __len__(self) -> int:
        return len(self.keys)

    def key(self, i: int) -> str:
        """The key of word `i`; empty beyond either end."""
        return self.keys[i] if 0 <= i < len(self.keys) else ""

    def gap(self, i: int) -> str:
        """What stands between word `i` and the one before it; the rest of the text beyond either end."""
        before = self.full_ends[i - 1] if i > 0 else 0
        after = self.starts[i] if i < len(self.starts) else len(self.text)
        return self.text[before:after]

    def joins(self, i: int) -> bool:
        """True if nothing but blanks, a hyphen or markdown stands between word `i` and the one before it."""
        return 0 < i < len(self.keys) and _PLAIN_GAP.issuperset(self.gap(i))

    def is_capitalised(self, i: int) -> bool:
        """True if word `i` starts with a capital, in a text in which capitals say something."""
        return 0 <= i < len(self.keys) and not self.is_shouted and self.text[self.starts[i]].isupper()

    def opens_sentence(self, i: int) -> bool:
        """True if word `i` is the first of the text, a sentence, a line, a quotation or a bracket."""
        if i == 0:
            return True
        gap = self.gap(i)
        return not _SENTENCE_ENDS.isdisjoint(gap) and not (self.keys[i - 1] in _ABBREVIATIONS and gap.strip() == ".")

    def surface(self, first: int, last: int) -> str:
        """The text from word `first` up to, not including, word `last`, without the last word's clitic."""
        return self.text[self.starts[first] : self.ends[last - 1]]

    def clitic(self, i: int) -> str:
        """The clitic of word `i`, such as "'s"; empty if it has none."""
        return self.text[self.ends[i] : self.full_ends[i]].lower() if 0 <= i < len(self.keys) else ""


def read_words(text: str) -> Words:
    """Split `text` into words."""
    plain = straighten(text)
    found = [(match.group().lower(), match.start()) for match in _WORD.finditer(plain)]
    keys = [key for key, _ in found]
    starts = [start for _, start in found]
    full_ends = [start + len(key) for key, start in found]
    ends = full_ends
    if "'" in plain:
        keys = [_without_clitic(key) for key in keys]
        ends = [start + len(key) for key, start in zip(keys, starts, strict=True)]
    return Words(text=plain, keys=keys, starts=starts, ends=ends, full_ends=full_ends, is_shouted=plain.isupper())


def split_phrase(phrase: str) -> tuple[str, ...]:
    """The keys of a phrase of the vocabulary: "no man's land" is ("no", "man", "land")."""
    return tuple(read_words(phrase).keys)


def _without_clitic(key: str) -> str:
    cut = key.find("'")
    return key[:cut] if cut > 0 and key[cut:] in _CLITICS else key
