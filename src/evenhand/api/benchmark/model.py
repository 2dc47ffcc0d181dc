"""``model_under_test`` to an adapter; what the adapter refuses is said with the field that it concerns."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path

from evenhand.adapters.base import ModelAdapter, check_config
from evenhand.adapters.redaction import redact
from evenhand.adapters.registry import open_adapter
from evenhand.api.benchmark.places import STAYS_INSIDE, leaves_folder
from evenhand.core.benchmark import ModelUnderTest
from evenhand.core.types import GenerationConfig
from evenhand.errors import CapabilityError, UsageError
from evenhand.scenarios.document import Path as Field
from evenhand.scenarios.document import Problem

_SECTION = "model_under_test"
# providers whose models may be files, and how those end; files are looked for beside the spec
_FILE_ENDINGS = {"local": (".gguf",), "simulated": (".yaml", ".yml")}


def generation_config(model: ModelUnderTest) -> GenerationConfig:
    """Return how to sample."""
    return GenerationConfig(
        max_tokens=model.max_tokens, temperature=model.temperature, top_p=model.top_p, system=model.system
    )


def open_model(model: ModelUnderTest, folder: Path) -> ModelAdapter:
    """Make the adapter. Nothing is sent yet.

    Raises
    ------
    UsageError
        If the provider refuses the model or an option, or a part of it is not installed.
    SpecError
        If a file that describes the model does not say what it must.
    """
    own = {"api_key": model.api_key, "base_url": model.base_url}
    options = {**model.options, **{name: value for name, value in own.items() if value is not None}}
    return open_adapter(f"{model.provider}/{_located(model, folder)}", options)


def model_file_problem(model: ModelUnderTest) -> Problem | None:
    """Say that a description of a model lies outside the spec's folder. Weights are large and may lie anywhere."""
    if model.provider == "simulated" and _is_file(model) and leaves_folder(model.model):
        return Problem(path=(_SECTION, "model"), text=STAYS_INSIDE, value=model.model)
    return None


def refusal(error: UsageError, model: ModelUnderTest, secrets: Sequence[str]) -> Problem:
    """Say what the provider refused, with the field that its words are about and without any secret."""
    said = redact(str(error), secrets).rstrip(".")
    own = [name for name in ("api_key", "base_url") if getattr(model, name) is not None]
    places: list[Field] = [(_SECTION, "options", name) for name in model.options]
    places += [(_SECTION, name) for name in own]
    place = next((place for place in places if re.search(rf"\b{re.escape(str(place[-1]))}\b", said)), None)
    return Problem(path=place or (_SECTION, "model"), text=said)


def capability_problems(adapter: ModelAdapter, model: ModelUnderTest) -> Iterator[Problem]:
    """Yield each parameter that is set and that the model would not honour."""
    config = generation_config(model)
    for name in (field.name for field in fields(GenerationConfig)):
        value = getattr(config, name)
        if value is None:
            continue
        try:
            check_config(adapter, GenerationConfig(**{"max_tokens": None, name: value}))
        except CapabilityError as error:
            hint = "; write max_tokens: null" if name == "max_tokens" else ""
            yield Problem(path=(_SECTION, name), text=f"{str(error).rstrip('.')}{hint}")


def _located(model: ModelUnderTest, folder: Path) -> str:
    if not _is_file(model):
        return model.model
    # expanded here: joined to a folder, a home directory would no longer be recognised
    return str(folder / Path(model.model).expanduser())


def _is_file(model: ModelUnderTest) -> bool:
    return model.model.endswith(_FILE_ENDINGS.get(model.provider, ()))
