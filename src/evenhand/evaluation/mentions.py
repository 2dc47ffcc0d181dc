"""Mentions: every place in a text that signals a person's gender, race, age …, in the order of the text."""

from evenhand.evaluation.mention import Kind, Mention
from evenhand.evaluation.person_phrases import PersonPhrase, is_generic, read_phrase
from evenhand.evaluation.pronoun_mentions import drop_weak, pronoun_mentions
from evenhand.evaluation.vocabulary import GenderWord, Vocabulary
from evenhand.evaluation.words import Words

_LONGEST_NAME = 3
# "MISS THE BUS", "MS": in capitals these may be ordinary words
_ORDINARY_IN_CAPITALS = frozenset({"ms", "miss", "lady", "sir"})
_ABBREVIATED_TITLES = frozenset({"mr", "mrs", "ms"})


def find_mentions(words: Words, known: Vocabulary) -> tuple[list[Mention], set[int]]:
    """Find every mention but first names.

    Returns
    -------
    tuple[list[Mention], set[int]]
        The mentions, and the words that are used up: a name there is no further person.
    """
    mentions: list[Mention] = []
    used: set[int] = set()
    i = 0
    while i < len(words):
        key = words.keys[i]
        if key not in known.triggers and not key.isdigit():
            i += 1
            continue
        found, last = _mentions_at(words, i, known)
        mentions.extend(found)
        used.update(range(i, last))
        i = max(last, i + 1)
    return drop_weak(mentions, words, known), used


def _mentions_at(words: Words, i: int, known: Vocabulary) -> tuple[list[Mention], int]:
    """The mentions that begin at word `i`, and the word after them; the same word if there are none."""
    idle = no_person_at(words, i, known)
    if idle > i:
        return [], idle
    title = known.titles.get(words.keys[i])
    if title is not None:
        found, last = _title(words, i, title, known)
        if last > i:
            return found, last
    gender = known.gender.get(words.keys[i])
    if gender is not None and gender.kind == "pronoun":
        return pronoun_mentions(words, i, known)
    if gender is not None and gender.kind == "kinship":
        return _kinship(words, i, gender, known)
    phrase = read_phrase(words, i, known)
    return ([], i) if phrase is None else _description(words, phrase, known)


def no_person_at(words: Words, i: int, known: Vocabulary) -> int:
    """The word after a phrase that names no person ("mother tongue") and begins at `i`; `i` if there is none."""
    for keys in known.no_person.get(words.keys[i], ()):
        last = i + len(keys)
        if tuple(words.keys[i:last]) == keys and all(words.joins(k) for k in range(i + 1, last)):
            return last
    return i


# ---- titles -----------------------------------------------------------------------------------


def _title(words: Words, i: int, title: GenderWord, known: Vocabulary) -> tuple[list[Mention], int]:
    key = words.keys[i]
    last = end_of_titled_name(words, i, known)
    if words.is_shouted and key in _ORDINARY_IN_CAPITALS:
        return [], i
    if last > i + 1:
        if title.label is None or _offers_both(words, i + 1, title, known):
            return [], last
        return [_titled(words, i, last, title)], last
    if key in _ABBREVIATED_TITLES and (words.is_capitalised(i) or words.gap(i + 1).startswith(".")):
        both = _offers_both(words, i + 1, title, known)
        return ([], i + 2) if both else ([_titled(words, i, i + 1, title)], i + 1)
    if title.form == "any":
        both = _offers_both(words, i + 1, title, known)
        after = next((k for k in (i + 1, i + 2) if words.key(k) in known.titles), i) + 1
        return ([], after) if both else ([_titled(words, i, i + 1, title)], i + 1)
    return [], i


def end_of_titled_name(words: Words, i: int, known: Vocabulary) -> int:
    """The word after the name that follows the title at `i`; ``i + 1`` if no name follows."""
    if words.text[words.starts[i]].islower():
        return i + 1
    last = i + 1
    while last < min(len(words), i + 1 + _LONGEST_NAME):
        gap = words.gap(last)
        plain = words.joins(last) or (last == i + 1 and gap.strip(" *_") == "." and "\n" not in gap)
        if not plain or not words.text[words.starts[last]].isupper():
            break
        if words.keys[last] in known.titles or (words.keys[last] in known.context["be_forms"]):
            break
        last += 1
        if words.clitic(last - 1):
            break
    return last


