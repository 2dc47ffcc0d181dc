"""Providers by name: ``provider/model`` to an adapter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evenhand._base.registry import Registry
from evenhand.adapters.base import ModelAdapter
from evenhand.errors import UsageError

GROUP = "evenhand.adapters"

BUILTIN: Mapping[str, str] = {
    "local": "evenhand.adapters.local:LocalAdapter",
    "openai-compatible": "evenhand.adapters.openai_compatible:OpenAICompatibleAdapter",
    "simulated": "evenhand.adapters.simulated.adapter:SimulatedAdapter",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownModel:
    """One line of a listing: the provider, a model of it as one would write it, and what it needs."""

    provider: str
    example: str
    needs: str


_LISTING = (
    KnownModel(
        provider="local",
        example="local/smollm2-135m",
        needs="pip install 'evenhand[local]' and evenhand models pull smollm2-135m; no key, no network",
    ),
    KnownModel(
        provider="local", example="local/PATH.gguf", needs="pip install 'evenhand[local]' and a GGUF file of your own"
    ),
    KnownModel(
        provider="openai-compatible",
        example="openai-compatible/MODEL",
        needs="--base-url; EVENHAND_API_KEY, or OPENAI_API_KEY for api.openai.com; a local server needs no key",
    ),
    KnownModel(provider="simulated", example="simulated/skewed", needs="nothing: declared biases, no model"),
    KnownModel(provider="simulated", example="simulated/PATH.yaml", needs="a file that declares the biases"),
)


def registry() -> Registry[type[ModelAdapter]]:
    """Return the providers: ours, and those of installed packages."""
    return Registry[type[ModelAdapter]]("model provider", BUILTIN, GROUP)


def open_adapter(model: str, options: Mapping[str, Any] | None = None) -> ModelAdapter:
    """Make the adapter for ``provider/model``. Nothing is sent or loaded yet.

    Parameters
    ----------
    model
        As on the command line: ``"local/smollm2-135m"``.
    options
        Settings of the provider, such as ``{"slots": 2}``.

    Raises
    ------
    UsageError
        If `model` does not have that form, or the provider refuses the model or an option.
    UnknownNameError
        If no provider has that name.
    MissingAssetError, MissingExtraError
        If a model file or package that it needs is not there.
    """
    provider, slash, rest = model.partition("/")
    if not slash or not provider or not rest:
        raise UsageError(
            f"a model is written provider/name, as in local/smollm2-135m or simulated/fair, not {model!r}. "
            f"Providers: {', '.join(registry().names())}."
        )
    return registry().get(provider).from_spec(rest, dict(options or {}))


def known_models() -> Sequence[KnownModel]:
    """List what a model can be written as, by provider; other packages' providers come last."""
    others = (
        KnownModel(provider=name, example=f"{name}/MODEL", needs="see the package that installed it")
        for name in registry().names()
        if name not in BUILTIN
    )
    return (*_LISTING, *others)
