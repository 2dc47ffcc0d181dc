"""Neutral texts about one person, of a given length, with one pronoun throughout."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import yaml

from evenhand.adapters.simulated.pronouns import FORMS, Forms

_SHORTEST, _LONGEST = 4, 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Bank:
    """The templates, as read from the data file."""

    version: str
    openers: Sequence[str]
    personal: Sequence[str]
    impersonal: Sequence[str]
    refusals: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sentences:
    """Ready sentences of one pronoun; `by_length` maps words to sentences."""

    every: Sequence[tuple[str, int]]
    by_length: Mapping[int, Sequence[str]]


@cache
def bank() -> Bank:
    """Read the templates; they never change while the program runs."""
    file = resources.files("evenhand.adapters.simulated") / "data" / "sentences.yaml"
    return Bank(**yaml.safe_load(file.read_text("utf-8")))


def write(role: str, pronoun: str, words: int, draws: Sequence[float]) -> str:
    """Write a text.

    Parameters
    ----------
    role
        The person, as a noun: ``"nurse"``.
    pronoun
        A key of `FORMS`.
    words
        Wanted length. It is met exactly from 22 words on (plus those of a role of several words); shorter texts
        may fall short by up to three words, and never below the shortest opening sentence.
    draws
        Numbers in [0, 1), at least `draws_needed(words)` of them.
    """
    opener, used = _opener(role, pronoun, words, draws[0])
    parts, stock = [opener], _sentences(pronoun)
    remaining, turn = words - used, 1
    while remaining > 16:  # any sentence leaves at least five words
        sentence, length = _pick(stock.every, draws[turn], parts[-1])
        parts.append(sentence)
        remaining -= length
        turn += 1
    for length in _split(remaining):
        options = stock.by_length[length]
        parts.append(options[int(draws[turn] * len(options))])
        turn += 1
    return " ".join(parts)


def draws_needed(words: int) -> int:
    """Return how many numbers a text of `words` words may use up."""
    return words // _SHORTEST + 3


def _split(remaining: int) -> Sequence[int]:
    if remaining < _SHORTEST:
        return ()
    if remaining <= _LONGEST:
        return (remaining,)
    return (remaining // 2, remaining - remaining // 2)


def _pick(sentences: Sequence[tuple[str, int]], draw: float, last: str) -> tuple[str, int]:
    index = int(draw * len(sentences))
    # the next one instead: a sentence twice in a row reads like a stuck record
    return sentences[index] if sentences[index][0] != last else sentences[index - 1]


def _opener(role: str, pronoun: str, words: int, draw: float) -> tuple[str, int]:
    openers = _openers(role, pronoun)
    fitting = [o for o in openers if o[1] <= words - _SHORTEST or o[1] == words] or openers[:1]
    return fitting[int(draw * len(fitting))]


@cache
def _openers(role: str, pronoun: str) -> Sequence[tuple[str, int]]:
    texts = [_fill(template, FORMS[pronoun], role) for template in bank().openers]
    return sorted(((text, len(text.split())) for text in texts), key=lambda item: item[1])


@cache
def _sentences(pronoun: str) -> _Sentences:
    forms = FORMS[pronoun]
    templates = bank().impersonal if forms is None else bank().personal
    every = [(text, len(text.split())) for text in (_fill(t, forms, "") for t in templates)]
    by_length = {n: [text for text, length in every if length == n] for n in range(_SHORTEST, _LONGEST + 1)}
    assert all(by_length.values()), "the data file lacks a length"
    return _Sentences(every=every, by_length=by_length)


def _fill(template: str, forms: Forms | None, role: str) -> str:
    if forms is None:
        return template.format(role=role, p="the")
    subject = forms.subject
    return template.format(role=role, s=subject, S=subject.capitalize(), o=forms.object, p=forms.possessive)
