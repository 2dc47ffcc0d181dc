"""Listings of providers say what the adapters do, and other packages' providers are among them."""

import textwrap
from pathlib import Path
from typing import Any

import pytest

from evenhand.adapters.base import check_config
from evenhand.adapters.capability_table import family_rows
from evenhand.adapters.families import family_of
from evenhand.adapters.registry import BUILTIN, capability_rows, known_models, open_adapter, registry
from evenhand.core.types import GenerationConfig
from evenhand.errors import CapabilityError

OPENED = [row.example for row in known_models() if row.provider not in ("local", "openai-compatible", "http-webhook")]


def test_there_is_one_row_per_provider() -> None:
    """In no other order than by kind, and none is missing."""
    names = [row.provider for row in capability_rows()]
    assert sorted(names) == sorted(registry().names())


@pytest.mark.parametrize("model", [model for model in OPENED if not model.endswith("PATH.yaml")])
def test_a_row_says_what_the_adapter_of_the_listed_example_does(model: str) -> None:
    """Parameters of the row are taken, those of neither list are refused, conversations agree."""
    row = next(row for row in capability_rows() if row.provider == model.partition("/")[0])
    capabilities = open_adapter(model).capabilities
    assert set(row.parameters) <= capabilities.parameters <= {*row.parameters, *row.by_model}
    assert (row.converse, row.score_options) == (capabilities.converse, capabilities.score_options)


@pytest.mark.assets
@pytest.mark.local_model
def test_the_row_of_local_models_says_what_their_adapter_does() -> None:
    """It is written down twice, because the adapter cannot be made without a file."""
    row = next(row for row in capability_rows() if row.provider == "local")
    capabilities = open_adapter("local/smollm2-135m").capabilities
    assert set(row.parameters) == capabilities.parameters
    assert (row.converse, row.seeds) == (capabilities.converse, capabilities.seeds)


def test_a_row_names_the_variable_of_the_key() -> None:
    """Where one is needed, and only there."""
    keys = {row.provider: row.key_variables for row in capability_rows() if row.key_variables}
    assert keys == {
        "anthropic": ("ANTHROPIC_API_KEY",),
        "openai": ("OPENAI_API_KEY",),
        "together": ("TOGETHER_API_KEY",),
        "groq": ("GROQ_API_KEY",),
        "mistral": ("MISTRAL_API_KEY",),
    }


def test_every_family_is_dated_and_reached() -> None:
    """A pattern that an earlier one hides would never be used."""
    for row in family_rows():
        assert len(row.as_of) == 10
        assert row.source
        names = (pattern.replace("*", "") or "unheard-of" for pattern in row.models)
        assert any(family_of(row.provider, name).models == row.models for name in names), row.models


@pytest.fixture
def another_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package with an adapter: a module and its metadata on the path, as pip leaves them."""
    (tmp_path / "acme_models.py").write_text(
        textwrap.dedent(
            """
            from evenhand.adapters.base import ModelAdapter
            from evenhand.core.protocols import Capabilities
            from evenhand.core.types import GeneratedOutput, ModelInfo

            class AcmeAdapter(ModelAdapter):
                def __init__(self, model="", **options):
                    self.model, self.options = model, options
                @classmethod
                def from_spec(cls, model, options):
                    return cls(model, **options)
                @property
                def name(self):
                    return f"acme/{self.model}"
                @property
                def capabilities(self):
                    return Capabilities(parameters=frozenset({"seed"}))
                def get_model_info(self):
                    return ModelInfo(provider="acme", name=self.model)
                async def generate(self, prompt, config=None):
                    return GeneratedOutput.answer(f"{self.options['greeting']}, {prompt}")
            """
        ),
        encoding="utf-8",
    )
    metadata = tmp_path / "acme_models-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-models\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(
        "[evenhand.adapters]\nacme = acme_models:AcmeAdapter\nopenai = acme_models:AcmeAdapter\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("another_package")
async def test_an_installed_package_brings_its_own_adapter(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its entry point: opened, checked, asked and listed like ours; a built-in name stays ours."""
    adapter: Any = open_adapter("acme/big", {"greeting": "Hello"})
    assert (await adapter.generate("Ada")).text == "Hello, Ada"
    with pytest.raises(CapabilityError, match="acme/big does not take max_tokens, temperature"):
        check_config(adapter, GenerationConfig(temperature=1.0))
    assert [row.example for row in known_models()][-1] == "acme/MODEL"
    assert next(row for row in capability_rows() if row.provider == "acme").note
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    assert type(open_adapter("openai/gpt-4.1")).__module__ == BUILTIN["openai"].partition(":")[0]
