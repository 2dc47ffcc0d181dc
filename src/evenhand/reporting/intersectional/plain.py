"""The figures of intersectional questions as plain JSON values, numbers unrounded."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from evenhand.instruments.intersectional.result import Intersectional


def as_json(found: Intersectional, source: Mapping[str, str]) -> dict[str, Any]:
    """Return everything that the report rests on."""
    return {"source": dict(source), **asdict(found)}
