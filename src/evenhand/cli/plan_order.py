"""What ``evenhand plan`` is asked to plan: from flags, or from a benchmark spec."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evenhand.adapters.base import default_config
from evenhand.adapters.registry import open_adapter
from evenhand.api.benchmark import benchmark_from, kind_of_file
from evenhand.core.protocols import Adapter
from evenhand.core.types import GenerationConfig, References
from evenhand.engine.resolve import Baseline, ScenarioSource
from evenhand.errors import UsageError
from evenhand.metrics.base import Metric

_SAID_BY_SPEC = {"model": "--model", "metrics": "--metrics", "bands": "--bands", "max_tokens": "--max-tokens"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOrder:
    """The part of `plan_audit` that a spec says too. Whoever takes it closes the adapter, if there is one."""

    scenarios: ScenarioSource | Sequence[ScenarioSource]
    adapter: Adapter | None
    metrics: Sequence[str | Metric] | None
    baseline: References | Mapping[str, Baseline] | None
    generation: GenerationConfig | None
    bands: str


def order(given: Mapping[str, Any]) -> PlanOrder:
    """Read what the command line asks for.

    Raises
    ------
    UsageError, DataError
        If it does not fit together, or a file or name in it cannot be used.
    """
    scenarios = list(given["scenarios"])
    specs = [path for path in scenarios if kind_of_file(path) == "benchmark"]
    return _from_spec(specs[0], scenarios, given) if specs else _from_flags(scenarios, given)


def _from_spec(path: str, scenarios: Sequence[str], given: Mapping[str, Any]) -> PlanOrder:
    if len(scenarios) > 1:
        raise UsageError(f"{path} is a benchmark spec, which names its own scenarios; give it alone")
    typed = [flag for name, flag in _SAID_BY_SPEC.items() if given[name] is not None]
    if typed:
        raise UsageError(f"{path} is a benchmark spec and says this itself: {', '.join(typed)}. Change it there.")
    benchmark = benchmark_from(path)
    audit = benchmark.audit
    return PlanOrder(
        scenarios=audit.scenarios,
        adapter=benchmark.adapter,
        metrics=audit.metrics,
        baseline=audit.baseline,
        generation=audit.generation_config,
        bands=audit.bands,
    )


def _from_flags(scenarios: Sequence[str], given: Mapping[str, Any]) -> PlanOrder:
    adapter = None if given["model"] is None else open_adapter(given["model"])
    sampling = GenerationConfig() if adapter is None else default_config(adapter)
    if given["max_tokens"] is not None:
        sampling = replace(sampling, max_tokens=given["max_tokens"])
    return PlanOrder(
        scenarios=scenarios,
        adapter=adapter,
        metrics=_names(given["metrics"]),
        baseline=None,
        generation=sampling,
        bands=given["bands"] or "evenhand-1",
    )


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]
