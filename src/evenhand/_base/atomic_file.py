"""A file that appears whole or not at all, whoever reads it meanwhile and whatever kills the writer."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from evenhand.errors import UsageError


@contextmanager
def replacing(target: Path) -> Iterator[BinaryIO]:
    """Write to a file beside `target`, which takes its place at the end if nothing was raised.

    Raises
    ------
    UsageError
        If it cannot be written: no right, no space, a directory of that name.
    """
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
    except OSError as error:
        raise UsageError(f"{target} cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):  # after success there is nothing left to remove
            temporary.unlink(missing_ok=True)
