"""One value, one digest: sha256 over canonical JSON (RFC 8785 in spirit: sorted keys, UTF-8, no NaN)."""

import hashlib
import math
from pathlib import Path

import orjson

_FLAGS = orjson.OPT_SORT_KEYS | orjson.OPT_SERIALIZE_NUMPY


def canonical(value: object) -> bytes:
    """Serialise `value` the same way every time.

    Raises
    ------
    ValueError
        If it holds NaN or infinity, which JSON cannot say (orjson alone would write ``null``).
    TypeError
        If it holds something that is not JSON.
    """
    _refuse_nonfinite(value)
    return orjson.dumps(value, option=_FLAGS)


def digest(value: object) -> str:
    """Hex sha256 of the canonical JSON of `value`."""
    return hashlib.sha256(canonical(value)).hexdigest()


def file_digest(path: Path) -> str:
    """Hex sha256 of a file's bytes."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def _refuse_nonfinite(value: object) -> None:
    match value:
        case float() if not math.isfinite(value):
            raise ValueError(f"{value!r} has no canonical form")
        case dict():
            for item in value.values():
                _refuse_nonfinite(item)
        case list() | tuple():
            for item in value:
                _refuse_nonfinite(item)
