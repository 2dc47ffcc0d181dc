"""How a model of each built-in provider is written, and what it needs."""

from collections.abc import Sequence

from evenhand.adapters.listing_rows import KnownModel
from evenhand.adapters.presets import Preset, presets

_WRITTEN = (
    KnownModel(
        provider="local",
        example="local/smollm2-135m",
        needs="pip install 'evenhand[local]' and evenhand models pull smollm2-135m; no key, no network",
    ),
    KnownModel(
        provider="local", example="local/PATH.gguf", needs="pip install 'evenhand[local]' and a GGUF file of your own"
    ),
    KnownModel(provider="simulated", example="simulated/skewed", needs="nothing: declared biases, no model"),
    KnownModel(provider="simulated", example="simulated/PATH.yaml", needs="a file that declares the biases"),
    KnownModel(provider="anthropic", example="anthropic/claude-haiku-5-5", needs="ANTHROPIC_API_KEY"),
    KnownModel(provider="openai", example="openai/gpt-6-luna", needs="OPENAI_API_KEY"),
)
_ANYWHERE = (
    KnownModel(
        provider="openai-compatible",
        example="openai-compatible/MODEL",
        needs="--base-url; EVENHAND_API_KEY, or OPENAI_API_KEY for api.openai.com; a local server needs no key",
    ),
    KnownModel(
        provider="http-webhook",
        example="http-webhook/NAME",
        needs="the options url, body and response_path; keys by ${VARIABLE} in headers",
    ),
)


def model_rows() -> Sequence[KnownModel]:
    """List the built-in providers: what runs here first, then the hosted ones, then those with an address."""
    return (*_WRITTEN, *map(_of_preset, presets().values()), *_ANYWHERE)


def _of_preset(preset: Preset) -> KnownModel:
    needs = preset.key_variable if preset.needs_key else f"the server at {preset.base_url}; no key"
    return KnownModel(provider=preset.name, example=preset.example, needs=needs)
