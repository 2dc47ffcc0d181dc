"""Named services: the right address, the right key, the right names."""

from typing import Any

import pytest

from evenhand.adapters.presets import presets
from evenhand.adapters.registry import BUILTIN, open_adapter
from evenhand.core.types import GenerationConfig
from evenhand.errors import UsageError

KEYED = [preset for preset in presets().values() if preset.needs_key]


@pytest.mark.parametrize("preset", presets().values(), ids=lambda preset: preset.name)
def test_a_preset_opens_with_its_own_address_and_key(preset: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the service's variable, and no other."""
    for other in ("OPENAI_API_KEY", "EVENHAND_API_KEY", *(p.key_variable for p in presets().values())):
        monkeypatch.setenv(other, f"key-in-{other}")
    adapter = open_adapter(preset.example)
    assert preset.name in BUILTIN
    assert adapter.name == preset.example
    assert adapter.secrets == ([f"key-in-{preset.key_variable}"] if preset.needs_key else [])
    info = adapter.get_model_info()
    assert (info.provider, info.details["base_url"]) == (preset.name, preset.base_url)


@pytest.mark.parametrize("preset", KEYED, ids=lambda preset: preset.name)
async def test_without_its_key_nothing_is_sent(preset: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the variable."""
    monkeypatch.delenv(preset.key_variable, raising=False)
    with pytest.raises(UsageError, match=f"{preset.name} needs a key: set {preset.key_variable}"):
        await open_adapter(preset.example).generate("Hello")


@pytest.mark.parametrize(
    ("model", "limit", "seed"),
    [
        ("together/m", "max_tokens", "seed"),
        ("groq/m", "max_completion_tokens", "seed"),
        ("mistral/m", "max_tokens", "random_seed"),
        ("ollama/m", "max_tokens", "seed"),
    ],
)
async def test_limit_and_seed_have_the_services_names(fake_server: Any, model: str, limit: str, seed: str) -> None:
    """A seed under another name would be ignored, and replicates would look reproducible."""
    async with open_adapter(model, {"base_url": fake_server.url, "api_key": "k"}) as adapter:
        await adapter.generate("Hello", GenerationConfig(max_tokens=9, seed=5))
    assert fake_server.bodies == [{"model": "m", "messages": [{"role": "user", "content": "Hello"}], limit: 9, seed: 5}]


async def test_a_key_of_a_service_stays_with_it(fake_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind another address it is not sent unless it is given for it."""
    monkeypatch.setenv("GROQ_API_KEY", "groq-key")
    async with open_adapter("groq/m", {"base_url": fake_server.url}) as adapter:
        await adapter.generate("Hello")
    assert "authorization" not in fake_server.headers[0]
