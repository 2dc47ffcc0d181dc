"""Database errors in plain words: which store, what happened, what to do."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError, StatementError

from evenhand.errors import EvenhandError, StoreError

_ELSEWHERE = "or choose another place with EVENHAND_DB"
_SAVED = "What was saved so far is safe, and the same command goes on from there."

_FULL = f"cannot grow, its disk is full. Free some space, {_ELSEWHERE}. {_SAVED}"
_LOCKED = f"is being written by another process that does not finish. Wait for it or end it, then try again. {_SAVED}"
_LOST = f"is gone: its server stopped, or the network broke. Try again when it is back. {_SAVED}"
_REFUSED = "refuses the user. Check the name in the URL, and the password there, in PGPASSWORD or in ~/.pgpass."
_NO_RIGHT = "does not let this user write. Ask its owner for the right to make and change tables there."

# what PostgreSQL calls it (SQLSTATE, or the class that it begins with), since its words come in many languages
_STATES = {
    "53100": _FULL,
    "55P03": _LOCKED,
    "57P": _LOST,
    "08": _LOST,
    "28": _REFUSED,
    "3D000": "does not exist. Make it with createdb, and check its name in the URL.",
    "42501": _NO_RIGHT,
    "25006": "can be read but not written: it is a standby, or its user may only read.",
}

# a piece of what SQLite, or the PostgreSQL client before it is connected, says
_PIECES = (
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
        "cannot be opened. Check that the path is a file you may read and write, in a directory that exists, "
        f"{_ELSEWHERE}.",
    ),
    (("is locked",), _LOCKED),
    (("is full",), _FULL),
    (
        ("disk I/O error",),
        f"cannot be read or written: the disk is full, or it is failing. Check it, {_ELSEWHERE}. {_SAVED}",
    ),
    (("password", "authentication", "pg_hba.conf", "role "), _REFUSED),
    (("does not exist",), _STATES["3D000"]),
    (
        ("connection failed", "connection is bad", "connection timeout", "could not connect", "resolve host"),
        f"cannot be reached. Check that its server runs, and the host and port in the URL, {_ELSEWHERE}.",
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
    said = _said(error)
    if isinstance(error, IntegrityError):
        return (
            f"The store {place} lacks the run or the response that this belongs to, or holds this run already ({said})."
        )
    advice = _by_state(error) or _by_words(said)
    if advice is None:
        return f"The store {place} failed: {said}."
    return f"The store {place} {advice} (The database says: {said})"


def _said(error: StatementError) -> str:
    # PostgreSQL's details repeat rows, which are prompts and answers: its first sentence is enough
    diagnosis = getattr(error.orig, "diag", None)
    said = getattr(diagnosis, "message_primary", None) or str(error.orig).strip()
    return " ".join(said.split()).removesuffix(".")


def _by_state(error: StatementError) -> str | None:
    state: str = getattr(error.orig, "sqlstate", None) or ""
    advice = next((advice for beginning, advice in _STATES.items() if state.startswith(beginning)), None)
    if advice is None and isinstance(error, DBAPIError) and error.connection_invalidated:
        return _LOST
    return advice


def _by_words(said: str) -> str | None:
    return next((advice for pieces, advice in _PIECES if any(piece in said for piece in pieces)), None)
