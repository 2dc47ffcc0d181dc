"""Named services that speak chat completions: Together, Groq, Mistral, Ollama. Data, not code."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, ClassVar, Self

import yaml

from evenhand.adapters.addresses import belongs_to
from evenhand.adapters.openai_compatible import OPTIONS, OpenAICompatibleAdapter
from evenhand.adapters.options import read_options


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """Where a service is and what it calls things.

    Attributes
    ----------
    name
        What stands before the slash.
    base_url
        Address of the API.
    key_variable, key_domain
        The variable with the key, and the domain that it is sent to.
    example
        A model as one would write it.
    as_of, source
        When and where this was looked up.
    needs_key
        False if the service answers without one.
    max_tokens_field, seed_field
        Its names for the limit of the answer and for the seed.
    note
        What a user should know.
    """

    name: str
    base_url: str
    key_variable: str
    key_domain: str
    example: str
    as_of: str
    source: str
    needs_key: bool = True
    max_tokens_field: str = "max_tokens"
    seed_field: str = "seed"
    note: str = ""


@cache
def presets() -> Mapping[str, Preset]:
    """Return the services by name."""
    file = resources.files("evenhand.adapters") / "data" / "presets.yaml"
    entries: Sequence[Mapping[str, Any]] = yaml.safe_load(file.read_text("utf-8"))["presets"]
    return {entry["name"]: Preset(**{**entry, "as_of": str(entry["as_of"])}) for entry in entries}


class PresetAdapter(OpenAICompatibleAdapter):
    """A model of a named service. A class of a service says its name."""

    preset: ClassVar[str]

    @classmethod
    def from_spec(cls, model: str, options: Mapping[str, Any]) -> Self:
        """Make the adapter for ``SERVICE/MODEL``.

        Parameters
        ----------
        options
            api_key, base_url, max_tokens_field, reasoning_effort, timeout_s. Without `api_key` the key is taken from
            the service's own variable, and sent to the service's own domain only.
        """
        known = presets()[cls.preset]
        given = {"max_tokens_field": known.max_tokens_field, **read_options(known.name, options, OPTIONS)}
        base_url = given.pop("base_url", known.base_url)
        key = given.pop("api_key", None)
        if key is None and belongs_to(base_url, known.key_domain):
            key = os.environ.get(known.key_variable)
        return cls(
            model,
            base_url=base_url,
            api_key=key,
            provider=known.name,
            key_variable=known.key_variable,
            needs_key=known.needs_key and belongs_to(base_url, known.key_domain),
            seed_field=known.seed_field,
            **given,
        )


class TogetherAdapter(PresetAdapter):
    """``together/MODEL``."""

    preset = "together"


class GroqAdapter(PresetAdapter):
    """``groq/MODEL``."""

    preset = "groq"


class MistralAdapter(PresetAdapter):
    """``mistral/MODEL``."""

    preset = "mistral"


class OllamaAdapter(PresetAdapter):
    """``ollama/MODEL``, on this machine."""

    preset = "ollama"
