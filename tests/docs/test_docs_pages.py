"""Pages written by hand that must not forget what the program knows."""

from pathlib import Path

import pytest
from pydantic import BaseModel

from evenhand.core.benchmark import BenchmarkModel, EvaluatorsModel, HeadModel, ModelUnderTest, OutputModel
from evenhand.evaluation.registry import BUILTIN as EVALUATORS
from evenhand.metrics.registry import BUILTIN as METRICS

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("model", [BenchmarkModel, HeadModel, ModelUnderTest, EvaluatorsModel, OutputModel])
def test_every_field_of_a_benchmark_spec_is_on_its_page(model: type[BaseModel]) -> None:
    """A new field without a line on the page fails here."""
    page = (DOCS / "reference" / "benchmark-spec.md").read_text(encoding="utf-8")
    assert [name for name in model.model_fields if name not in page] == []


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_has_its_page(metric: str) -> None:
    """With its formula, its undefined cases, and what it does not say."""
    page = (DOCS / "explanation" / "metrics" / f"{metric.lower()}.md").read_text(encoding="utf-8")
    for heading in ("## Formula", "## Worked example", "## When it has no value", "## What it does not say"):
        assert heading in page, heading


def test_every_evaluator_is_in_the_reference() -> None:
    """By the class that the registry loads."""
    page = (DOCS / "reference" / "evaluators.md").read_text(encoding="utf-8")
    assert [name for name, place in EVALUATORS.items() if place.replace(":", ".") not in page] == []
