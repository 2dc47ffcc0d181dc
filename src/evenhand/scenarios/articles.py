"""'a' or 'an', where the sound of a word is certain. What is not certain is None, never a guess."""

import re

from evenhand.scenarios.words import Unsafe

_AN_BEFORE_H = ("hour", "honest", "honor", "honour", "heir")
_A_BEFORE_VOWEL = re.compile(
    r"eu|ewe|one\b|one-|once|use|using|usu|usurp|utop|utensil|ubiquit|ukrain"
    r"|uni(que|on|t|form|corn|cycle|vers|later|sex|fied|fy)"
)
_LETTER = re.compile(r"[a-z]")
_SPELLED_OUT = re.compile(r"[A-Z][A-Z0-9]")
_NUMBER = re.compile(r"[0-9]{1,3}(?![0-9,.])")


def article_for(word: str) -> str | None:
    """Return the article that stands before `word`.

    Returns
    -------
    str or None
        ``"a"`` or ``"an"``; None for what is spelled out letter by letter ("MBA"), numbers from 1,000 and words
        whose first sound differs between speakers ("herb") or that no rule here covers.

    Examples
    --------
    >>> from evenhand.scenarios.articles import article_for
    >>> [article_for(word) for word in ("older", "Black", "honest", "European", "18-year-old", "MBA")]
    ['an', 'a', 'an', 'a', 'an', None]
    """
    number = _NUMBER.match(word)
    if number is not None:
        return "an" if number[0].startswith("8") or number[0] in ("11", "18") else "a"
    key = word.lower()
    if not _LETTER.match(key) or len(word) == 1 or _SPELLED_OUT.match(word):
        return None
    return _by_sound(key)


def _by_sound(key: str) -> str | None:
    if key[0] == "h":
        if key.startswith(_AN_BEFORE_H):
            return "an"
        return None if key.startswith(("herb", "histor")) else "a"
    if key[0] == "y":
        return "a" if key[1] in "aeiou" else None
    if key[0] not in "aeiou":
        return "a"
    if _A_BEFORE_VOWEL.match(key):
        return "a"
    if key[0] == "u" and not re.match(r"un(?!i)|up|ug|ul|um|urban|urgent|usher", key):
        return None
    return "an"


_ARTICLE = re.compile(r"(?<![\w\u0300-\u036f'’-])(an|a)( +)$", re.IGNORECASE)


def fit_article(before: str, following: str, *, is_shouted: bool = False) -> str | Unsafe:
    """Set the article at the end of `before`, if there is one, so that it fits `following`.

    Parameters
    ----------
    before
        The prompt up to the changed words.
    following
        The words that will stand there.
    is_shouted
        True if they are in capitals because the prompt is, not because they are spelled out.
    """
    found = _ARTICLE.search(before)
    if found is None:
        return before
    word = following.split()[0]
    fitting = article_for(word.lower() if is_shouted else word)
    if fitting is None:
        return Unsafe(
            reason="whether 'a' or 'an' stands before this word is not certain; write the variants out", word=word
        )
    cased = fitting.upper() if is_shouted else found[1][0] + fitting[1:]
    return before[: found.start()] + cased + found[2]
