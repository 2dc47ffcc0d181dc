"""Prompts with slots: "{person} asks for a loan" with what stands in each slot."""

import re
from collections.abc import Mapping

from evenhand.scenarios.articles import fit_article
from evenhand.scenarios.grammar import function_words
from evenhand.scenarios.words import Unsafe, opens_sentence, with_capital

_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


def slot_names(template: str) -> dict[str, int]:
    """Return the names of the slots and how often each stands in the template, in order of appearance."""
    names: dict[str, int] = {}
    for match in _PIECE.finditer(template):
        if match[1] is not None:
            names[match[1]] = names.get(match[1], 0) + 1
    return names


def stray_brace(template: str) -> str | None:
    """Return a brace that belongs to no slot, or None; a doubled brace is a brace in the text."""
    return next((match[0] for match in _PIECE.finditer(template) if match[0] in "{}"), None)


def fill(template: str, fillings: Mapping[str, str]) -> str | Unsafe:
    """Write the prompt.

    Parameters
    ----------
    template
        Text with slots in braces; ``{{`` and ``}}`` stand for braces.
    fillings
        Slot to words, for every slot.

    Returns
    -------
    str or Unsafe
        A filling that begins a sentence gets a capital, and an article before a slot is set to fit. Unsafe for an
        article before another determiner ("a the nurse"), a pronoun that needs another form of the verb, and "'s"
        behind a filling that ends in s.

    Examples
    --------
    >>> from evenhand.scenarios.slots import fill
    >>> fill("{person} asks a {role} for help.", {"person": "a neighbour", "role": "officer"})
    'A neighbour asks an officer for help.'
    """
    text = ""
    at = 0
    for match in _PIECE.finditer(template):
        text += template[at : match.start()]
        at = match.end()
        if match[1] is None:
            text += match[0][0]
            continue
        written = _written(text, fillings[match[1]], template[at : at + 2])
        if isinstance(written, Unsafe):
            return written
        text = written
    return text + template[at:]


def _written(before: str, filling: str, after: str) -> str | Unsafe:
    first = filling.split()[0].lower()
    if first in function_words("other_verb_form") and " " not in filling:
        return Unsafe(
            reason="the verbs around this pronoun would need another form; write the variants out", word=filling
        )
    if filling.endswith("s") and after in ("'s", "’s"):
        return Unsafe(reason="behind this word 's is not certain; word the prompt without it", word=filling)
    last, determiners = _last_word(before), function_words("determiners")
    if first in determiners and last in determiners:
        return Unsafe(
            reason=f"{last!r} stands before the slot and {first!r} begins the filling; leave one out", word=filling
        )
    opening = opens_sentence(before, len(before))
    fitted = fit_article(before, filling)
    return fitted if isinstance(fitted, Unsafe) else fitted + (with_capital(filling) if opening else filling)


def _last_word(text: str) -> str:
    found = re.search(r"([\w’']+) +$", text)
    return found[1].lower() if found else ""
