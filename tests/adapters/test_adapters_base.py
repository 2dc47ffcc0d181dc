"""The base classes: little to write, and nothing dropped in silence."""

import ast
from typing import Any

import pytest

from evenhand.adapters.base import ModelAdapter, check_config, default_config
from evenhand.adapters.image.base import ImageModelAdapter
from evenhand.adapters.registry import known_models, open_adapter, registry
from evenhand.core.image_types import GeneratedImage
from evenhand.core.protocols import Adapter, Capabilities
from evenhand.core.types import GeneratedOutput, GenerationConfig, ModelInfo
from evenhand.errors import CapabilityError, UnknownNameError, UsageError


class MyAdapter(ModelAdapter):
    async def generate(self, prompt, config=None) -> GeneratedOutput: ...
    def get_model_info(self) -> ModelInfo: ...
    @property
    def name(self) -> str: return "my-model"  # fmt: skip


class MyImageAdapter(ImageModelAdapter):
    async def generate(self, prompt, config=None) -> GeneratedImage: ...
    def get_model_info(self) -> ModelInfo: ...
    @property
    def name(self) -> str: return "my-image-model"  # fmt: skip


class Choosy(MyAdapter):
    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(parameters=frozenset({"max_tokens", "seed"}))


async def test_three_members_make_an_adapter() -> None:
    """The published extension snippets work as they stand, without arguments, and close."""
    async with MyAdapter() as text, MyImageAdapter() as image:
        assert isinstance(text, Adapter)
        assert (text.name, image.name) == ("my-model", "my-image-model")
        assert text.capabilities == Capabilities()
        await text.aclose()
        await text.aclose()


async def test_an_undeclared_ability_is_an_error_that_names_the_adapter() -> None:
    """Conversations and likelihoods are refused, not approximated."""
    with pytest.raises(CapabilityError, match="my-model"):
        await MyAdapter().converse([{"role": "user", "content": "Hello"}])
    with pytest.raises(CapabilityError, match="my-model"):
        await MyAdapter().score_options([{"role": "user", "content": "Hello"}], ["a", "b"])


def test_parameters_that_would_be_dropped_are_refused_by_name() -> None:
    """Every field that is set and not honoured is named; those that are None are not."""
    with pytest.raises(CapabilityError, match=r"my-model does not take temperature, system; leave it unset"):
        check_config(Choosy(), GenerationConfig(temperature=0.0, system="Be brief.", seed=1))
    check_config(Choosy(), GenerationConfig(seed=1))
    check_config(MyAdapter(), GenerationConfig(temperature=0.0, top_p=0.9, system="", seed=0))


class Bare(MyAdapter):
    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(parameters=frozenset())


def test_what_nobody_chose_is_not_refused() -> None:
    """Our own limit of the answer is left out where an adapter takes none."""
    assert default_config(MyAdapter()) == GenerationConfig()
    check_config(Bare(), default_config(Bare()))


@pytest.mark.parametrize("model", ["", "fair", "/fair", "simulated/", "local"])
def test_a_model_without_provider_or_name_is_told_the_form(model: str) -> None:
    """The message shows how a model is written."""
    with pytest.raises(UsageError, match="provider/name"):
        open_adapter(model)


def test_an_unknown_provider_gets_the_nearest_names() -> None:
    """A typing error is answered with what was meant."""
    with pytest.raises(UnknownNameError, match="'simulated'"):
        open_adapter("simulatd/fair")


@pytest.mark.parametrize(
    ("model", "options"),
    [
        ("openai-compatible/m", {"base_url": "http://localhost/v1", "slots": 2}),
        ("openai-compatible/m", {"base_url": "localhost:8080"}),
        ("openai-compatible/m", {"base_url": "http://localhost/v1", "timeout_s": "soon"}),
        ("openai-compatible/m", {"base_url": "http://localhost/v1", "max_tokens_field": "limit"}),
        ("openai-compatible/m", {}),
        ("simulated/fair", {"temperature": "1"}),
        ("local/smollm2-135m", {"slots": "0"}),
        ("local/smollm2-135m", {"slots": "two"}),
        ("local/smollm2-135m", {"temperature": "1"}),
    ],
)
def test_an_option_that_does_not_fit_is_a_usage_error(
    model: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unknown options and values out of range are refused before anything is asked."""
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(UsageError):
        open_adapter(model, options)


def test_every_provider_is_listed() -> None:
    """The listing and the registry know the same providers, and each example has the form that is accepted."""
    rows = known_models()
    assert {row.provider for row in rows} == set(registry().names())
    assert all(row.example.startswith(f"{row.provider}/") and row.needs for row in rows)


def test_opening_a_model_imports_no_heavy_package() -> None:
    """The openai SDK takes a second to import and is not needed to name a model."""
    import subprocess
    import sys

    code = (
        "import sys; from evenhand.adapters.registry import capability_rows, known_models, open_adapter; "
        "known_models(); "
        "open_adapter('openai-compatible/m', {'base_url': 'http://localhost/v1'}); open_adapter('simulated/fair'); "
        "open_adapter('anthropic/claude-haiku-5-5', {'api_key': 'k'}); open_adapter('groq/m', {'api_key': 'k'}); "
        "open_adapter('http-webhook/m', {'url': 'http://localhost', 'body': '{\"q\": \"{{prompt}}\"}', "
        "'response_path': 'a'}); capability_rows(); "
        "print([m for m in ('openai', 'anthropic', 'httpx2', 'xllamacpp', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ast.literal_eval(done.stdout) == []
