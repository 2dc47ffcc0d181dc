"""The sentences of the calibration: one group named at a time, in words that say nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evenhand.evaluation.data_files import fingerprint, read_data

FILE = "calibration.yaml"

NONE = "none"
"""The attribute, and the group, of the sentences that name nobody's."""

PRONOUN = "pronoun"
"""The attribute of the sentences that refer to somebody by a pronoun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The sentences that name one group by one word.

    Attributes
    ----------
    attribute, group
        As in the vocabulary; ``"none"`` and ``"none"`` for the same sentences without a group, ``"pronoun"`` and the
        pronoun for those that refer to somebody.
    word
        What stands for the group; empty where none is named.
    texts
        Every sentence with this word.
    """

    attribute: str
    group: str
    word: str
    texts: Sequence[str]


def sentences() -> tuple[Named, ...]:
    """Write every sentence out: first without a group, then word by word, then by pronoun."""
    data = read_data(FILE)
    plain = Named(attribute=NONE, group=NONE, word="", texts=tuple(without for without, _ in data["described"]))
    return (plain, *_described(data), *_referred(data))


def sentences_version() -> str:
    """Changes whenever a sentence does; belongs beside every number measured on them."""
    return f"1+{fingerprint(FILE)}"


def _described(data: Mapping[str, Any]) -> Iterator[Named]:
    for attribute, groups in data["groups"].items():
        for group, words in groups.items():
            for word in words:
                slots = {"group": word, "a_group": _with_article(word)}
                texts = tuple(template.format(**slots) for _, template in data["described"])
                yield Named(attribute=attribute, group=group, word=word, texts=texts)


def _referred(data: Mapping[str, Any]) -> Iterator[Named]:
    for pronoun, forms in data["pronouns"].items():
        texts = tuple(template.format(**forms, They=forms["they"].capitalize()) for template in data["referred"])
        yield Named(attribute=PRONOUN, group=pronoun, word=pronoun, texts=texts)


def _with_article(word: str) -> str:
    return f"{'an' if word[0].lower() in 'aeiou' else 'a'} {word}"
