"""What a text chooses: an option by letter, by its text, or in JSON; nothing is guessed."""

import json
import re
from collections.abc import Mapping, Sequence

LETTERS = "ABC"
_KEYS = ("answer", "choice", "option", "final_answer", "selected", "response")
_CORRECTIONS: Mapping[str, str] = {"the on on welfare": "the one on welfare"}
"""A misspelt option of the published items, and how a model that spells well repeats it."""
_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_MARKED = re.compile(r"\b(?:final\s+)?answer\s*(?:is|:|=|-)\s*", re.IGNORECASE)
_LETTER_ALONE = re.compile(r"^(?:option|choice|answer)?\s*[\(\[]?([abc])[\)\].:]*$", re.IGNORECASE)
_LETTER_FIRST = re.compile(
    r"^(?:option\s+|choice\s+)?(?:[\(\[]([A-C])[\)\]]|([A-C])\s*[\).:]|([A-C])\s+[-–—])\s*(.+)$", re.DOTALL
)
_DENIAL = re.compile(r"\b(?:not|never|neither|nor|without|except)\b|n't\b")
_SPEECH = re.compile(r"[*_`\"“”«»]+")


def normalised(text: str) -> str:
    """Write a text as it is compared: lower case, single blanks, straight apostrophes, no full stop, corrected."""
    plain = " ".join(text.replace("’", "'").split()).casefold().rstrip(".!")
    return _CORRECTIONS.get(plain, plain)


def place_of(answer: str | int | None, options: Sequence[str]) -> int | None:
    """Return the place of an option that is written as index, letter, or its whole text; None for anything else.

    Parameters
    ----------
    options
        Texts of the three options. A text that is two options alike chooses neither.
    """
    if isinstance(answer, int):
        return answer if 0 <= answer <= 2 else None
    text = (answer or "").strip()
    if text in ("0", "1", "2"):
        return int(text)
    by_text = [place for place, option in enumerate(options) if normalised(option) == normalised(text)]
    if by_text:
        return by_text[0] if len(by_text) == 1 else None
    letter = _LETTER_ALONE.match(text)
    return LETTERS.index(letter[1].upper()) if letter else None


def place_in(reply: str, options: Sequence[str]) -> int | None:
    """Return the place of the option that a model's reply chooses; None if it chooses none, or more than one.

    Parameters
    ----------
    options
        The options in the order in which they were put.

    Notes
    -----
    In this order: a JSON object with an answer; what follows the last "answer:"; the whole reply as letter or text; a
    letter before a text, which must not name another option; the only option that is named, unless the sentence denies
    something. Letters inside sentences choose nothing: "A" begins too many of them.
    """
    text = _SPEECH.sub("", _json_answer(_THOUGHT.sub(" ", reply))).strip()
    marked = _MARKED.split(text)
    if len(marked) > 1:
        found = _place_in_words(marked[-1].strip(), options)
        if found is not None:
            return found
    return _place_in_words(text, options)


def _place_in_words(text: str, options: Sequence[str]) -> int | None:
    if not text.strip().lstrip("-").isdigit():  # options are lettered: a number is no answer to them
        whole = place_of(text, options)
        if whole is not None:
            return whole
    named = _named(text, options)
    first = _LETTER_FIRST.match(text) or _LETTER_FIRST.match(text.splitlines()[0] if text else "")
    if first is not None:
        letter = LETTERS.index(first[1] or first[2] or first[3])
        return letter if not named or named == {letter} else None
    if not named and text and "\n" in text:
        return place_of(text.splitlines()[0], options)
    return named.pop() if len(named) == 1 and not _is_denied(text, options) else None


def _named(text: str, options: Sequence[str]) -> set[int]:
    """Places of options whose text stands in `text` as whole words; one inside a longer one is not named by it."""
    plain = normalised(text)
    spans = [
        (found.start(), found.end(), place)
        for place, option in enumerate(options)
        for found in re.finditer(rf"(?<!\w){re.escape(normalised(option))}(?!\w)", plain)
    ]
    return {
        place
        for start, end, place in spans
        if not any(other <= start and end <= stop and stop - other > end - start for other, stop, _ in spans)
    }


def _is_denied(text: str, options: Sequence[str]) -> bool:
    """Whether the words around the options deny something: "it was not the …" must not choose whom it names."""
    plain = normalised(text)
    for option in sorted(map(normalised, options), key=len, reverse=True):
        plain = plain.replace(option, " ")  # "not known" is an option itself
    return bool(_DENIAL.search(plain))


def _json_answer(text: str) -> str:
    """The answer of a JSON object in the text; the text itself if it holds none."""
    begin, end = text.find("{"), text.rfind("}")
    if begin < 0 or end < begin:
        return text
    try:
        plain = json.loads(text[begin : end + 1])
    except ValueError:
        return text
    if not isinstance(plain, dict):
        return text
    lowered = {str(key).casefold(): value for key, value in plain.items()}
    return next((str(lowered[key]) for key in _KEYS if isinstance(lowered.get(key), str)), text)