def _titled(words: Words, i: int, last: int, title: GenderWord) -> Mention:
    person = tuple(words.keys[i + 1 : last]) or (words.keys[i],)
    return Mention(
        kind="title", attribute="gender", label=title.label, at=i, text=words.surface(i, last), person=person
    )


def _offers_both(words: Words, j: int, title: GenderWord, known: Vocabulary) -> bool:
    """ "Mr./Ms. Lee", "Dear Sir or Madam"."""
    if words.gap(j).strip(" .") == "/":
        other = known.titles.get(words.key(j))
    elif words.key(j) == "or":
        other = known.titles.get(words.key(j + 1))
    else:
        return False
    return other is not None and other.label != title.label


# ---- kinship and descriptions -----------------------------------------------------------------


def _kinship(words: Words, i: int, word: GenderWord, known: Vocabulary) -> tuple[list[Mention], int]:
    last = i + 1
    alternative = _end_of_alternative(words, i, word, known)
    if alternative > last:
        return [], alternative
    owner, determined = _owner(words, i, known)
    used_as_name = words.keys[i] in known.context["kinship_names"]
    as_name = words.is_capitalised(i) and (used_as_name or not words.opens_sentence(i))
    if not (owner or as_name or (determined and not word.is_plural)):
        return [], last
    kind: Kind = "kinship" if owner or as_name else "description"
    person = (_relation(words.keys[i], word),) if kind == "kinship" else ()
    mention = Mention(
        kind=kind,
        attribute="gender",
        label=word.label,
        at=i,
        text=words.surface(i, last),
        person=person,
        owner=owner,
    )
    return [mention], last


def _relation(key: str, word: GenderWord) -> str:
    """ "Mom" is "mother"; an aunt is no niece although masking calls both relatives."""
    return key if word.mask.startswith("relative") else word.mask


def _owner(words: Words, i: int, known: Vocabulary) -> tuple[str, bool]:
    """Whose kin it is ("her", "maria"), and whether an article or number stands before it."""
    for k in range(i - 1, max(i - 4, -1), -1):
        if not words.joins(k + 1):
            break
        key = words.keys[k]
        if key in known.context["negations"]:
            break
        if key in ("my", "your", "our", "their") or words.clitic(k) == "'s":
            return key, True
        word = known.gender.get(key)
        if word is not None and word.kind == "pronoun":
            return (key, True) if key in ("her", "his") or word.form == "possessive" else ("", False)
        if key in known.context["determiners"]:
            return "", words.key(k - 1) not in known.context["negations"]
        if key in known.context["function_words"]:
            break
    return "", False


def _description(words: Words, phrase: PersonPhrase, known: Vocabulary) -> tuple[list[Mention], int]:
    head = phrase.parts[-1]
    if head.gender is not None:
        alternative = _end_of_alternative(words, head.first, head.gender, known)
        if alternative > phrase.last:
            return [], alternative
    if is_generic(words, phrase, known):
        return [], phrase.last
    text = words.surface(phrase.first, phrase.last)
    said = dict.fromkeys((part.attribute, part.label) for part in phrase.parts if part.label is not None)
    owned = head.gender is not None and head.gender.kind == "kinship"
    owner = _owner(words, phrase.first, known)[0] if owned else ""
    mentions = [
        Mention(
            kind="kinship" if owner and attribute == "gender" else "description",
            attribute=attribute,
            label=label,
            at=phrase.first,
            text=text,
            person=(_relation(words.keys[head.first], head.gender),) if owner and head.gender is not None else (),
            owner=owner,
        )
        for attribute, label in said
    ]
    return mentions, phrase.last


def _end_of_alternative(words: Words, i: int, word: GenderWord, known: Vocabulary) -> int:
    """The word after "a man or a woman", "men and women", "male/female" if it begins at `i`; ``i + 1`` if it does not.

    "And" joins two persons in the singular ("a man and a woman"), and nobody in the plural.
    """
    j = i + 1
    if words.gap(j).strip() == "/":
        pass
    elif words.joins(j) and (words.keys[j] == "or" or (words.keys[j] == "and" and _speaks_of_many(word))):
        j += 1
        if words.key(j) in ("a", "an"):
            j += 1
    else:
        return i + 1
    other = known.gender.get(words.key(j))
    if other is None or other.kind != word.kind or other.label == word.label:
        return i + 1
    return j + 1


def _speaks_of_many(word: GenderWord) -> bool:
    return word.is_plural or word.kind == "adjective"
