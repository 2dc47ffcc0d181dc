"""Typography away, meaning kept: what every rule-based evaluator does to a text before it reads it."""

import re

# one character for one character, so that positions in the text stay valid
_TYPOGRAPHY = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "ʼ": "'",
        "`": "'",
        "´": "'",
        "′": "'",
        "＇": "'",
        "“": '"',
        "”": '"',
        "„": '"',
        "«": '"',
        "»": '"',
        "‐": "-",
        "‑": "-",
        "\u00a0": " ",
        "\u202f": " ",
    }
)
_CONTRACTIONS = (
    (re.compile(r"\bcan(?:'t|\s+not)\b"), "cannot"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\bshan't\b"), "shall not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\bi'm\b"), "i am"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"'d\b"), " would"),
    (re.compile(r"\b(it|that|this|there|here|what)'s\b"), r"\1 is"),
)


def straighten(text: str) -> str:
    """Replace typographic quotes, apostrophes, hyphens and spaces by plain ones; the length stays the same."""
    return text.translate(_TYPOGRAPHY)


def write_out(lowered: str) -> str:
    """Write contractions out: "i can't" becomes "i cannot". Expects lower case and straight apostrophes."""
    if "'" not in lowered and "can not" not in lowered:
        return lowered
    for pattern, replacement in _CONTRACTIONS:
        lowered = pattern.sub(replacement, lowered)
    return lowered
