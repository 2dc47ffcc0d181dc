"""Scenario sets by name. A set is a file, found by being there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from evenhand.core.types import ScenarioSet
from evenhand.errors import SpecError, UnknownNameError, UsageError
from evenhand.scenarios.generator import CounterfactualGenerator
from evenhand.scenarios.loader import Described, describe_scenarios, read_file

ENDINGS = (".yaml", ".yml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One line about a set.

    Attributes
    ----------
    name
        What `ScenarioRegistry.get` takes: the file's name without its ending.
    attributes
        Attributes that its scenarios vary, compare or stereotype, in the order in which they first appear.
    prompts
        Base prompts and variants together, before replicates.
    problem
        What is wrong with the file, if it cannot be used; the numbers are then 0.
    """

    name: str
    version: str = ""
    description: str = ""
    scenarios: int = 0
    attributes: tuple[str, ...] = ()
    prompts: int = 0
    problem: str = ""


class ScenarioRegistry:
    """Finds scenario files in the package, in other packages, and in directories of the user.

    Parameters
    ----------
    directories
        Searched first, in their order.
    group
        Entry-point group; each entry names a package that holds scenario files, such as ``"their_package.scenarios"``.

    Notes
    -----
    A file in one of `directories` wins over a built-in set, which wins over an entry point: an installed package
    cannot silently change what a known name asks.
    """

    def __init__(self, directories: Sequence[str | Path] = (), *, group: str = "evenhand.scenarios") -> None:
        self._directories = tuple(Path(directory) for directory in directories)
        self._group = group

    def names(self) -> tuple[str, ...]:
        """Every name that `get` accepts, sorted; no file is opened."""
        return tuple(sorted(self._files()))

    def get(self, name_or_path: str | Path) -> ScenarioSet:
        """Read a set by its name, or by a path that ends in ``.yaml`` or ``.yml``.

        Raises
        ------
        UnknownNameError
            If there is no set of that name.
        UsageError
            If there is no such file, or a directory or package of scenarios cannot be opened.
        SpecError
            If the file's content cannot be used.
        """
        return self.describe(name_or_path).group

    def describe(self, name_or_path: str | Path) -> Described:
        """Read a set like `get`, and say where its variants come from."""
        if isinstance(name_or_path, Path) or name_or_path.lower().endswith(ENDINGS):
            return describe_scenarios(read_file(name_or_path), source=str(name_or_path))
        found = self._files()
        if name_or_path not in found:
            raise UnknownNameError("scenario set", name_or_path, tuple(found))
        return _read(found[name_or_path])

    def summaries(self) -> tuple[Summary, ...]:
        """One summary per name, sorted; a file that cannot be used is listed with its problem."""
        return tuple(_summary(name, file) for name, file in sorted(self._files().items()))

    def _files(self) -> dict[str, Traversable]:
        found: dict[str, Traversable] = {}
        for place in self._places():
            for file in sorted(_scenario_files(place), key=lambda file: file.name):
                found.setdefault(_stem(file.name), file)
        return found

    def _places(self) -> Iterator[Traversable]:
        for directory in self._directories:
            if not directory.is_dir():
                raise UsageError(f"There is no directory {str(directory)!r} to look for scenario sets in.")
            yield directory
        yield files("evenhand.scenarios") / "builtin"
        for point in entry_points(group=self._group):
            try:
                yield files(point.module)
            except ImportError as error:
                raise UsageError(f"The scenario package {point.module!r} cannot be imported: {error}.") from error


def _scenario_files(place: Traversable) -> list[Traversable]:
    named = [file for file in place.iterdir() if file.name.lower().endswith(ENDINGS)]
    return [file for file in named if file.is_file() and not file.name.startswith(".")]


def _stem(file_name: str) -> str:
    return file_name.rpartition(".")[0]


def _read(file: Traversable) -> Described:
    if isinstance(file, Path):
        return describe_scenarios(read_file(file), source=str(file))
    return describe_scenarios(file.read_bytes(), source=file.name)


def _summary(name: str, file: Traversable) -> Summary:
    try:
        found = _read(file).group
    except (SpecError, UsageError) as error:
        return Summary(name=name, problem=str(error))
    return Summary(
        name=name,
        version=found.version,
        description=found.description,
        scenarios=len(found.scenarios),
        attributes=_attributes(found),
        prompts=len(CounterfactualGenerator().expand(found)),
    )


def _attributes(found: ScenarioSet) -> tuple[str, ...]:
    seen: dict[str, None] = {}
    for scenario in found.scenarios:
        seen.update(dict.fromkeys(scenario.references))
        seen.update(dict.fromkeys(stereotype.attribute for stereotype in scenario.stereotypes))
        seen.update(dict.fromkeys(group.attribute for group in scenario.counterfactuals))
    return tuple(seen)
