"""Database errors in plain words: which store, what happened, what to do."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import IntegrityError, SQLAlchemyError, StatementError

from evenhand.errors import EvenhandError, StoreError

_ELSEWHERE = "or choose another place with EVENHAND_DB"

# a piece of what SQLite says, and what it means for the reader
_ADVICE = (
    (
        ("not a database", "malformed", "unsupported file format"),
        "is damaged or is not a database. Restore a copy, or move the file away to start an empty store.",
    ),
    (
        ("readonly", "read-only"),
        f"can be read but not written. Allow writing to the file and to its directory, {_ELSEWHERE}.",
    ),
    (
        ("unable to open",),
        f"cannot be opened. Check that the path is a file you may read and write, in a directory that exists, "
        f"{_ELSEWHERE}.",
    ),
    (
        ("is locked",),
        "is being written by another process that does not finish. Wait for it or end it, then try again.",
    ),
    (
        ("is full",),
        f"cannot grow, the disk is full. Free some space, {_ELSEWHERE}; what was saved so far is safe.",
    ),
)


@contextmanager
def explained(place: str) -> Iterator[None]:
    """Turn every error of the database into a `StoreError` that names `place` and says what to do."""
    try:
        yield
    except StatementError as error:
        # our own refusals (NaN in JSON) come back wrapped when they were raised while values were bound
        if isinstance(error.orig, EvenhandError):
            raise error.orig from None
        raise StoreError(_sentence(place, error)) from error
    except (SQLAlchemyError, OverflowError) as error:
        raise StoreError(f"The store {place} refused: {error}.") from error


def _sentence(place: str, error: StatementError) -> str:
    said = str(error.orig).strip()
    if isinstance(error, IntegrityError):
        return (
            f"The store {place} lacks the run or the response that this belongs to, or holds this run already ({said})."
        )
    for pieces, advice in _ADVICE:
        if any(piece in said for piece in pieces):
            return f"The store {place} {advice} (The database says: {said}.)"
    return f"The store {place} failed: {said}."
