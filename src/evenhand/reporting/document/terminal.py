"""A document in a terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from evenhand.reporting.clean import cleaned
from evenhand.reporting.document.model import Block, Document, Drawing, Facts, Grid, Paragraph

if TYPE_CHECKING:
    from rich.console import RenderableType


def render(document: Document) -> "RenderableType":
    """Build what a rich console prints. Texts are never read as markup."""
    from rich.console import Group
    from rich.text import Text

    clean = cleaned(document)
    parts: list[RenderableType] = [Text(clean.title, style="bold"), Text(clean.headline)]
    for section in clean.sections:
        parts.append(Text(f"\n{section.title}", style="bold"))
        parts.extend(part for block in section.blocks for part in _block(block))
    return Group(*parts)


def _block(block: Block) -> "Iterator[RenderableType]":
    from rich.text import Text

    match block:
        case Paragraph():
            yield Text(block.text, style="bold red" if block.is_loud else "")
        case Facts():
            if block.title:
                yield Text(block.title, style="italic")
            width = max((len(name) for name, _ in block.rows), default=0)
            for name, value in block.rows:
                yield Text.assemble((f"{name:<{width}}  ", "dim"), value)
        case Grid():
            yield from _grid(block)
        case Drawing():
            yield Text(f"{block.title}: {block.description}", style="dim")


def _grid(grid: Grid) -> "Iterator[RenderableType]":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    if grid.title:
        yield Text(grid.title, style="italic")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(grid.columns):
        table.add_column(Text(column), justify="right" if place in grid.numbers else "left")
    for row in grid.rows:
        table.add_row(*map(Text, row))
    yield table
    if grid.note:
        yield Text(grid.note, style="dim")
