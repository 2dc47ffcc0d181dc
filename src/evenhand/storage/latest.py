"""Which row of each request counts: the one of its latest round."""

from collections.abc import Iterable, Mapping

from sqlalchemy import Connection, Text, select, type_coerce

from evenhand.core.types import RequestId, RunId
from evenhand.errors import StoreError
from evenhand.storage import schema
from evenhand.storage.codecs import escape_all, unescape_all
from evenhand.storage.inserting import marks
from evenhand.storage.reading import in_pieces
from evenhand.storage.responses import count_rows

_NAMES_AT_ONCE = 1_000


class LatestRows:
    """Row number to request, of the latest rounds of one run; remembered while no response is added.

    Rows are never changed or deleted, so that as many rows as before are the same rows as before.
    """

    def __init__(self) -> None:
        self._known: tuple[RunId, int, Mapping[int, RequestId]] | None = None

    def of(self, connection: Connection, run_id: RunId) -> Mapping[int, RequestId]:
        """Return them, read again only if they may have changed."""
        known, count = self._known, count_rows(connection, run_id)
        if known is not None and known[:2] == (run_id, count):
            return known[2]
        found = _read(connection, run_id)
        self._known = run_id, count, found
        return found


def latest_numbers(connection: Connection, run_id: RunId, requests: Iterable[RequestId]) -> dict[RequestId, int]:
    """Return the row number of the latest round of some requests.

    Raises
    ------
    StoreError
        If one of them has no response yet.
    """
    given = list(requests)
    stored_ids, (stored_run,) = escape_all(given), escape_all([run_id])
    found: dict[str, int] = {}
    for start in range(0, len(given), _NAMES_AT_ONCE):
        some = stored_ids[start : start + _NAMES_AT_ONCE]
        # past SQLAlchemy, which takes longer to write out such a list than the database to look it up
        rows = connection.exec_driver_sql(
            f"SELECT request_id, sequence FROM responses WHERE run_id = {marks(connection, 1)} "
            f"AND request_id IN ({marks(connection, len(some))}) ORDER BY round",
            (stored_run, *some),
        )
        found.update(rows.all())  # a later round overwrites
    if len(found) < len(given):
        missing = next(request for request, its_text in zip(given, stored_ids, strict=True) if its_text not in found)
        raise StoreError(
            f"Run {run_id} has no response to request {missing} yet; responses are stored before they are judged."
        )
    return {request: found[its_text] for request, its_text in zip(given, stored_ids, strict=True)}


def _read(connection: Connection, run_id: RunId) -> dict[int, RequestId]:
    table = schema.responses.c
    wanted = select(type_coerce(table.request_id, Text), table.sequence).where(table.run_id == run_id)
    by_request: dict[str, int] = {}
    # in the order of the index, so that nothing is sorted; a later round overwrites an earlier one
    ordered = wanted.order_by(table.request_id, table.round)
    for rows in in_pieces(connection, ordered):
        by_request.update(rows)  # rows of two are pairs
    return dict(zip(by_request.values(), map(RequestId, unescape_all(list(by_request))), strict=True))
