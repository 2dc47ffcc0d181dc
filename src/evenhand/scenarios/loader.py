"""Scenario files to scenario sets. A set, or one SpecError that lists everything that is wrong with the file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from evenhand.core.types import ScenarioSet
from evenhand.errors import SpecError, UsageError
from evenhand.metrics import baselines
from evenhand.metrics.baselines import Baseline
from evenhand.scenarios.build import build
from evenhand.scenarios.checks import check_problems
from evenhand.scenarios.checks_generated import file_lists, generation_problems
from evenhand.scenarios.checks_references import names_figures
from evenhand.scenarios.document import Document, Problem
from evenhand.scenarios.expand import how_made
from evenhand.scenarios.loose import entries, mapping
from evenhand.scenarios.schema import SetModel
from evenhand.scenarios.shape import shape_problems
from evenhand.scenarios.word_lists import WordList
from evenhand.scenarios.yaml_events import MAX_BYTES
from evenhand.scenarios.yaml_source import read

# enough to mend a file; a hostile one could have a hundred thousand
MAX_PROBLEMS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """A set, and where its variants come from.

    Attributes
    ----------
    made
        (scenario id, attribute) to what made the variants, such as ``"before 'nurse', list gender_adjectives"``.
    lists
        The word lists that were used, in the order of their first use.
    """

    group: ScenarioSet
    made: Mapping[tuple[str, str], str]
    lists: tuple[WordList, ...]


def load_scenarios(path: str | Path) -> ScenarioSet:
    """Read a scenario file.

    Raises
    ------
    UsageError
        If there is no such file, or it cannot be opened.
    SpecError
        If its content cannot be used; `SpecError.problems` lists every problem.
    """
    return parse_scenarios(read_file(path), source=str(path))


def read_file(path: str | Path) -> bytes:
    """Return the content of a scenario file, cut behind the first byte too many.

    Raises
    ------
    UsageError
        If there is no such file, or it cannot be opened.
    """
    file = Path(path)
    # a pipe would block and a device never end
    if not file.is_file():
        raise UsageError(f"There is no scenario file {str(path)!r}.")
    try:
        with file.open("rb") as handle:
            return handle.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"The scenario file {str(path)!r} cannot be read: {error.strerror}.") from error


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
    return describe_scenarios(text, source=source).group


def describe_scenarios(text: str | bytes, *, source: str) -> Described:
    """Read a scenario set, and keep where its variants come from.

    Parameters and errors are those of `parse_scenarios`.
    """
    document = read(text, source=source)
    scenarios = entries(mapping(document.data).get("scenarios"))
    table = baselines.load() if any(names_figures(scenario) for _, scenario in scenarios) else {}
    problems = list(islice(_problems(document, table), MAX_PROBLEMS + 1))
    if problems:
        raise refused(document, problems)
    model, lists = SetModel.model_validate(document.data), file_lists(document.data)
    groups = [(scenario.id, group) for scenario in model.scenarios for group in scenario.counterfactuals]
    used = dict.fromkeys(group.list for _, group in groups if group.list is not None)
    return Described(
        group=build(model, table, lists),
        made={(scenario, group.attribute): how_made(group) for scenario, group in groups},
        lists=tuple(lists[name] for name in used),
    )


def _problems(document: Document, table: Mapping[tuple[str, str], Baseline]) -> Iterator[Problem]:
    """Yield every problem; where reading or shape already failed, the later checks of that place say nothing."""
    told: set[tuple[str | int, ...]] = set()
    for stage in (
        document.problems,
        shape_problems(document),
        check_problems(document.data, table),
        generation_problems(document.data),
    ):
        earlier = frozenset(told)
        for problem in stage:
            if problem.path not in earlier:
                told.add(problem.path)
                yield problem


def refused(document: Document, problems: list[Problem]) -> SpecError:
    """Make one error of the problems of a file; beyond the first hundred it only says that there are more."""
    errors = [document.error(problem) for problem in problems[:MAX_PROBLEMS]]
    if len(problems) > MAX_PROBLEMS:
        errors.append(
            SpecError(f"there are more problems; the first {MAX_PROBLEMS} found are listed", file=document.source)
        )
    return SpecError.of(errors)
