"""What the models of a provider accept, by family: data, looked up by name, with the day it was looked up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from typing import Any, Literal

import yaml

from evenhand.core.types import GenerationConfig
from evenhand.errors import CapabilityError

Thinking = Literal["never", "off", "on", "always"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Models that accept the same parameters.

    Attributes
    ----------
    provider
        As in ``provider/model``.
    models
        Patterns, as for file names.
    takes
        Fields of `GenerationConfig` that are honoured.
    as_of, source
        When and where this was looked up.
    takes_without_reasoning
        Fields that are honoured besides while reasoning is off.
    takes_in_api
        API version to fields that are honoured besides in it.
    never_together
        Fields of which the API takes one and not several.
    thinking
        Whether a model of the family thinks before it answers unless the request says otherwise.
    thinking_off, thinking_on
        The word that turns thinking off or on; None if nothing does.
    refused
        Why models of this family cannot be asked at all; empty if they can.
    note
        What a user should know.
    """

    provider: str
    models: Sequence[str]
    takes: Sequence[str]
    as_of: str
    source: str
    takes_without_reasoning: Sequence[str] = ()
    takes_in_api: Mapping[str, Sequence[str]] = field(default_factory=dict)
    never_together: Sequence[str] = ()
    thinking: Thinking = "never"
    thinking_off: str | None = None
    thinking_on: str | None = None
    refused: str = ""
    note: str = ""

    def check(self, config: GenerationConfig, name: str) -> None:
        """Refuse parameters that exclude each other.

        Raises
        ------
        CapabilityError
            Naming them.
        """
        given = [parameter for parameter in self.never_together if getattr(config, parameter) is not None]
        if len(given) > 1:
            raise CapabilityError(f"{name} takes only one of {' and '.join(given)}; leave the others unset")


def family_of(provider: str, model: str) -> Family:
    """Return the family of a model; every provider in the table ends with one for models that are not known.

    Examples
    --------
    >>> from evenhand.adapters.families import family_of
    >>> sorted(family_of("openai", "gpt-5-mini").takes)
    ['max_tokens', 'system']
    """
    fitting = (f for f in families(provider) if any(fnmatchcase(model, pattern) for pattern in f.models))
    return next(fitting)


@cache
def families(provider: str) -> Sequence[Family]:
    """Return the families of a provider, in the order in which they are tried."""
    file = resources.files("evenhand.adapters") / "data" / "families.yaml"
    entries = yaml.safe_load(file.read_text("utf-8"))["families"]
    return tuple(_family(entry) for entry in entries if entry["provider"] == provider)


def _family(entry: Mapping[str, Any]) -> Family:
    return Family(**{**entry, "as_of": str(entry["as_of"])})
