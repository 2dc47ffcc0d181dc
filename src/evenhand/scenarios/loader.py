"""Scenario files to scenario sets. A set, or one SpecError that lists everything that is wrong with the file."""

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from evenhand.core.types import ScenarioSet
from evenhand.errors import SpecError, UsageError
from evenhand.metrics import baselines
from evenhand.metrics.baselines import Baseline
from evenhand.scenarios.build import build
from evenhand.scenarios.checks import check_problems
from evenhand.scenarios.checks_references import names_figures
from evenhand.scenarios.document import Document, Problem
from evenhand.scenarios.loose import entries, mapping
from evenhand.scenarios.schema import SetModel
from evenhand.scenarios.shape import shape_problems
from evenhand.scenarios.yaml_events import MAX_BYTES
from evenhand.scenarios.yaml_source import read

# enough to mend a file; a hostile one could have a hundred thousand
MAX_PROBLEMS = 100


def load_scenarios(path: str | Path) -> ScenarioSet:
    """Read a scenario file.

    Raises
    ------
    UsageError
        If there is no such file, or it cannot be opened.
    SpecError
        If its content cannot be used; `SpecError.problems` lists every problem.
    """
    file = Path(path)
    # a pipe would block and a device never end
    if not file.is_file():
        raise UsageError(f"There is no scenario file {str(path)!r}.")
    try:
        with file.open("rb") as handle:
            content = handle.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"The scenario file {str(path)!r} cannot be read: {error.strerror}.") from error
    return parse_scenarios(content, source=str(path))


def parse_scenarios(text: str | bytes, *, source: str) -> ScenarioSet:
    """Read a scenario set from the text of a file.

    Parameters
    ----------
    text
        YAML, or its bytes in UTF-8; at most 5 MB.
    source
        Name or path of it, for messages.

    Raises
    ------
    SpecError
        If the text cannot be used; `SpecError.problems` lists the first hundred problems, by line.
    """
    document = read(text, source=source)
    scenarios = entries(mapping(document.data).get("scenarios"))
    table = baselines.load() if any(names_figures(scenario) for _, scenario in scenarios) else {}
    problems = list(islice(_problems(document, table), MAX_PROBLEMS + 1))
    if problems:
        raise _refused(document, problems)
    return build(SetModel.model_validate(document.data), table)


def _problems(document: Document, table: Mapping[tuple[str, str], Baseline]) -> Iterator[Problem]:
    """Yield every problem; where reading or shape already failed, the later checks of that place say nothing."""
    told: set[tuple[str | int, ...]] = set()
    for stage in (document.problems, shape_problems(document), check_problems(document.data, table)):
        earlier = frozenset(told)
        for problem in stage:
            if problem.path not in earlier:
                told.add(problem.path)
                yield problem


def _refused(document: Document, problems: list[Problem]) -> SpecError:
    errors = [document.error(problem) for problem in problems[:MAX_PROBLEMS]]
    if len(problems) > MAX_PROBLEMS:
        errors.append(
            SpecError(f"there are more problems; the first {MAX_PROBLEMS} found are listed", file=document.source)
        )
    return SpecError.of(errors)
