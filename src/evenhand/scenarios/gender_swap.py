"""One prompt with every gender word exchanged, or the reason why that would not be safe."""

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.scenarios.articles import fit_article
from evenhand.scenarios.gender_vocabulary import Entry, GenderVocabulary, gender_vocabulary
from evenhand.scenarios.pronoun_forms import form_of_her, form_of_his
from evenhand.scenarios.words import Unsafe, Word, follows, in_case_of, words

VALUES = ("female", "male", "nonbinary")
_OTHERWISE = "write the variants out"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edit:
    word: Word
    text: str


def swap_gender(prompt: str, value: str) -> str | Unsafe:
    """Write `prompt` about a person of another gender.

    Parameters
    ----------
    prompt
        English text in which all gender words are about one person (or one group of persons).
    value
        ``"female"``, ``"male"`` or ``"nonbinary"``.

    Returns
    -------
    str or Unsafe
        The prompt with whole words exchanged, in the case in which they stood, and articles that fit. Unsafe if a
        word is ambiguous ("her" between object and possessive), if verbs would have to change ("they"), if words of
        both genders or for several persons occur, or if nothing occurs that could be exchanged.

    Examples
    --------
    >>> from evenhand.scenarios.gender_swap import swap_gender
    >>> swap_gender("She teaches. Ask her about a day of hers.", "male")
    'He teaches. Ask him about a day of his.'
    """
    known = gender_vocabulary()
    found = words(prompt)
    problem = _first_problem(found, known)
    if problem is not None:
        return problem
    places = _places_to_change(found, known)
    if isinstance(places, Unsafe):
        return places
    edits: list[_Edit] = []
    for place in places:
        text = _replacement(prompt, found, place, value, known)
        if isinstance(text, Unsafe):
            return text
        edits.append(_Edit(word=found[place], text=text))
    return _apply(prompt, edits)


def _first_problem(found: Sequence[Word], known: GenderVocabulary) -> Unsafe | None:
    for word in found:
        key = word.key
        if key in known.sets["no_safe_form"]:
            return Unsafe(
                reason=f"the verb and the number of persons depend on this word; {_OTHERWISE}", word=word.text
            )
        if key in known.sets["no_counterpart"]:
            return Unsafe(reason=f"this word has no counterpart that is used alike; {_OTHERWISE}", word=word.text)
        if key in known.entries and word.is_part:
            return Unsafe(
                reason=f"this word is part of a longer one, which need not be about a person; {_OTHERWISE}",
                word=word.text,
            )
    return None


def _places_to_change(found: Sequence[Word], known: GenderVocabulary) -> list[int] | Unsafe:
    """Find the words of the one person that the prompt is about: the gendered ones, or else the neutral ones."""
    entries = {place: known.entries[word.key] for place, word in enumerate(found) if word.key in known.entries}
    gendered = [place for place, entry in entries.items() if entry.gender != "neutral"]
    places = gendered or list(entries)
    if not places:
        return Unsafe(
            reason=f"no word of the list gender_words occurs in the prompt; use before or slot, or {_OTHERWISE}"
        )
    first = places[0]
    for place in places[1:]:
        if entries[place].gender != entries[first].gender:
            return Unsafe(
                reason=f"the prompt has {found[first].text!r} too, so it names persons of both genders; {_OTHERWISE}",
                word=found[place].text,
            )
    nouns = [place for place in places if entries[place].kind == "noun"]
    for place in nouns:
        if entries[place].person != entries[nouns[0]].person:
            return Unsafe(
                reason=f"the prompt has {found[nouns[0]].text!r} too, which may be somebody else; {_OTHERWISE}",
                word=found[place].text,
            )
        if place > 0 and found[place - 1].key in ("her", "his"):
            return Unsafe(
                reason=f"behind {found[place - 1].text!r} this is somebody else; {_OTHERWISE}", word=found[place].text
            )
    return places


def _replacement(prompt: str, found: Sequence[Word], place: int, value: str, known: GenderVocabulary) -> str | Unsafe:
    word, entry = found[place], known.entries[found[place].key]
    if entry.gender == value:
        return Unsafe(
            reason=f"the base prompt says {value} already, so the variant would equal it; leave this value out",
            word=word.text,
        )
    if entry.kind == "pronoun" and value == "nonbinary":
        return Unsafe(
            reason=f"no nonbinary pronoun goes with every verb that follows this word; {_OTHERWISE}", word=word.text
        )
    if entry.kind == "noun" and _may_be_compound(prompt, found, place, known):
        return Unsafe(
            reason=f"before {found[place + 1].text!r} this may be the first half of another noun; {_OTHERWISE}",
            word=word.text,
        )
    if word.key == "person" and place > 0 and found[place - 1].key == "in":
        return Unsafe(reason=f"'in person' is about nobody; {_OTHERWISE}", word=word.text)
    new = _new_word(prompt, found, place, value, entry, known)
    if isinstance(new, Unsafe):
        return new
    cased = in_case_of(word.text, new)
    if cased is None:
        return Unsafe(reason="the capitals of this word follow no rule; write it in one case", word=word.text)
    return cased


def _new_word(
    prompt: str, found: Sequence[Word], place: int, value: str, entry: Entry, known: GenderVocabulary
) -> str | Unsafe:
    match found[place].key:
        case "her":
            return form_of_her(prompt, found, place, known)
        case "his":
            return form_of_his(prompt, found, place, known)
    if value not in entry.becomes:
        return Unsafe(
            reason=f"this word has no counterpart for {value} in the list; {_OTHERWISE}", word=found[place].text
        )
    return entry.becomes[value]


def _may_be_compound(prompt: str, found: Sequence[Word], place: int, known: GenderVocabulary) -> bool:
    return follows(prompt, found, place + 1) and found[place + 1].key not in known.sets["after_noun"]


def _apply(prompt: str, edits: Sequence[_Edit]) -> str | Unsafe:
    text, at = "", 0
    for edit in edits:
        is_shouted = edit.text.isupper()
        before = fit_article(text + prompt[at : edit.word.start], edit.text, is_shouted=is_shouted)
        if isinstance(before, Unsafe):
            return before
        text, at = before + edit.text, edit.word.end
    return text + prompt[at:]
