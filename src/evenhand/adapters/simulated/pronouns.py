"""The pronouns that can be simulated, in all their forms."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Forms:
    """One pronoun: *she* came, saw *her*, brought *her* notes."""

    subject: str
    object: str
    possessive: str


FORMS: Mapping[str, Forms | None] = {
    "she": Forms(subject="she", object="her", possessive="her"),
    "he": Forms(subject="he", object="him", possessive="his"),
    "they": Forms(subject="they", object="them", possessive="their"),
    "xe": Forms(subject="xe", object="xem", possessive="xyr"),
    "ze": Forms(subject="ze", object="zir", possessive="zir"),
    "none": None,
}
"""``"none"`` is a text that speaks of the person without any pronoun."""
