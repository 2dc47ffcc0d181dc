"""'her' is 'him' or 'his', and 'his' is 'her' or 'hers': told apart where grammar is certain, refused elsewhere."""

from collections.abc import Sequence

from evenhand.scenarios.gender_vocabulary import GenderVocabulary
from evenhand.scenarios.words import Unsafe, Word, between, follows, opens_sentence

_STOPS = frozenset(".,;:!?…)")


def form_of_her(prompt: str, found: Sequence[Word], place: int, known: GenderVocabulary) -> str | Unsafe:
    """Return ``"him"`` or ``"his"`` for the "her" at `place`.

    Notes
    -----
    Object: a stop or the end follows, or a word that no noun phrase after "her" begins with ("asks her about").
    Possessive: "own" follows, "her" opens the sentence, or it stands after a preposition and before a noun that is
    neither verb nor adverb ("with her career"). "Saw her duck" stays open.
    """
    if not follows(prompt, found, place + 1):
        return "him" if _stops(prompt, found, place) else _unclear(prompt, found, place)
    following = found[place + 1]
    if following.is_part:
        return _unclear(prompt, found, place)
    if following.key == "own":
        return "his"
    if following.key in known.sets["after_object"]:
        return "him"
    if opens_sentence(prompt, found[place].start) or _owns(prompt, found, place, known):
        return "his"
    return _unclear(prompt, found, place)


def form_of_his(prompt: str, found: Sequence[Word], place: int, known: GenderVocabulary) -> str | Unsafe:
    """Return ``"her"`` or ``"hers"`` for the "his" at `place`.

    Notes
    -----
    Alone, as in "a friend of his": a stop or the end follows, or a word that begins no noun. Unclear: words such as
    "alone" and "first", and "and".
    """
    if not follows(prompt, found, place + 1):
        return "hers" if _stops(prompt, found, place) else _unclear(prompt, found, place)
    following = found[place + 1].key
    if following in known.sets["after_his_alone"]:
        return "hers"
    looks_like_adverb = following.endswith("ly") and following not in known.sets["not_adverbs"]
    if looks_like_adverb or following in known.sets["after_his_unclear"]:
        return _unclear(prompt, found, place)
    return "her"


def _owns(prompt: str, found: Sequence[Word], place: int, known: GenderVocabulary) -> bool:
    after_preposition = follows(prompt, found, place) and found[place - 1].key in known.sets["prepositions"]
    return after_preposition and found[place + 1].key in known.sets["owned"]


def _stops(prompt: str, found: Sequence[Word], place: int) -> bool:
    rest = between(prompt, found, place + 1)
    return not rest.strip() or rest[0] in _STOPS


def _unclear(prompt: str, found: Sequence[Word], place: int) -> Unsafe:
    around = prompt[max(0, found[place].start - 15) : found[place].end + 15].strip()
    return Unsafe(
        reason=f"what this word becomes in {around!r} is not certain; write the variants out, or use a slot",
        word=found[place].text,
    )
