"""One place in a text that signals something about a person."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["pronoun", "declared pronouns", "title", "kinship", "description", "name", "they"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """One signal.

    Attributes
    ----------
    kind
        How trustworthy it is, see `evenhand.evaluation.people`.
    attribute, label
        What it says; label None for singular or plural "they".
    at
        The word it begins at.
    text
        The words themselves.
    form
        Form of a pronoun.
    person
        What tells persons apart: the names of a titled or named person, the kinship word; empty otherwise.
    owner
        For kinship the possessive before it ("her", "Maria's"); empty if it is nobody's.
    """

    kind: Kind
    attribute: str
    label: str | None
    at: int
    text: str
    form: str = ""
    person: tuple[str, ...] = ()
    owner: str = ""
