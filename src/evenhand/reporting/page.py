"""What every page of ours is made with: the stylesheet, the hash that allows it, and the template environment."""

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from evenhand.reporting import text

if TYPE_CHECKING:
    from jinja2 import Environment


def style() -> str:
    """Return the stylesheet."""
    return _resource("scorecard.css")


def source_hash(css: str) -> str:
    """Hash a stylesheet as a content security policy names it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()}"


@cache
def environment() -> "Environment":
    """Make the environment of our templates; every text is escaped."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    made = Environment(loader=FunctionLoader(_resource), autoescape=True, undefined=StrictUndefined, trim_blocks=False)
    made.filters |= {"count_text": text.count, "heading": text.heading}
    return made


def _resource(name: str) -> str:
    return files("evenhand.reporting").joinpath("templates", name).read_text(encoding="utf-8")
