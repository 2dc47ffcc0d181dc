"""Is this text English? Every rule here is, so other languages must be "could not judge", never "nothing found"."""

import re
from functools import cache, lru_cache
from typing import Literal

from evenhand.evaluation.data_files import read_data

FUNCTION_WORDS_FILE = "function_words.yaml"
_SAMPLE = 600
_LONG = 20
_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_WORD = re.compile(r"[^\W\d_]+")


def not_english(text: str) -> str | None:
    """Say why `text` is not English, or None if it is or may be.

    Returns
    -------
    str or None
        A reason for `CouldNotJudge`. None also for texts too short to tell, such as "Paris." or "42".

    Notes
    -----
    Reads the first 600 characters. Not English: at least half of the letters are not Latin; or two or more
    function words of other European languages that outnumber the English ones; or twenty or more words without one
    English function word. Words in the middle of a text count as written, so that "Los Angeles" is no Spanish.
    """
    return _judge(text[:_SAMPLE])


@lru_cache(maxsize=4096)  # three evaluators ask about the same batch of texts
def _judge(sample: str) -> str | None:
    if not sample.isascii() and _mostly_not_latin(sample):
        return "not English: most letters are not Latin"
    words = _WORD.findall(sample)
    own, foreign = function_words("english"), function_words("other")
    english = len([word for word in words if word in own or word.lower() in own])
    if english * 5 >= len(words):
        return None
    other = sum(word in foreign for word in _as_written(words))
    if other >= 2 and other > english:
        return "not English: the function words are of another language"
    if len(words) >= _LONG and english == 0 and not sample.isupper():
        return "not English: no English function word in the text"
    return None


def _mostly_not_latin(sample: str) -> bool:
    letters = _LETTER.findall(sample)
    return bool(letters) and 2 * sum(bool(_LATIN.match(letter)) for letter in letters) <= len(letters)


def _as_written(words: list[str]) -> list[str]:
    return [words[0].lower(), *words[1:]] if words else []


@cache
def function_words(side: Literal["english", "other"]) -> frozenset[str]:
    """The function words that only English has, or only the other languages."""
    return frozenset(read_data(FUNCTION_WORDS_FILE)[side].split())
