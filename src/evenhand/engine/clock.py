"""Time and names of runs. The clock is an argument everywhere; this is the real one."""

import secrets
from collections.abc import Callable
from datetime import UTC, datetime

from evenhand.core.types import RunId

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Now, in UTC."""
    return datetime.now(UTC)


def timestamp(moment: datetime) -> str:
    """ISO 8601 in UTC, to the second."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def new_run_id(moment: datetime) -> RunId:
    """Make an id that sorts by time; the tail keeps runs of one second apart."""
    return RunId(f"{moment.astimezone(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}")
