"""The lease on a run: two processes never execute the same one, and a dead owner never blocks the next."""

from datetime import datetime, timedelta

from sqlalchemy import Connection, insert, select, update

from evenhand.core.types import RunId
from evenhand.errors import StoreError
from evenhand.storage import schema
from evenhand.storage.owner import Owner, is_known_dead, this_process

_TABLE = schema.leases


def take(connection: Connection, run_id: RunId, owner: str, now: datetime, lease_s: float) -> None:
    """Take or renew the lease.

    Parameters
    ----------
    owner
        Unique to the store object: two of them in one process are two owners.

    Raises
    ------
    StoreError
        If somebody else holds it and may be alive.
    """
    # PostgreSQL: two that ask at once must take turns. On SQLite the transaction excludes other writers anyway
    connection.execute(select(schema.runs.c.id).where(schema.runs.c.id == run_id).with_for_update(key_share=True))
    held = connection.execute(select(_TABLE).where(_TABLE.c.run_id == run_id)).one_or_none()
    if held is not None and held.owner != owner and held.released_at is None:
        holder = Owner(host=held.host, pid=held.pid, process=held.process)
        if now < datetime.fromisoformat(held.expires_at) and not is_known_dead(holder):
            raise _busy(run_id, holder, held.heartbeat_at, held.expires_at)
    row = _lease(owner, now, lease_s)
    if held is None:
        connection.execute(insert(_TABLE), {"run_id": run_id, **row})
        return
    if held.owner == owner and held.released_at is None:
        del row["claimed_at"]
    connection.execute(update(_TABLE).where(_TABLE.c.run_id == run_id).values(row))


def renew(connection: Connection, run_id: RunId, owner: str, now: datetime, lease_s: float) -> None:
    """Say that the owner is alive.

    Raises
    ------
    StoreError
        If the lease was taken over meanwhile: what this process would still write belongs to another.
    """
    mine = (_TABLE.c.run_id == run_id, _TABLE.c.owner == owner, _TABLE.c.released_at.is_(None))
    alive = {"heartbeat_at": now.isoformat(), "expires_at": _after(now, lease_s)}
    if connection.execute(update(_TABLE).where(*mine).values(alive)).rowcount == 0:
        raise StoreError(
            f"Run {run_id} was taken over by another process, because this one did not save anything for "
            f"{lease_s:g} seconds. What was saved is kept; nothing more is saved from here."
        )


def give_back(connection: Connection, run_id: RunId, owner: str, now: datetime) -> None:
    """End the lease if `owner` holds it. The row stays and says who was last."""
    mine = (_TABLE.c.run_id == run_id, _TABLE.c.owner == owner, _TABLE.c.released_at.is_(None))
    connection.execute(update(_TABLE).where(*mine).values(released_at=now.isoformat()))


def _lease(owner: str, now: datetime, lease_s: float) -> dict[str, str | int | None]:
    process = this_process()
    return {
        "owner": owner,
        "host": process.host,
        "pid": process.pid,
        "process": process.process,
        "claimed_at": now.isoformat(),
        "heartbeat_at": now.isoformat(),
        "expires_at": _after(now, lease_s),
        "released_at": None,
    }


def _after(now: datetime, lease_s: float) -> str:
    return (now + timedelta(seconds=lease_s)).isoformat()


def _busy(run_id: RunId, holder: Owner, heartbeat_at: str, expires_at: str) -> StoreError:
    return StoreError(
        f"Run {run_id} is being executed by process {holder.pid} on {holder.host or 'an unnamed machine'}, last heard "
        f"of at {heartbeat_at}. Wait for it or end it; if that machine is gone, the run is free after {expires_at}."
    )
