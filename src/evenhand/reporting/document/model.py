"""A report as blocks of text and tables: what is said once here is the same in every form."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """A paragraph; a loud one must be read before any number."""

    text: str
    is_loud: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Names and values, such as the card of a rate."""

    rows: Sequence[tuple[str, str]]
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table of texts.

    Attributes
    ----------
    numbers
        Places of columns that are set to the right.
    note
        What must be known to read it.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = ""
    numbers: Sequence[int] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A chart: SVG for pages, its description for every other form."""

    svg: str
    title: str
    description: str


Block = Paragraph | Facts | Grid | Drawing


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Blocks under one heading."""

    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A whole report.

    Attributes
    ----------
    kind
        What it is: ``"violation rate"``.
    headline
        The one sentence that must not be read without the rest.
    raw
        Everything behind it as plain JSON values, with numbers unrounded.
    """

    kind: str
    title: str
    headline: str
    written: str
    sections: Sequence[Section]
    raw: Mapping[str, Any] = field(default_factory=dict)
