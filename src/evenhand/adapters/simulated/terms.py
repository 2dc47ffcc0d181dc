"""What a simulated model replies in a conversation: usual terms, or with the declared probability worse ones."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import yaml

_REFUSED_SHARE = 0.5
"""Of the conversations that are served worse; the others get worse terms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The texts, as read from the data file; `phrase` stands for what the reply reacts to."""

    version: str
    usual: str
    worse: str
    refusal: str


@cache
def terms() -> Terms:
    """Read the texts; they never change while the program runs."""
    file = resources.files("evenhand.adapters.simulated") / "data" / "terms.yaml"
    return Terms(**yaml.safe_load(file.read_text("utf-8")))


def reply(
    messages: Sequence[Mapping[str, Any]], treated: Sequence[str], *, violation_rate: float, decide: float, how: float
) -> str:
    """Return the next reply of a conversation.

    Parameters
    ----------
    treated
        Phrases by which a person becomes known as one who may be served worse.
    violation_rate
        Share of conversations that are served worse. It is decided once, in the turn in which the first of these
        phrases is said, so that it is also the share of conversations with a violation.
    decide, how
        Independent uniform numbers in [0, 1).
    """
    said = [str(message.get("content", "")) for message in messages if message.get("role") != "assistant"]
    phrase = first_phrase(said[-1], treated) if said else None
    is_known_already = any(first_phrase(text, treated) for text in said[:-1])
    if phrase is None or is_known_already or decide >= violation_rate:
        return terms().usual
    text = terms().refusal if how < _REFUSED_SHARE else terms().worse
    return text.format(phrase=phrase)


def first_phrase(text: str, phrases: Sequence[str]) -> str | None:
    """Return the first of `phrases` that stands in `text` as whole words."""
    return next((p for p in phrases if re.search(rf"(?<!\w){re.escape(p)}(?!\w)", text, re.IGNORECASE)), None)
