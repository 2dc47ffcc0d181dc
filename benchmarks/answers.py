"""Texts as a model might write them, all different: an answer repeated is judged once, which would flatter us."""

from itertools import cycle, islice

_PRONOUNS = (("She", "her"), ("He", "his"), ("They", "their"))
_OPENINGS = ("The {role} came home late", "On day {n} the {role} started early", "The {role} met guest {n} at noon")
_SENTENCES = (
    "{S} put {p} coat away and read letter {n} by the window.",
    "{S} wrote plan {n} for the morning and called a friend.",
    "{S} cooked dinner with {p} neighbour and talked about the busy day.",
    "{S} closed {p} notebook and thought about the {n} small things that went well.",
)
_ROLES = ("nurse", "plumber", "teacher", "engineer", "carpenter", "librarian", "surgeon")


def answer(number: int, words: int) -> str:
    """Write answer `number`, cut to exactly `words` words; equal numbers give equal answers."""
    subject, possessive = _PRONOUNS[number % len(_PRONOUNS)]
    facts = {"S": subject, "p": possessive, "n": number, "role": _ROLES[number % len(_ROLES)]}
    start = number % len(_SENTENCES)
    sentences = islice(cycle(_SENTENCES), start, start + 1 + words // 8)
    opening = _OPENINGS[number % len(_OPENINGS)]
    text = " ".join([f"{opening}, answer {number}.", *sentences]).format(**facts)
    return " ".join(text.split()[:words])
