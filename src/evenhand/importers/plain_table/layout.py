"""Which column is what: the long form with a row per decision, or the wide form with a column per attribute."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Literal

from evenhand.errors import DataError
from evenhand.importers.plain_table.words import BLANKS

_ALWAYS = ("trace", "turn")
_LONG = ("attribute", "decision")
_OPTIONAL = ("vector", "replicate", "status")
_WORDS = (*_ALWAYS, *_LONG, *_OPTIONAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where everything stands.

    Attributes
    ----------
    place
        Our word to the column's position, for the columns that are there.
    attributes
        Wide form: attribute to position.
    ignored
        Long form: columns that are not read, as named in the file.
    """

    form: Literal["long", "wide"]
    names: tuple[str, ...]
    place: dict[str, int]
    attributes: dict[str, int]
    ignored: tuple[str, ...]


def layout_of(header: Sequence[str], file: Path, *, line: int | None = 1) -> Layout:
    """Recognise the columns; case and blanks around a name play no part in our own words.

    Raises
    ------
    DataError
        If a column is missing, there twice, without a name, or nearly one of ours.
    """
    names = tuple(name.strip(BLANKS) for name in header)
    _refuse_repeated(names, file, line)
    place = {name.lower(): i for i, name in enumerate(names) if name.lower() in _WORDS}
    rest = {name: i for i, name in enumerate(names) if name.lower() not in _WORDS}
    is_long = any(word in place for word in _LONG)
    needed = (*_ALWAYS, *_LONG) if is_long else _ALWAYS
    missing = [word for word in needed if word not in place]
    if missing:
        raise DataError(_missing(missing[0], names), file=file, line=line)
    _refuse_near(rest, place, file, line)
    if not is_long and not rest:
        raise DataError(
            "there is no column for decisions: give attribute and decision, or one column per attribute",
            file=file,
            line=line,
        )
    return Layout(
        form="long" if is_long else "wide",
        names=names,
        place=place,
        attributes={} if is_long else rest,
        ignored=tuple(rest) if is_long else (),
    )


def _refuse_repeated(names: Sequence[str], file: Path, line: int | None) -> None:
    seen: set[str] = set()
    for position, name in enumerate(names, start=1):
        key = name.lower() if name.lower() in _WORDS else name
        if not name:
            raise DataError(f"column {position} has no name", file=file, line=line)
        if key in seen:
            raise DataError(f"the column {name!r} is there twice", file=file, line=line)
        seen.add(key)


def _refuse_near(rest: dict[str, int], place: dict[str, int], file: Path, line: int | None) -> None:
    # a misspelt "status" must not be passed over: its refusals would become unscored
    for name in rest:
        near = get_close_matches(name.lower(), [word for word in _WORDS if word not in place], n=1, cutoff=0.8)
        if near:
            raise DataError(f"the column {name!r} is not known; did you mean {near[0]!r}?", file=file, line=line)


def _missing(word: str, names: Sequence[str]) -> str:
    separator = next((mark for mark in (";", "\t", "|") if len(names) == 1 and mark in names[0]), None)
    if separator:
        return f"the columns are separated by {separator!r}; a comma is needed"
    near = get_close_matches(word, [name.lower() for name in names], n=1, cutoff=0.6)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"the column {word!r} is missing{hint}"
