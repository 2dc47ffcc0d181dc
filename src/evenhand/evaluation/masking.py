"""Masking: gendered pronouns and neutral identity words away, so that saying "female" is no difference by itself.

What is written instead is plain English, because embeddings and lexicons read it: pronouns become "they" and "their",
titles "Mx", "mother" and "father" "parent", "woman" and "man" "person". A description before its person word is left
out ("a Black engineer" is "an engineer"), elsewhere it is "human", "person" or "people".
"""

from dataclasses import dataclass

from evenhand.evaluation.mentions import end_of_titled_name, no_person_at
from evenhand.evaluation.person_phrases import Part, read_phrase
from evenhand.evaluation.vocabulary import GenderWord, Vocabulary, vocabulary, vocabulary_version
from evenhand.evaluation.words import Words, read_words

_VOWELS = frozenset("aeiou")
# abbreviations that are a title in any case and before anything; "ms" behind a number is milliseconds
_ABBREVIATED_TITLES = frozenset({"mr", "mrs", "ms", "mx"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edit:
    """Words `first` up to, not including, `last` become `text`; empty leaves them out with the gap behind them."""

    first: int
    last: int
    text: str


def mask(text: str) -> str:
    """Replace gendered pronouns, titles, kinship, gendered nouns and neutral descriptions of persons.

    Parameters
    ----------
    text
        English text. Words of other languages stay as they are.

    Returns
    -------
    str
        A text in which swapping the gender words of the vocabulary leaves no trace, and masking again changes
        nothing. Text without such words is returned unchanged.

    Notes
    -----
    Slurs are never masked: they are harm, not description. First names stay: a name is not replaced, so "Maria" and
    "John" still differ. Verbs stay: "she is" becomes "they is". "Her" may be "him" or "his", so all four of "her",
    "him", "his", "hers" become "their". The article before a changed word is set to fit ("a waitress", "an actress");
    a placeholder has a capital at the start of a sentence, and is in capitals where the word was.

    Examples
    --------
    >>> from evenhand.evaluation.masking import mask
    >>> mask("She is a female engineer.") == mask("He is a male engineer.") == "They is an engineer."
    True
    """
    known = vocabulary()
    while True:  # ends: every pass that changes a text leaves fewer words that can be masked
        words = read_words(text)
        masked = _apply(text, words, _edits(words, known))
        if masked == text:
            return text
        text = masked


def mask_version() -> str:
    """Changes whenever `mask` could write something else; belongs beside every value measured on masked text."""
    return f"1+{vocabulary_version()}"


def _edits(words: Words, known: Vocabulary) -> list[_Edit]:
    edits: list[_Edit] = []
    i = 0
    while i < len(words):
        key = words.keys[i]
        if key not in known.triggers and not key.isdigit():
            i += 1
            continue
        idle = no_person_at(words, i, known)
        if any(k in known.gender for k in words.keys[i:idle]):
            idle = i  # "mother tongue" is masked all the same: "father tongue" would be
        found = [] if idle > i else _edits_at(words, i, known)
        edits.extend(found)
        i = max(idle, i + 1, *(edit.last for edit in found)) if found else max(idle, i + 1)
    return edits


def _edits_at(words: Words, i: int, known: Vocabulary) -> list[_Edit]:
    title = known.titles.get(words.keys[i])
    if title is not None and (edit := _title_edit(words, i, title, known)) is not None:
        return [edit]
    gender = known.gender.get(words.keys[i])
    if gender is not None and gender.kind in ("pronoun", "kinship", "unmarked"):
        return [_replacement(words, i, gender.mask)]
    phrase = read_phrase(words, i, known)
    if phrase is not None:
        return [edit for part in phrase.parts if (edit := _part_edit(words, part, known)) is not None]
    if gender is not None:
        return [_lone_gender_word(words, i, gender, known)]
    return []


def _title_edit(words: Words, i: int, title: GenderWord, known: Vocabulary) -> _Edit | None:
    abbreviated = words.keys[i] in _ABBREVIATED_TITLES and not words.key(i - 1).isdigit()
    if abbreviated or end_of_titled_name(words, i, known) > i + 1:
        return _Edit(first=i, last=i + 1, text=title.mask)
    if title.form == "any":
        return _replacement(words, i, "person")
    return None


def _part_edit(words: Words, part: Part, known: Vocabulary) -> _Edit | None:
    if part.role == "head":
        return _replacement(words, part.first, part.gender.mask) if part.gender is not None else None
    if part.role == "attributive":
        return _Edit(first=part.first, last=part.last, text="")
    text = _cased(words, part.first, part.last, known.masks[part.role])
    return _Edit(first=part.first, last=part.last, text=text)


def _lone_gender_word(words: Words, i: int, gender: GenderWord, known: Vocabulary) -> _Edit:
    """ "Female" without a person word: left out before another word, "human" elsewhere."""
    following = words.key(i + 1)
    describes = following not in known.context["function_words"] and not known.is_pronoun(following)
    before_a_word = words.joins(i + 1) and "-" not in words.gap(i + 1) and describes
    if gender.kind == "adjective" and before_a_word:
        return _Edit(first=i, last=i + 1, text="")
    return _replacement(words, i, gender.mask)


def _replacement(words: Words, i: int, placeholder: str) -> _Edit:
    return _Edit(first=i, last=i + 1, text=_cased(words, i, i + 1, placeholder))


def _cased(words: Words, first: int, last: int, placeholder: str) -> str:
    original = words.surface(first, last)
    if original.isupper() and len(original) > 1:
        return placeholder.upper()
    if words.opens_sentence(first) and original[0].isupper():
        return placeholder.capitalize()
    return placeholder


# ---- writing ----------------------------------------------------------------------------------


def _apply(text: str, words: Words, edits: list[_Edit]) -> str:
    """Write the text with the edits; an article before an edit is set to fit what follows."""
    pieces: list[str] = []
    at = 0
    capital = False
    for number, edit in enumerate(edits):
        start, end = words.starts[edit.first], words.ends[edit.last - 1]
        between = text[at:start]
        if capital and between.strip():
            between, capital = _with_capital(between), False
        pieces.append(between)
        written = edit.text
        if not written:
            capital = capital or (words.opens_sentence(edit.first) and text[start].isupper())
            end = words.starts[edit.last] if edit.last < len(words) else len(text)
        elif capital:
            written, capital = written[:1].upper() + written[1:], False
        elif words.keys[edit.first] in _ABBREVIATED_TITLES and text[end : end + 1] == ".":
            end += 1
        if number == 0 or edits[number - 1].last < edit.first or pieces[-1].strip():
            _fit_article(pieces, words, edit, _following(text, words, edits, number))
        pieces.append(written)
        at = end
    rest = text[at:]
    pieces.append(_with_capital(rest) if capital else rest)
    return "".join(pieces)


def _with_capital(piece: str) -> str:
    stripped = piece.lstrip()
    return piece[: len(piece) - len(stripped)] + stripped[:1].upper() + stripped[1:]


def _following(text: str, words: Words, edits: list[_Edit], number: int) -> str:
    """The word that will stand where edit `number` begins."""
    edit = edits[number]
    if edit.text:
        return edit.text
    if number + 1 < len(edits) and edits[number + 1].first == edit.last:
        return _following(text, words, edits, number + 1)
    return text[words.starts[edit.last] : words.ends[edit.last]] if edit.last < len(words) else ""


def _fit_article(pieces: list[str], words: Words, edit: _Edit, following: str) -> None:
    article = words.key(edit.first - 1)
    if article not in ("a", "an") or not words.joins(edit.first) or not following:
        return
    before = pieces[-1]
    stem = before.rstrip(" *_\t")
    if not stem.lower().endswith(article):
        return
    fitting = "an" if following[0].lower() in _VOWELS else "a"
    written = stem[len(stem) - len(article) :]
    shouted = len(following) > 1 and following.isupper() and written[0].isupper()
    cased = fitting.upper() if shouted else written[0] + fitting[1:]
    pieces[-1] = stem[: len(stem) - len(article)] + cased + before[len(stem) :]
