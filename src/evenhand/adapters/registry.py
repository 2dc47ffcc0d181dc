"""Providers by name: ``provider/model`` to an adapter."""

from collections.abc import Mapping, Sequence
from typing import Any

from evenhand._base.registry import Registry
from evenhand.adapters.base import ModelAdapter
from evenhand.adapters.listing_rows import CapabilityRow, KnownModel
from evenhand.errors import UsageError

GROUP = "evenhand.adapters"

BUILTIN: Mapping[str, str] = {
    "anthropic": "evenhand.adapters.anthropic_adapter:AnthropicAdapter",
    "groq": "evenhand.adapters.presets:GroqAdapter",
    "http-webhook": "evenhand.adapters.webhook:HttpWebhookAdapter",
    "local": "evenhand.adapters.local:LocalAdapter",
    "mistral": "evenhand.adapters.presets:MistralAdapter",
    "ollama": "evenhand.adapters.presets:OllamaAdapter",
    "openai": "evenhand.adapters.openai_adapter:OpenAIAdapter",
    "openai-compatible": "evenhand.adapters.openai_compatible:OpenAICompatibleAdapter",
    "simulated": "evenhand.adapters.simulated.adapter:SimulatedAdapter",
    "together": "evenhand.adapters.presets:TogetherAdapter",
}


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
    from evenhand.adapters.listing import model_rows

    return (*model_rows(), *(_other(name) for name in _others()))


def capability_rows() -> Sequence[CapabilityRow]:
    """List what the models of each provider can do, one row per provider; other packages' providers come last.

    Notes
    -----
    Declared by the adapters themselves, or looked up per family of models with the day of the look-up. What the
    provider of another package can do is known once a model of it is opened: its row says so.
    """
    from evenhand.adapters.capability_table import builtin_rows

    return (*builtin_rows(), *(_unknown(name) for name in _others()))


def _others() -> Sequence[str]:
    return [name for name in registry().names() if name not in BUILTIN]


def _other(name: str) -> KnownModel:
    return KnownModel(provider=name, example=f"{name}/MODEL", needs="see the package that installed it")


def _unknown(name: str) -> CapabilityRow:
    return CapabilityRow(
        provider=name,
        converse=False,
        score_options=False,
        parameters=(),
        seeds="none",
        note="from another package, whose adapter says for each model what it can do",
    )
