"""Word lists for generated variants: the shipped ones, and those of a scenario file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

from evenhand.scenarios.schema import ListModel

FILES = ("describing_words.yaml", "names_bertrand_mullainathan_2004.yaml")
GENDER_WORDS = "gender_words"


@dataclass(frozen=True, slots=True, kw_only=True)
class WordList:
    """What a variant says instead, by the value that it is changed to.

    Attributes
    ----------
    use
        ``"before"``: describing words; ``"slot"``: fillings of a slot.
    values
        Value to one word or phrase, or several that scenarios take in turn.
    is_perceived
        True if the words are only associated with the value, as first names are.
    source, year
        Who says that the words go with the values; empty where the words say it themselves.
    """

    name: str
    attribute: str
    use: str
    values: Mapping[str, tuple[str, ...]]
    is_perceived: bool = False
    source: str = ""
    year: str = ""


@cache
def shipped_lists() -> Mapping[str, WordList]:
    """Read the lists that ship, by name."""
    return {name: of_model(name, ListModel.model_validate(plain)) for name, plain in _entries()}


def of_model(name: str, model: ListModel) -> WordList:
    """Make a list of its checked form."""
    return WordList(
        name=name,
        attribute=model.attribute,
        use=model.use,
        values={value: tuple(words) for value, words in model.values.items()},
        is_perceived=model.perceived,
        source=model.source or "",
        year=model.year or "",
    )


def _entries() -> Iterator[tuple[str, object]]:
    for name in FILES:
        text = (files("evenhand.scenarios") / "lists" / name).read_text(encoding="utf-8")
        yield from yaml.safe_load(text).items()
