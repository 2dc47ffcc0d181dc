"""Whether a document has the shape of a vector file: known keys, the right kinds, sensible sizes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from evenhand.core.vectors import Direction, FigureKind
from evenhand.scenarios.document import Document, Path, Plain, Problem, kind_of
from evenhand.scenarios.nearest import did_you_mean

MAX_VECTORS, MAX_TURNS, MAX_TURN, MAX_VALUE, MAX_NAMES = 500, 20, 4_000, 400, 20
FIGURES, DIRECTIONS = get_args(FigureKind), get_args(Direction)

Check = Callable[["_Reader", Plain, Path], Iterator[Problem]]


def shape_problems(document: Document) -> Iterator[Problem]:
    """Yield what is missing, unknown, of the wrong kind or too large, in the order of the file."""
    reader = _Reader(document)
    if not isinstance(document.data, dict):
        found = kind_of(document.data)
        yield Problem(path=(), text=f"a vector file is a mapping with the keys name and vectors, not {found}")
        return
    yield from reader.mapping(document.data, (), _SET)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Key:
    check: Check
    is_required: bool = False


class _Reader:
    """Checks values; every method yields problems and nothing else."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def mapping(self, value: Plain, path: Path, keys: Mapping[str, _Key]) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield Problem(path=path, text=f"a mapping is wanted here, not {kind_of(value)}")
            return
        for name, inner in value.items():
            if name in keys:
                yield from keys[name].check(self, inner, (*path, name))
            else:
                yield Problem(path=(*path, name), text=f"unknown key {name!r}{did_you_mean(name, keys)}")
        for name, key in keys.items():
            if key.is_required and name not in value:
                yield Problem(path=(*path, name), text=f"the key {name!r} is missing")

    def text(self, value: Plain, path: Path, *, at_most: int, is_line: bool = False) -> Iterator[Problem]:
        if not isinstance(value, str):
            yield Problem(path=path, text=self._text_wanted(value, path))
        elif not value.strip():
            yield Problem(path=path, text="this text is empty", value=value)
        elif len(value) > at_most:
            yield Problem(path=path, text=f"this text has {len(value):,} characters; at most {at_most:,} are taken")
        elif is_line and (value != value.strip() or "\n" in value):
            yield Problem(path=path, text="this must be one line without space around it", value=value)

    def items(self, value: Plain, path: Path, check: Check, *, at_most: int) -> Iterator[Problem]:
        if not isinstance(value, list):
            yield Problem(path=path, text=f"a list is wanted here, not {kind_of(value)}")
        elif not value:
            yield Problem(path=path, text="this list is empty; at least one entry is needed")
        elif len(value) > at_most:
            yield Problem(path=path, text=f"this list has {len(value):,} entries; at most {at_most} are taken")
        else:
            for place, item in enumerate(value):
                yield from check(self, item, (*path, place))

    def values(self, value: Plain, path: Path) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield Problem(path=path, text=f"a mapping of placeholders to texts is wanted here, not {kind_of(value)}")
            return
        if len(value) > MAX_NAMES:
            yield Problem(path=path, text=f"there are {len(value)} placeholders; at most {MAX_NAMES} are taken")
        for name, inner in value.items():
            yield from self.text(inner, (*path, name), at_most=MAX_VALUE, is_line=True)

    def figures(self, value: Plain, path: Path) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield Problem(path=path, text=f"a mapping of figures to directions is wanted here, not {kind_of(value)}")
            return
        for name, direction in value.items():
            if name not in FIGURES:
                yield Problem(path=(*path, name), text=f"unknown figure {name!r}{did_you_mean(name, FIGURES)}")
            elif direction not in DIRECTIONS:
                wanted = " or ".join(DIRECTIONS)
                yield Problem(path=(*path, name), text=f"{wanted} is wanted here", value=direction)

    def _text_wanted(self, value: Plain, path: Path) -> str:
        place = self._document.places.get(path)
        if value is None or place is None or not place.text:
            return f"text is wanted here, not {kind_of(value)}"
        written = place.text
        return f'text is wanted here, but YAML reads {written} as {kind_of(value)}; put it in quotes: "{written}"'


def _label(reader: _Reader, value: Plain, path: Path) -> Iterator[Problem]:
    return reader.text(value, path, at_most=100, is_line=True)


def _prose(reader: _Reader, value: Plain, path: Path) -> Iterator[Problem]:
    return reader.text(value, path, at_most=MAX_TURN)


def _list_of(check: Check, at_most: int) -> Check:
    return lambda reader, value, path: reader.items(value, path, check, at_most=at_most)


def _mapping_of(keys: Mapping[str, _Key]) -> Check:
    return lambda reader, value, path: reader.mapping(value, path, keys)


_VALUES: Check = _Reader.values
_PAIR: Mapping[str, _Key] = {
    "treated": _Key(check=_VALUES, is_required=True),
    "comparison": _Key(check=_VALUES, is_required=True),
}
_VECTOR: Mapping[str, _Key] = {
    "id": _Key(check=_label, is_required=True),
    "description": _Key(check=_prose, is_required=True),
    "attributes": _Key(check=_list_of(_label, MAX_NAMES), is_required=True),
    "turns": _Key(check=_list_of(_prose, MAX_TURNS), is_required=True),
    "system": _Key(check=_prose),
    "values": _Key(check=_VALUES),
    "pair": _Key(check=_mapping_of(_PAIR)),
    "figures": _Key(check=_Reader.figures),
}
_SET: Mapping[str, _Key] = {
    "name": _Key(check=_label, is_required=True),
    "version": _Key(check=_label),
    "description": _Key(check=_prose),
    "vectors": _Key(check=_list_of(_mapping_of(_VECTOR), MAX_VECTORS), is_required=True),
}
KEYS: Sequence[str] = tuple(_VECTOR)
"""Every key of a vector, for documentation and tests."""
