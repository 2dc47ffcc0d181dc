"""SVG as text: escaped elements, numbers rounded to a hundredth of a pixel."""

from collections.abc import Mapping
from html import escape

Attributes = Mapping[str, str | float]


def element(tag: str, attributes: Attributes, *children: str) -> str:
    """Write one element. Attribute values are escaped; `children` must be markup already."""
    written = "".join(f' {key}="{_value(value)}"' for key, value in attributes.items())
    return f"<{tag}{written}>{''.join(children)}</{tag}>" if children else f"<{tag}{written}/>"


def words(content: str, x: float, y: float, *, class_: str, anchor: str = "start") -> str:
    """Write a line of text with its baseline at `y`."""
    return element("text", {"x": x, "y": y, "class": class_, "text-anchor": anchor}, escape(content, quote=False))


def line(x1: float, y1: float, x2: float, y2: float, *, class_: str) -> str:
    """Write a straight line."""
    return element("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "class": class_})


def box(x: float, y: float, width: float, height: float, *, class_: str) -> str:
    """Write a rectangle; a negative width would be invalid and counts as none."""
    return element("rect", {"x": x, "y": y, "width": max(width, 0.0), "height": height, "class": class_})


def dot(x: float, y: float, radius: float, *, class_: str) -> str:
    """Write a disc."""
    return element("circle", {"cx": x, "cy": y, "r": radius, "class": class_})


def picture(body: str, *, width: float, height: float, name: str, title: str, description: str, class_: str) -> str:
    """Wrap `body` as an image that a screen reader announces.

    Parameters
    ----------
    name
        Prefix of the ids that tie title and description to the image; unique in the page.
    title, description
        What the image is, and what it shows in words with its numbers.
    """
    head: Attributes = {
        "class": class_,
        "viewBox": f"0 0 {_round(width)} {_round(height)}",
        "width": width,
        "height": height,
        "role": "img",
        "aria-labelledby": f"{name}-title {name}-description",
    }
    spoken = element("title", {"id": f"{name}-title"}, escape(title, quote=False)) + element(
        "desc", {"id": f"{name}-description"}, escape(description, quote=False)
    )
    return element("svg", head, spoken, body)


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else _round(value)


def _round(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
