"""Reading plain values of unknown shape: what has the wrong kind counts as not there."""

from collections.abc import Iterator, Mapping

from evenhand.scenarios.document import Plain


def mapping(value: Plain) -> Mapping[str, Plain]:
    """Return `value` if it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else {}


def entries(value: Plain) -> Iterator[tuple[int, Mapping[str, Plain]]]:
    """Yield position and entry for each mapping in a list."""
    for index, item in enumerate(value if isinstance(value, list) else []):
        if isinstance(item, dict):
            yield index, item


def text(value: Plain) -> str | None:
    """Return `value` if it is text."""
    return value if isinstance(value, str) else None


def texts(value: Plain) -> list[str]:
    """Return the texts in a list; an entry of another kind becomes an empty text, so that positions stay."""
    return [item if isinstance(item, str) else "" for item in value] if isinstance(value, list) else []


def number(value: Plain) -> float | None:
    """Return `value` if it is a number; true and false are none."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
