"""Reading a band profile: YAML text in, BandProfile out, every fault with file, line and field."""

from collections.abc import Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError, model_validator

from evenhand.core.results import Band, Direction
from evenhand.errors import SpecError
from evenhand.metrics.bands import BandProfile, MetricBands, Quantity

Words = Annotated[str, Field(min_length=1, strict=True)]
Location = Sequence[str | int]


class _Metric(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    reads: Quantity
    direction: Direction
    cuts: dict[Literal["under", "watch", "flag", "fail"], Annotated[FiniteFloat, Field(strict=True)]]
    actions: dict[Band, Words]

    @model_validator(mode="after")
    def _agrees(self) -> "_Metric":
        two_sided = self.direction == "one_is_best"
        needed = {"watch", "flag", "fail", *(["under"] if two_sided else [])}
        if set(self.cuts) != needed:
            raise ValueError(f"cuts must name exactly {', '.join(sorted(needed))}")
        if set(self.actions) != {"pass", *needed}:
            raise ValueError(f"actions must name exactly {', '.join(sorted({'pass', *needed}))}")
        ordered = [self.cuts[name] for name in ("under", "watch", "flag", "fail") if name in self.cuts]
        if self.direction == "higher_is_better":
            ordered.reverse()
        if ordered != sorted(set(ordered)):
            raise ValueError("cuts must move away from the good side: watch, then flag, then fail")
        return self


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    profile: Words
    description: Words
    metrics: dict[Words, _Metric] = Field(min_length=1)


def read_profile(source: Path | Traversable) -> BandProfile:
    """Read one profile file.

    Raises
    ------
    SpecError
        If it cannot be read or does not say what it must.
    """
    try:
        text = source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(f"the band profile cannot be read: {error}", file=str(source)) from error
    return parse_profile(text, file=str(source))


def parse_profile(text: str, *, file: str) -> BandProfile:
    """Parse the text of a profile; `file` is only named in errors.

    Raises
    ------
    SpecError
        If it does not say what it must.
    """
    root, plain = _load(text, file)
    try:
        checked = _File.model_validate(plain)
    except ValidationError as error:
        raise _spec_error(error, root, file) from error
    return BandProfile(
        name=checked.profile,
        description=checked.description,
        metrics={
            name: MetricBands(
                reads=metric.reads, direction=metric.direction, cuts=dict(metric.cuts.items()), actions=metric.actions
            )
            for name, metric in checked.metrics.items()
        },
    )


def _load(text: str, file: str) -> tuple[yaml.Node | None, object]:
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        _refuse_repeated_keys(root, file, set())
        return root, yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise SpecError(f"not valid YAML: {problem}", file=file, line=mark.line + 1 if mark else None) from error
    except (ValueError, RecursionError) as error:  # a date that does not exist, nesting without end
        raise SpecError(f"not valid YAML: {error}", file=file) from error


def _refuse_repeated_keys(node: yaml.Node | None, file: str, seen: set[int]) -> None:
    """YAML keeps the last of two equal keys without a word; a cut that silently loses is worse than an error."""
    if node is None or id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        keys = set[str]()
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in keys:
                    raise SpecError("this key appears twice", file=file, line=key.start_mark.line + 1, value=key.value)
                keys.add(key.value)
            _refuse_repeated_keys(value, file, seen)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _refuse_repeated_keys(item, file, seen)


def _spec_error(error: ValidationError, root: yaml.Node | None, file: str) -> SpecError:
    # a misspelt key is both unknown and missing; the unknown one is where the reader must look
    first = min(error.errors(), key=lambda fault: fault["type"] != "extra_forbidden")
    location = [part for part in first["loc"] if part != "[key]"]
    problem = {
        "extra_forbidden": "this key is not known here",
        "missing": "this key is missing",
    }.get(first["type"], first["msg"].removeprefix("Value error, "))
    return SpecError(
        problem,
        file=file,
        line=_line(root, location),
        field=".".join(map(str, location)) or None,
        value=first["input"] if isinstance(first["input"], (str, int, float)) else None,
    )


def _line(root: yaml.Node | None, location: Location) -> int | None:
    """Find the line of a field; of what should have held it, if it is missing."""
    node, line = root, root.start_mark.line + 1 if root is not None else None
    for part in location:
        if not isinstance(node, yaml.MappingNode):
            break
        found = next(((key, value) for key, value in node.value if key.value == str(part)), None)
        if found is None:
            break
        line, node = found[0].start_mark.line + 1, found[1]
    return line
