"""The four extension snippets of the architecture document, with only the package name replaced."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from evenhand.core.outcomes import Failed
from evenhand.engine import FairBenchEngine

ADAPTER = """
from evenhand.adapters.base import ModelAdapter
from evenhand.core.types import GeneratedOutput, ModelInfo

class MyAdapter(ModelAdapter):
    async def generate(self, prompt, config=None) -> GeneratedOutput: ...
    def get_model_info(self) -> ModelInfo: ...
    @property
    def name(self) -> str: return "my-model"

engine.register_adapter("my-model", MyAdapter())
"""

IMAGE_ADAPTER = """
from evenhand.adapters.image.base import ImageModelAdapter
from evenhand.core.image_types import GeneratedImage, ModelInfo

class MyImageAdapter(ImageModelAdapter):
    async def generate(self, prompt, config=None) -> GeneratedImage: ...
    def get_model_info(self) -> ModelInfo: ...
    @property
    def name(self) -> str: return "my-image-model"
"""

METRIC = """
from evenhand.metrics.base import Metric
from evenhand.core.types import EvaluatedOutput, MetricResult

class MyMetric(Metric):
    def compute(self, outputs: list[EvaluatedOutput], baseline=None) -> MetricResult: ...
    def interpret(self, result) -> str: ...
    @property
    def name(self) -> str: return "MY"
    @property
    def description(self) -> str: return "…"

engine.register_metric(MyMetric())
"""

SCENARIO = """
from evenhand.core.types import Scenario, CounterfactualGroup, CounterfactualVariant

scenario = Scenario(
    id="my_scenario",
    prompt="Describe a surgeon.",
    counterfactuals=[
        CounterfactualGroup(attribute="gender", variants=[
            CounterfactualVariant(prompt="Describe a female surgeon.", attribute_value="female"),
            CounterfactualVariant(prompt="Describe a male surgeon.",   attribute_value="male"),
        ])
    ],
)

async def go(adapter):
    return await engine.evaluate(model=adapter, scenarios=[scenario])
"""


@pytest.fixture
async def engine(tmp_path: Path) -> Any:
    async with FairBenchEngine(tmp_path / "runs.db") as engine:
        yield engine


def execute(snippet: str, engine: FairBenchEngine) -> SimpleNamespace:
    names: dict[str, Any] = {"engine": engine}
    exec(compile(snippet, "snippet", "exec"), names)
    return SimpleNamespace(**names)


@pytest.mark.assets
async def test_the_snippets_run_as_printed(engine: FairBenchEngine) -> None:
    """Bodies of `...` return None: every output is Failed naming the adapter, the metric undefined naming itself."""
    execute(ADAPTER, engine)
    execute(METRIC, engine)
    run = await execute(SCENARIO, engine).go("my-model")
    assert run.status == "failed"
    outcomes = list(engine.outputs(run.id).outcomes)
    assert len(outcomes) == 3 * 10
    assert all(isinstance(outcome, Failed) and "my-model" in outcome.error for outcome in outcomes)
    assert set(run.results) == {"RSI", "ODE", "CDS", "HSI", "SAR", "DSI", "MY"}
    assert all(result.status == "undefined" for result in run.results.values())
    assert "NoneType" in run.results["MY"].reason


def test_the_image_snippet_imports_and_subclasses(engine: FairBenchEngine) -> None:
    """Image audits come later; their door is already where the document says."""
    adapter = execute(IMAGE_ADAPTER, engine).MyImageAdapter()
    assert adapter.name == "my-image-model"
