"""A document as Markdown."""

from collections.abc import Iterator

from evenhand.reporting.clean import cleaned
from evenhand.reporting.document.model import Block, Document, Drawing, Facts, Grid, Paragraph
from evenhand.reporting.markdown import escaped, table


def render(document: Document) -> str:
    """Write GitHub-flavoured Markdown; every text is escaped."""
    clean = cleaned(document)
    blocks = [f"# {escaped(clean.title)}", f"**{escaped(clean.headline)}**", escaped(clean.written)]
    for section in clean.sections:
        blocks.append(f"## {escaped(section.title)}")
        blocks.extend(part for block in section.blocks for part in _block(block))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _block(block: Block) -> Iterator[str]:
    match block:
        case Paragraph():
            yield f"> **{escaped(block.text)}**" if block.is_loud else escaped(block.text)
        case Facts():
            yield f"**{escaped(block.title)}**" if block.title else ""
            yield table(("", ""), block.rows)
        case Grid():
            yield f"**{escaped(block.title)}**" if block.title else ""
            yield table(block.columns, block.rows, right=block.numbers)
            yield escaped(block.note)
        case Drawing():
            yield escaped(f"{block.title}: {block.description}")
