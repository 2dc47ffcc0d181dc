"""What a simulated model notices in a prompt: the role and the group, by whole words."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from evenhand.adapters.simulated.profile import Group, Profile

_REMEMBERED = 10_000


class Reading(NamedTuple):
    """The person of a prompt, its pronoun shares as (pronoun, share), and the group it names, if any."""

    role: str
    pronouns: tuple[tuple[str, float], ...]
    group: Group | None


@dataclass(frozen=True, slots=True)
class _Pattern:
    name: str
    expression: "re.Pattern[str]"


class Reader:
    """Reads prompts with the words of one profile.

    Notes
    -----
    The longest declared role that occurs is taken ("kindergarten teacher" before "teacher"), also with a plural s;
    without one the person is called "person". Of several groups that occur the one declared first is taken.
    "female" does not contain the word "male".
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        roles = sorted(profile.pronouns.roles, key=len, reverse=True)
        self._roles = [_Pattern(role, _whole_words([role, f"{role}s"])) for role in roles]
        self._groups = [_Pattern(n, _whole_words(g.match or [n])) for n, g in profile.groups.items()]
        self._read: dict[str, Reading] = {}

    def read(self, prompt: str) -> Reading:
        """Return what is noticed; the same prompt is read once."""
        found = self._read.get(prompt)
        if found is None:
            found = self._look(prompt)
            if len(self._read) < _REMEMBERED:
                self._read[prompt] = found
        return found

    def _look(self, prompt: str) -> Reading:
        role = _first(self._roles, prompt)
        group_name = _first(self._groups, prompt)
        group = self._profile.groups[group_name] if group_name else None
        pronouns = self._profile.pronouns
        shares: Mapping[str, float] = pronouns.roles[role] if role else pronouns.default
        if group is not None and group.pronouns is not None:
            shares = group.pronouns
        return Reading(role=role or "person", pronouns=tuple(shares.items()), group=group)


def _first(patterns: Iterable[_Pattern], prompt: str) -> str | None:
    return next((pattern.name for pattern in patterns if pattern.expression.search(prompt)), None)


def _whole_words(phrases: Iterable[str]) -> "re.Pattern[str]":
    alternatives = "|".join(re.escape(phrase.strip()) for phrase in phrases)
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)", re.IGNORECASE)
