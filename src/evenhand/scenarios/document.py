"""What a file says, and where it says it: plain values, the line of each, and what is wrong with them."""

from collections.abc import Mapping
from dataclasses import dataclass

from evenhand.errors import SpecError

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a value stands.

    Attributes
    ----------
    line, column
        Of its key, or of the value itself in a list; from 1.
    text
        A scalar without quotes as written, before YAML read it as a number or a truth value; empty for the rest.
    """

    line: int
    column: int
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong at `path`; `value` is what was found there, if it is worth showing."""

    path: Path
    text: str
    value: object = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What a file says.

    Attributes
    ----------
    source
        Path or name of the file, for messages.
    data
        Plain values; a mapping key is always text.
    places
        Path of every value to its place.
    problems
        What could be read in spite of being wrong; if there are any, the file must be refused.
    """

    source: str
    data: Plain
    places: Mapping[Path, Place]
    problems: tuple[Problem, ...] = ()

    def error(self, problem: Problem) -> SpecError:
        """Turn a problem into an error that names file, line and field."""
        return SpecError(
            problem.text,
            file=self.source,
            line=self._line(problem.path),
            field=dotted(problem.path) or None,
            value=problem.value,
        )

    def _line(self, path: Path) -> int | None:
        # a key that is missing has no line: the line of what should hold it is shown
        for length in range(len(path), -1, -1):
            if path[:length] in self.places:
                return self.places[path[:length]].line
        return None


def dotted(path: Path) -> str:
    """Write a path as ``scenarios[3].counterfactuals[0].attribute``."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


def kind_of(value: object) -> str:
    """Name the kind of a plain value in words."""
    return _KINDS[type(value)]


_KINDS: Mapping[type, str] = {
    type(None): "nothing",
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "text",
    list: "a list",
    dict: "a mapping",
}
