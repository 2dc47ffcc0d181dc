"""Reads this room's data files: word lists and rules, as YAML inside the package."""

import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

import yaml


@cache
def read_data(name: str) -> Any:
    """Parse one data file. The result is shared: treat it as read-only."""
    return yaml.load(_text(name), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


@cache
def fingerprint(*names: str) -> str:
    """Eight hex digits that change whenever one of the files does; part of an evaluator's version."""
    return hashlib.sha256("\0".join(_text(name) for name in names).encode()).hexdigest()[:8]


def _text(name: str) -> str:
    return (files("evenhand.evaluation") / "data" / name).read_text(encoding="utf-8")
