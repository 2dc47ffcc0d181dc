"""Whether a document has the shape of a scenario file; what pydantic finds is said in plain words."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from evenhand.scenarios.document import Document, Path, Problem, kind_of
from evenhand.scenarios.nearest import did_you_mean
from evenhand.scenarios.schema import (
    GroupModel,
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
            return Problem(path=path, text=_text_wanted(path, value, document))
        case "greater_than_equal" | "less_than_equal":
            return Problem(path=path, text="a share lies between 0 and 1", value=value)
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
}


def _wanted(kind: str, path: Path) -> str:
    if kind == "model_type" and _pattern(path)[2:3] == ("references",):
        return "a baseline's name, 'uniform', or a mapping with shares, source and year"
    return _WANTED[kind]


def _text_wanted(path: Path, value: Any, document: Document) -> str:  # Any: what a file holds
    written = document.places[path].text if path in document.places else ""
    if value is None or not written:
        return f"text is wanted here, not {kind_of(value)}"
    return f'text is wanted here, but YAML reads {written} as {kind_of(value)}; put it in quotes: "{written}"'


def _too_short(path: Path) -> str:
    match path[-1], path:
        case _, ("taxonomies", _):
            return "a taxonomy needs at least two categories"
        case "variants", _:
            return "a counterfactual group needs at least one variant"
        case "scenarios", _:
            return "a set needs at least one scenario"
        case _:
            return "shares need at least one category"


_MODELS: Mapping[Path, type[BaseModel]] = {
    (): SetModel,
    ("scenarios", "*"): ScenarioModel,
    ("scenarios", "*", "references", "*"): ReferenceModel,
    ("scenarios", "*", "stereotypes", "*"): StereotypeModel,
    ("scenarios", "*", "counterfactuals", "*"): GroupModel,
    ("scenarios", "*", "counterfactuals", "*", "variants", "*"): VariantModel,
}


def _keys(path: Path) -> tuple[str, ...]:
    return tuple(_MODELS[_pattern(path)].model_fields)


def _pattern(path: Path) -> Path:
    """Replace list positions, and the attribute of a reference, with a star."""
    starred = tuple("*" if isinstance(part, int) else part for part in path)
    return (*starred[:3], "*", *starred[4:]) if starred[2:3] == ("references",) and len(starred) > 3 else starred
