"""Whether a document has the shape of a scenario file; what pydantic finds is said in plain words."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from evenhand.scenarios.document import Document, Path, Problem, kind_of
from evenhand.scenarios.nearest import did_you_mean
from evenhand.scenarios.schema import (
    GroupModel,
    ListModel,
    ReferenceModel,
    ScenarioModel,
    SetModel,
    StereotypeModel,
    VariantModel,
)


def shape_problems(document: Document) -> Iterator[Problem]:
    """Yield what is missing, unknown or of the wrong kind, in the order of the file."""
    if not isinstance(document.data, dict):
        found = kind_of(document.data)
        yield Problem(path=(), text=f"a scenario file is a mapping with the keys name and scenarios, not {found}")
        return
    try:
        SetModel.model_validate(document.data)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            yield _problem(detail, document)


def _problem(detail: ErrorDetails, document: Document) -> Problem:
    path: Path = detail["loc"]
    # pydantic marks a fault of the key itself by a last part "[key]", unless there is a key of that name
    if path[-1:] == ("[key]",) and path not in document.places:
        path = path[:-1]
    value = detail["input"]
    match detail["type"]:
        case "extra_forbidden":
            return Problem(path=path, text=f"unknown key {path[-1]!r}{did_you_mean(str(path[-1]), _keys(path[:-1]))}")
        case "missing":
            return Problem(path=path, text=f"the key {path[-1]!r} is missing")
        case "string_type":
            return Problem(path=path, text=text_wanted(path, value, document))
        case "greater_than_equal" | "less_than_equal":
            return Problem(path=path, text="a share lies between 0 and 1", value=value)
        case "literal_error":
            expected = detail.get("ctx", {})["expected"]
            return Problem(path=path, text=f"{expected} is wanted here", value=value)
        case "too_short":
            return Problem(path=path, text=_too_short(path))
        case kind if kind in _WANTED:
            return Problem(path=path, text=f"{_wanted(kind, path)} is wanted here, not {kind_of(value)}")
        case _:
            return Problem(path=path, text=detail["msg"], value=value)


_WANTED: Mapping[str, str] = {
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "float_type": "a number",
    "bool_type": "true or false",
}


def _wanted(kind: str, path: Path) -> str:
    if kind == "model_type" and _pattern(path)[2:3] == ("references",):
        return "a baseline's name, 'uniform', or a mapping with shares, source and year"
    if kind == "list_type" and _holds_words(path):
        return "a word or a list of words"
    return _WANTED[kind]


def _holds_words(path: Path) -> bool:
    return path[-2:-1] == ("words",) or (path[:1] == ("lists",) and path[-2:-1] == ("values",))


def text_wanted(path: Path, value: Any, document: Document) -> str:  # Any: what a file holds
    """Say that text belongs at `path`, and how to write it if YAML took it for something else."""
    """Say that text is wanted at `path`, and, where YAML read text as something else, to put it in quotes."""
    written = document.places[path].text if path in document.places else ""
    if value is None or not written:
        return f"text is wanted here, not {kind_of(value)}"
    return f'text is wanted here, but YAML reads {written} as {kind_of(value)}; put it in quotes: "{written}"'


def _too_short(path: Path) -> str:
    match path[-1], path:
        case _, ("taxonomies", _):
            return "a taxonomy needs at least two categories"
        case _ if _holds_words(path):
            return "a value needs at least one word"
        case "values" | "words", _:
            return "at least one value is needed"
        case "slots", _:
            return "at least one slot is needed; leave the key out if there is none"
        case "variants", _:
            return "a counterfactual group needs at least one variant"
        case "scenarios", _:
            return "a set needs at least one scenario"
        case _:
            return "shares need at least one category"


_MODELS: Mapping[Path, type[BaseModel]] = {
    (): SetModel,
    ("lists", "*"): ListModel,
    ("scenarios", "*"): ScenarioModel,
    ("scenarios", "*", "references", "*"): ReferenceModel,
    ("scenarios", "*", "stereotypes", "*"): StereotypeModel,
    ("scenarios", "*", "counterfactuals", "*"): GroupModel,
    ("scenarios", "*", "counterfactuals", "*", "variants", "*"): VariantModel,
}


def _keys(path: Path) -> tuple[str, ...]:
    return tuple(_MODELS[_pattern(path)].model_fields)


def _pattern(path: Path) -> Path:
    """Replace list positions, the attribute of a reference and the name of a list with a star."""
    if path[:1] == ("lists",) and len(path) > 1:
        return ("lists", "*", *path[2:])
    starred = tuple("*" if isinstance(part, int) else part for part in path)
    return (*starred[:3], "*", *starred[4:]) if starred[2:3] == ("references",) and len(starred) > 3 else starred
