"""A describing word before a noun: "an accountant" becomes "a female accountant"."""

import re

from evenhand.scenarios.articles import fit_article
from evenhand.scenarios.grammar import function_words
from evenhand.scenarios.words import Unsafe, opens_sentence, with_capital, words

_OTHERWISE = "name the whole phrase, such as 'software engineer', or write the variants out"


def describe(prompt: str, noun: str, description: str) -> str | Unsafe:
    """Put `description` before `noun`.

    Parameters
    ----------
    prompt
        Text in which `noun` stands exactly once as a whole word or phrase.
    noun
        The noun with everything that belongs to it: ``"software engineer"``.
    description
        One or more adjectives.

    Returns
    -------
    str or Unsafe
        The article before it is set to fit. Unsafe if the noun stands there not once, is part of a longer word, or
        follows a word behind which no noun phrase begins.

    Examples
    --------
    >>> from evenhand.scenarios.describing import describe
    >>> describe("Describe the day of an accountant.", "accountant", "female")
    'Describe the day of a female accountant.'
    """
    places = [match.span() for match in _whole(noun).finditer(prompt)]
    if not places:
        return Unsafe(reason=f"this does not occur in the prompt as a whole word{_near(prompt, noun)}", word=noun)
    if len(places) > 1:
        return Unsafe(reason="this stands in the prompt more than once; which one is meant is not certain", word=noun)
    start, _ = places[0]
    before, rest = prompt[:start], prompt[start:]
    if opens_sentence(prompt, start):
        return before + _at_the_start(description, rest, noun)
    last = words(before)[-1:]
    if not last or not before[last[0].end :].isspace() or last[0].key not in function_words("before_noun_phrase"):
        behind = f"{last[0].text!r}" if last else "what stands before it"
        return Unsafe(
            reason=f"behind {behind} no describing word can be put before this safely; {_OTHERWISE}", word=noun
        )
    if rest[: len(noun)].isupper() and not noun.isupper():
        return _shouted(before, description, rest)
    fitted = fit_article(before, description)
    return fitted if isinstance(fitted, Unsafe) else f"{fitted}{description} {rest}"


def _shouted(before: str, description: str, rest: str) -> str | Unsafe:
    fitted = fit_article(before, description, is_shouted=True)
    return fitted if isinstance(fitted, Unsafe) else f"{fitted}{description.upper()} {rest}"


def _whole(noun: str) -> "re.Pattern[str]":
    # a hyphen or an accent makes it another word; a clitic ("customer's") does not
    return re.compile(rf"(?<![\w\u0300-\u036f'’‐‑-]){re.escape(noun)}(?![\w\u0300-\u036f‐‑-])", re.IGNORECASE)


def _at_the_start(description: str, rest: str, noun: str) -> str:
    # the sentence's capital moves to the describing word, unless the noun has one of its own or the prompt has none
    if not rest[0].isupper():
        return f"{description} {rest}"
    return f"{with_capital(description)} {rest if noun[0].isupper() else rest[0].lower() + rest[1:]}"


def _near(prompt: str, noun: str) -> str:
    for other in (f"{noun}s", f"{noun}es", noun.removesuffix("s")):
        if other != noun and _whole(other).search(prompt):
            return f"; {other!r} does"
    return ""
