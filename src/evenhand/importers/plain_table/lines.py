"""A text file line by line: UTF-8 of bounded lines, whatever the bytes are."""

import gzip
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from evenhand.errors import DataError
from evenhand.importers.plain_table.problems import Problems

LONGEST = 1 << 20
"""Bytes of a line. A row of decisions takes a hundred; what has no line break must not fill the memory."""
_BOM = b"\xef\xbb\xbf"


def text_lines(path: Path, problems: Problems) -> Iterator[tuple[int, str]]:
    """Yield number and text of every line that can be read, line break included.

    Raises
    ------
    DataError
        At the first line that cannot, unless problems are to be reported; if the file is no whole gzip file.
    """
    with opened(path) as stream:
        number = 0
        while raw := _read(stream, path):
            number += 1
            if len(raw) > LONGEST:
                problems.lose(f"the line is longer than {LONGEST:,} bytes", number)
                _skip(stream, path)
                continue
            text = _decoded(raw.removeprefix(_BOM) if number == 1 else raw, number, problems)
            if text is not None:
                yield number, text


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading bytes, unpacked if it is packed with gzip."""
    with path.open("rb") as stream:
        is_packed = stream.read(2) == b"\x1f\x8b"
    with cast("BinaryIO", gzip.open(path)) if is_packed else path.open("rb") as stream:  # both yield bytes
        yield stream


def first_bytes(path: Path, count: int) -> bytes:
    """Return the beginning of a file, unpacked."""
    with opened(path) as stream:
        return _guarded(lambda: stream.read(count), path)


def _read(stream: BinaryIO, path: Path) -> bytes:
    return _guarded(lambda: stream.readline(LONGEST + 1), path)


def _skip(stream: BinaryIO, path: Path) -> None:
    while (more := _read(stream, path)) and not more.endswith(b"\n"):
        pass


def _guarded(read: Callable[[], bytes], path: Path) -> bytes:
    try:
        return read()
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"this gzip file is damaged: {error}", file=path) from error


def _decoded(raw: bytes, number: int, problems: Problems) -> str | None:
    if b"\x00" in raw:
        problems.lose("the line holds a NUL byte; save the file as UTF-8 text", number)
        return None
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        problems.lose(f"the line is not UTF-8 (byte {error.start + 1}); save the file as UTF-8 text", number)
        return None
