"""Whether the names in a benchmark spec exist, on plain values of any shape; what has the wrong kind is passed over."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evenhand.adapters.registry import registry as provider_registry
from evenhand.api.benchmark.places import file_problem, is_yaml_path
from evenhand.core.types import References, ScenarioSet
from evenhand.errors import SpecError
from evenhand.evaluation.registry import LAYER_1, NAMES
from evenhand.metrics import baselines
from evenhand.metrics.bands import load_profile, profile_names
from evenhand.metrics.registry import registry as metric_registry
from evenhand.scenarios.checks_references import UNIFORM, reference_problems
from evenhand.scenarios.document import Path as Field
from evenhand.scenarios.document import Plain, Problem
from evenhand.scenarios.loose import mapping, text, texts
from evenhand.scenarios.nearest import did_you_mean
from evenhand.scenarios.registry import ScenarioRegistry


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What the names of a spec lead to.

    Attributes
    ----------
    sets
        The scenario sets that could be read, in their order.
    problems
        Names that lead nowhere.
    errors
        What is wrong inside the files that the spec names.
    """

    sets: Sequence[ScenarioSet]
    problems: Sequence[Problem]
    errors: Sequence[SpecError]


def resolve(data: Plain, folder: Path, registry: ScenarioRegistry) -> Named:
    """Look up every name.

    Parameters
    ----------
    data
        The plain values of the spec.
    folder
        Where the spec stands.
    registry
        Where scenario sets are found by name.
    """
    file = mapping(data)
    sets, problems, errors = _scenario_sets(file.get("scenarios"), folder, registry)
    problems += _bands(text(file.get("bands")), folder, errors)
    problems += _provider(text(mapping(file.get("model_under_test")).get("provider")))
    problems += _listed(file.get("metrics"), ("metrics",), metric_registry().names(), what="metric")
    skipped = mapping(file.get("evaluators")).get("skip")
    problems += _listed(skipped, ("evaluators", "skip"), (*LAYER_1, NAMES), what="evaluator")
    problems += _baselines(file.get("baselines"), sets)
    return Named(sets=sets, problems=problems, errors=errors)


def _scenario_sets(
    given: Plain, folder: Path, registry: ScenarioRegistry
) -> tuple[list[ScenarioSet], list[Problem], list[SpecError]]:
    names = texts(given)
    sets: list[ScenarioSet] = []
    problems = list(_again(names, ("scenarios",)))
    errors: list[SpecError] = []
    for index, name in enumerate(names):
        problem = _scenario_problem(name, ("scenarios", index), folder, registry)
        if problem is not None:
            problems.append(problem)
        elif name and name not in names[:index]:
            try:
                sets.append(registry.get(folder / name if is_yaml_path(name) else name))
            except SpecError as error:
                errors += error.problems or [error]
    return sets, problems, errors


def _scenario_problem(name: str, field: Field, folder: Path, registry: ScenarioRegistry) -> Problem | None:
    if not name:  # an entry of another kind
        return None
    if is_yaml_path(name):
        return file_problem(name, folder, field, what="scenario file")
    known = registry.names()
    if name in known:
        return None
    return Problem(path=field, text=f"there is no scenario set named {name!r}{did_you_mean(name, known)}")


def _bands(name: str | None, folder: Path, errors: list[SpecError]) -> Iterator[Problem]:
    if name is None:
        return
    if not is_yaml_path(name):
        if name not in profile_names():
            hint = did_you_mean(name, profile_names())
            yield Problem(path=("bands",), text=f"there is no band profile named {name!r}{hint}")
        return
    problem = file_problem(name, folder, ("bands",), what="band profile")
    if problem is not None:
        yield problem
        return
    try:
        load_profile(folder / name)
    except SpecError as error:
        errors.append(error)


def _provider(name: str | None) -> Iterator[Problem]:
    known = provider_registry().names()
    if name and "/" not in name and name not in known:
        field = ("model_under_test", "provider")
        yield Problem(path=field, text=f"there is no model provider named {name!r}{did_you_mean(name, known)}")


def _listed(given: Plain, field: Field, known: Sequence[str], *, what: str) -> Iterator[Problem]:
    names = texts(given)
    for index, name in enumerate(names):
        if name and name not in known:
            hint = did_you_mean(name, known)
            yield Problem(path=(*field, index), text=f"there is no {what} named {name!r}{hint}")
    yield from _again(names, field)


def _again(names: Sequence[str], field: Field) -> Iterator[Problem]:
    for index, name in enumerate(names):
        if name and name in names[:index]:
            yield Problem(path=(*field, index), text="this name stands here for the second time", value=name)


def _baselines(given: Plain, sets: Sequence[ScenarioSet]) -> Iterator[Problem]:
    """Check the baselines by the rules for the references of a scenario, which they replace."""
    references = {attribute: _as_reference(value) for attribute, value in mapping(given).items()}
    if not sets:  # nothing is known of the categories; the names can still be checked
        references = {attribute: value for attribute, value in references.items() if value != UNIFORM}
    taxonomies = {a: list(categories) for a, categories in References.of(sets).taxonomies.items()}
    table = baselines.load() if any(isinstance(value, str) for value in references.values()) else {}
    for problem in reference_problems({"references": references}, (), taxonomies, table):
        _, attribute, *rest = problem.path
        # shares stand under the attribute itself, not under a key of their own
        yield Problem(path=("baselines", attribute, *rest[1:]), text=problem.text, value=problem.value)


def _as_reference(value: Plain) -> Plain:
    if isinstance(value, dict):
        # who wrote the spec answers for the figures; a scenario file must name their source and year
        return {"shares": value, "source": "the spec", "year": "the spec"}
    return value
