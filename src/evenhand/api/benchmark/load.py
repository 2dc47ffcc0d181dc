"""A benchmark spec to everything that a run needs, or one SpecError that lists all that is wrong with the file."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evenhand.adapters.base import ModelAdapter
from evenhand.api.auditing import wait_for
from evenhand.api.benchmark.model import (
    capability_problems,
    generation_config,
    model_file_problem,
    open_model,
    refusal,
)
from evenhand.api.benchmark.names import resolve
from evenhand.api.benchmark.places import is_yaml_path, output_problems, report_paths
from evenhand.api.benchmark.recognise import read_spec
from evenhand.api.benchmark.shape import shape_problems
from evenhand.api.benchmark.variables import Expanded, expand
from evenhand.core.benchmark import BaselineModel, BenchmarkModel, ModelUnderTest
from evenhand.core.types import ScenarioSet
from evenhand.engine.prepare import Audit
from evenhand.engine.resolve import Baseline
from evenhand.errors import MissingAssetError, MissingExtraError, SpecError, UsageError
from evenhand.scenarios.document import Path as Field
from evenhand.scenarios.document import Problem
from evenhand.scenarios.loader import refused
from evenhand.scenarios.loose import mapping
from evenhand.scenarios.registry import ScenarioRegistry
from evenhand.scenarios.yaml_source import read


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """A benchmark spec, resolved and ready to run.

    Attributes
    ----------
    name, description
        What people call it; None if the spec does not say.
    audit
        What to ask and how to judge it: the same as with equal flags, so either goes on with the other's run.
    adapter
        The model, opened; whoever runs the benchmark closes it.
    concurrency
        Requests at once.
    reports
        Report form to the file that it goes to; empty if the spec names none.
    """

    name: str | None
    description: str | None
    audit: Audit
    adapter: ModelAdapter
    concurrency: int
    reports: Mapping[str, Path]


def benchmark_from(path: str | Path, *, environment: Mapping[str, str] = os.environ) -> Benchmark:
    """Read a benchmark spec.

    Parameters
    ----------
    path
        A YAML file. Paths in it are relative to its folder.
    environment
        Where ``${NAME}`` is looked up.

    Raises
    ------
    UsageError
        If there is no such file, or the model needs a file or a package that is not there.
    SpecError
        If its content cannot be used; `SpecError.problems` lists every problem.
    """
    content = read_spec(path)
    return parse_benchmark(content, source=str(path), folder=Path(path).parent, environment=environment)


def parse_benchmark(
    content: str | bytes, *, source: str, folder: Path, environment: Mapping[str, str] = os.environ
) -> Benchmark:
    """Read a benchmark spec from the text of a file that stands, or would stand, in `folder`.

    Raises
    ------
    UsageError, SpecError
        As `benchmark_from`.
    """
    document = read(content, source=source)
    expanded = expand(document, environment)
    named = resolve(expanded.data, folder, ScenarioRegistry())
    problems = _once(
        expanded.problems,
        shape_problems(document),
        named.problems,
        output_problems(expanded.data, expanded.written, folder),
    )
    errors = list(named.errors)
    adapter = _adapter(expanded, folder, problems, errors)
    if problems or errors:
        if adapter is not None:
            wait_for(adapter.aclose())
        found = refused(document, problems).problems if problems else ()
        raise SpecError.of([*found, *errors])
    assert adapter is not None, "a spec without problems has a model"
    return _benchmark(BenchmarkModel.model_validate(expanded.data), adapter, named.sets, folder)


def _once(*stages: Sequence[Problem] | Iterator[Problem]) -> list[Problem]:
    """List every problem; where an earlier stage failed, the later ones say nothing about that place."""
    found: list[Problem] = []
    for stage in stages:
        told = {problem.path for problem in found}
        found += [problem for problem in stage if problem.path not in told]
    return found


def _adapter(expanded: Expanded, folder: Path, problems: list[Problem], errors: list[SpecError]) -> ModelAdapter | None:
    """Open the model if its section is sound; what the provider refuses joins the other problems."""
    section: Field = ("model_under_test",)
    if any(problem.path[:1] in {(), section} for problem in problems):
        return None
    model = ModelUnderTest.model_validate(mapping(expanded.data)["model_under_test"])
    outside = model_file_problem(model)
    if outside is not None:
        problems.append(outside)
        return None
    try:
        adapter = open_model(model, folder)
    except (MissingAssetError, MissingExtraError):
        # nothing is wrong with the file; but if something else is, that comes first
        if problems or errors:
            return None
        raise
    except UsageError as error:
        problems.append(refusal(error, model, expanded.secrets))
        return None
    except SpecError as error:
        errors += error.problems or [error]
        return None
    problems += capability_problems(adapter, model)
    return adapter


def _benchmark(model: BenchmarkModel, adapter: ModelAdapter, sets: Sequence[ScenarioSet], folder: Path) -> Benchmark:
    under_test, head = model.model_under_test, model.benchmark
    return Benchmark(
        name=head.name if head else None,
        description=head.description if head else None,
        audit=Audit(
            model=adapter,
            scenarios=sets,
            metrics=model.metrics,
            baseline={a: _baseline(b) for a, b in model.baselines.items()} or None,
            generation_config=generation_config(under_test),
            replicates=model.replicates_per_prompt,
            seed=under_test.seed,
            skip_evaluators=model.evaluators.skip,
            bands=str(folder / model.bands) if is_yaml_path(model.bands) else model.bands,
            target=model.target,
            name=head.name if head else None,
            budget_usd=model.budget_usd,
        ),
        adapter=adapter,
        concurrency=model.concurrency,
        reports=report_paths(model.output.path, model.output.format, folder) if model.output else {},
    )


def _baseline(model: BaselineModel) -> Baseline:
    return model.shares if model.shares is not None else str(model.name)
