"""The note beside a cached file: what was verified, and at which size and time, so that hashing happens once."""

import os
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from evenhand._base.digest import file_digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What was true of a file when its bytes were last hashed.

    Attributes
    ----------
    sha256
        Digest of the file itself.
    size_bytes, modified_ns
        From the file system; if either differs now, the bytes are hashed again.
    sources
        sha256 of every pinned file that it was made from, in the table's order.
    converter_version
        Version of the converter that made it; 0 for a file used as it is.
    """

    sha256: str
    size_bytes: int
    modified_ns: int
    sources: tuple[str, ...]
    converter_version: int


def measure(path: Path, *, sources: tuple[str, ...], converter_version: int) -> Record:
    """Hash `path` and note its size and time."""
    before = path.stat()
    return Record(
        sha256=file_digest(path),
        size_bytes=before.st_size,
        modified_ns=before.st_mtime_ns,
        sources=sources,
        converter_version=converter_version,
    )


def is_untouched(path: Path, record: Record) -> bool:
    """True if the file's size and time are still those of the record."""
    now = path.stat()
    return (now.st_size, now.st_mtime_ns) == (record.size_bytes, record.modified_ns)


def read(path: Path) -> Record | None:
    """Return the record beside `path`; None if there is none that can be understood."""
    try:
        plain = orjson.loads(record_path(path).read_bytes())
        return Record(**{**plain, "sources": tuple(plain["sources"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write(path: Path, record: Record) -> None:
    """Write the record beside `path`. The file it speaks of must already be there.

    Raises
    ------
    OSError
        If the cache cannot be written.
    """
    target = record_path(path)
    temporary = target.with_name(f"{target.name}.{os.getpid()}")  # two processes may pull at once
    temporary.write_bytes(orjson.dumps(asdict(record), option=orjson.OPT_INDENT_2))
    temporary.replace(target)


def record_path(path: Path) -> Path:
    """Return the record's own path."""
    return path.with_name(f"{path.name}.record.json")
