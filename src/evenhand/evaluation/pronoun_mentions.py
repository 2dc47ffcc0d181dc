"""Pronouns as signals: she, he, xe; "she/her" declares, "he or she" leaves open, "they" is no signal."""

from collections.abc import Sequence

from evenhand.evaluation.mention import Kind, Mention
from evenhand.evaluation.vocabulary import GenderWord, Vocabulary
from evenhand.evaluation.words import Words

_JOINED_BY_SLASH = ("/", " / ")


def pronoun_mentions(words: Words, i: int, known: Vocabulary) -> tuple[list[Mention], int]:
    """The mentions of the pronouns that begin at word `i`, and the word after them."""
    last = _end_of_pronoun_run(words, i, known)
    run = [known.gender[key] for key in words.keys[i:last] if key in known.gender]
    if len(run) > 1:
        return _declared(words, i, last, run), last
    if words.key(i - 1) in ("s", "z") and words.gap(i) in ("/", ")"):
        return [], i + 1
    word = run[0]
    kind: Kind = "pronoun" if word.label is not None else "they"
    return [
        Mention(kind=kind, attribute="gender", label=word.label, at=i, text=words.surface(i, i + 1), form=word.form)
    ], i + 1


def _end_of_pronoun_run(words: Words, i: int, known: Vocabulary) -> int:
    """The word after "he or she", "she/her/hers", "his or her"."""
    last = i + 1
    while last < len(words):
        step = 0
        if words.gap(last) in _JOINED_BY_SLASH:
            step = 1
        elif words.keys[last] == "or" and words.joins(last) and words.joins(last + 1):
            step = 2
        following = known.gender.get(words.key(last + step - 1)) if step else None
        if following is None or following.kind != "pronoun":
            return last
        last += step
    return last


def _declared(words: Words, i: int, last: int, run: Sequence[GenderWord]) -> list[Mention]:
    """ "she/her" and "they/them" declare pronouns; "he/she" and "she or he" leave them open."""
    labels = {word.label for word in run}
    if len(labels) > 1 or "or" in words.keys[i:last] or len({word.form for word in run}) == 1:
        return []
    label = next(iter(labels)) or "nonbinary"
    return [Mention(kind="declared pronouns", attribute="gender", label=label, at=i, text=words.surface(i, last))]


def drop_weak(mentions: list[Mention], words: Words, known: Vocabulary) -> list[Mention]:
    """Drop a neopronoun that is also an ordinary word and stands alone; drop declarations that merely list options."""
    neo = [m for m in mentions if m.kind == "pronoun" and m.label == "nonbinary"]
    if len(neo) == 1 and known.gender[words.keys[neo[0].at]].is_weak:
        mentions = [m for m in mentions if m is not neo[0]]
    listed = [m for m in mentions if m.kind == "declared pronouns" and not words.gap(m.at).endswith(("(", "["))]
    if len({m.label for m in listed}) > 1:
        mentions = [m for m in mentions if m not in listed]
    return mentions
