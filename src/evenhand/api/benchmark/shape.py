"""Whether a document has the shape of a benchmark spec; what pydantic finds is said in plain words."""

from collections.abc import Iterator, Mapping
from typing import get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from evenhand.core.benchmark import (
    BenchmarkModel,
    EvaluatorsModel,
    HeadModel,
    ModelUnderTest,
    OutputFormat,
    OutputModel,
)
from evenhand.scenarios.document import Document, Path, Problem, kind_of
from evenhand.scenarios.nearest import did_you_mean
from evenhand.scenarios.shape import text_wanted


def shape_problems(document: Document) -> Iterator[Problem]:
    """Yield what is missing, unknown or of the wrong kind, in the order of the file."""
    if not isinstance(document.data, dict):
        found = kind_of(document.data)
        text = f"a benchmark spec is a mapping with the keys model_under_test and scenarios, not {found}"
        yield Problem(path=(), text=text)
        return
    try:
        BenchmarkModel.model_validate(document.data)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            yield _problem(detail, document)


def _problem(detail: ErrorDetails, document: Document) -> Problem:
    path = _place(detail["loc"], document)
    value = detail["input"]
    match detail["type"]:
        case "extra_forbidden":
            return Problem(path=path, text=f"unknown key {path[-1]!r}{did_you_mean(str(path[-1]), _keys(path[:-1]))}")
        case "missing":
            return Problem(path=path, text=f"the key {path[-1]!r} is missing")
        case "string_type":
            return Problem(path=path, text=text_wanted(path, value, document))
        case "literal_error":
            formats = get_args(OutputFormat)
            return Problem(path=path, text=f"there is no format {value!r}{did_you_mean(str(value), formats)}")
        case "too_short":
            return Problem(path=path, text=_TOO_SHORT[str(path[0])])
        case kind if kind in _WANTED:
            wanted = _A_BASELINE if path[0] == "baselines" and len(path) == 2 else _WANTED[kind]
            return Problem(path=path, text=f"{wanted} is wanted here, not {kind_of(value)}")
        case kind if kind in _OUT_OF_RANGE:
            return _number_wanted(path, value)
        case _:
            return Problem(path=path, text=detail["msg"], value=value)


def _place(loc: Path, document: Document) -> Path:
    # pydantic marks a fault of the key itself by a last part "[key]", unless there is a key of that name
    path = loc[:-1] if loc[-1:] == ("[key]",) and loc not in document.places else loc
    # the model of a baseline puts a level of its own between the attribute and what the file says
    return (*path[:2], *path[3:]) if path[:1] == ("baselines",) and len(path) > 2 else path


_TOO_SHORT: Mapping[str, str] = {
    "scenarios": "name at least one scenario set, or a file with one",
    "metrics": "name at least one metric, or leave the key out for all of them",
    "baselines": "shares need at least one category",
}
_WANTED: Mapping[str, str] = {"list_type": "a list", "dict_type": "a mapping", "model_type": "a mapping"}
_A_BASELINE = "'uniform', a baseline's name, or a mapping of category to share"
_OUT_OF_RANGE = frozenset(
    {"int_type", "float_type", "greater_than", "greater_than_equal", "less_than", "less_than_equal"}
)
_NUMBERS: Mapping[str, str] = {
    "max_tokens": "a whole number from 1 to 1,000,000",
    "temperature": "a number from 0 to 100",
    "top_p": "a number from 0 to 1",
    "seed": "a whole number from 0 to 9,223,372,036,854,775,807",
    "replicates_per_prompt": "a whole number from 1 to 10,000",
    "budget_usd": "an amount above 0",
    "concurrency": "a whole number from 1 to 1,000",
}


def _number_wanted(path: Path, value: object) -> Problem:
    wanted = "a share from 0 to 1" if path[0] == "baselines" else _NUMBERS[str(path[-1])]
    if value is None or isinstance(value, list | dict):
        return Problem(path=path, text=f"{wanted} is wanted here, not {kind_of(value)}")
    return Problem(path=path, text=f"{wanted} is wanted here", value=value)


_MODELS: Mapping[Path, type[BaseModel]] = {
    (): BenchmarkModel,
    ("benchmark",): HeadModel,
    ("model_under_test",): ModelUnderTest,
    ("evaluators",): EvaluatorsModel,
    ("output",): OutputModel,
}


def _keys(path: Path) -> tuple[str, ...]:
    return tuple(_MODELS[path].model_fields)
