"""A document as one HTML file: no script, nothing loaded, every text escaped."""

from functools import cache
from typing import TYPE_CHECKING

from evenhand.reporting.clean import cleaned
from evenhand.reporting.document.model import Block, Document
from evenhand.reporting.page import environment, source_hash, style

if TYPE_CHECKING:
    from jinja2 import Template


def render(document: Document) -> str:
    """Write the page."""
    from markupsafe import Markup

    css = style()
    return _template().render(
        document=cleaned(document), style=Markup(css), style_hash=source_hash(css), kind=_kind, markup=Markup
    )


def _kind(block: Block) -> str:
    return type(block).__name__


@cache
def _template() -> "Template":
    return environment().get_template("document.html.j2")
