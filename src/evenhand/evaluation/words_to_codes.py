"""Words to codes, exactly as the toxicity classifier was trained to see them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WordCodes:
    """The words a classifier knows, and how a text is cut into them.

    Attributes
    ----------
    codes
        Word to code, from 1. Code 0 is padding.
    separators
        Character code point to a space: the characters that are not part of a word.
    """

    codes: Mapping[str, int]
    separators: Mapping[int, str]

    @classmethod
    def of(cls, words: Sequence[str], filters: str) -> "WordCodes":
        """Number `words` from 1; every character of `filters` separates words."""
        return cls(
            codes={word: code for code, word in enumerate(words, start=1)},
            separators=str.maketrans(dict.fromkeys(filters, " ")),
        )

    def encode(self, text: str) -> list[int]:
        """Return the codes of the known words of `text`, in order; unknown words leave no trace.

        Notes
        -----
        Lower case, separators to spaces, cut at spaces alone: what Keras' ``Tokenizer.texts_to_sequences`` does
        for a vocabulary without an out-of-vocabulary token. A no-break space stays part of its word, because
        it did in training.
        """
        known = self.codes
        return [known[word] for word in text.lower().translate(self.separators).split(" ") if word in known]


def cut_windows(codes: Sequence[int], *, size: int, step: int) -> list[Sequence[int]]:
    """Cut a sequence into windows of at most `size` that together hold every code.

    Neighbouring windows share ``size − step`` codes; the last window ends with the text.

    Examples
    --------
    >>> from evenhand.evaluation.words_to_codes import cut_windows
    >>> cut_windows([1, 2, 3, 4, 5], size=4, step=2)
    [[1, 2, 3, 4], [2, 3, 4, 5]]
    """
    last = len(codes) - size
    if last <= 0:
        return [codes]
    return [codes[start : start + size] for start in [*range(0, last, step), last]]
