"""Function words that the rules for slots and describing words look at."""

from functools import cache
from importlib.resources import files

import yaml


@cache
def function_words(kind: str) -> frozenset[str]:
    """Return one list of ``lists/grammar.yaml``, in lower case."""
    text = (files("evenhand.scenarios") / "lists" / "grammar.yaml").read_text(encoding="utf-8")
    return frozenset(yaml.safe_load(text)[kind])
