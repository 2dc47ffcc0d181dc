"""Who executes a run, and whether that process is still alive."""

import os
import platform
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """A process that may hold a lease.

    Attributes
    ----------
    process
        When the process started, in the kernel's ticks; empty where the system does not tell. A process id alone
        is reused, in a restarted container nearly always.
    """

    host: str
    pid: int
    process: str


def this_process() -> Owner:
    """Describe the running process."""
    pid = os.getpid()
    return Owner(host=platform.node(), pid=pid, process=_started(pid) or "")


def is_known_dead(owner: Owner) -> bool:
    """Say whether `owner` is certainly gone. False for another machine, and whenever the system does not tell."""
    if owner.host != platform.node():
        return False
    return not _answers(owner.pid) or _started(owner.pid) not in (None, owner.process)


def _started(pid: int) -> str | None:
    """Return the start time in /proc, or "ended" for a zombie; None if the system does not tell."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    # the name in parentheses may hold spaces and parentheses itself: count fields after the last one
    state, *rest = stat.rpartition(")")[2].split()
    return "ended" if state in "ZX" else rest[18]


def _answers(pid: int) -> bool:
    if sys.platform == "win32":
        return True  # there, os.kill(pid, 0) would interrupt the process: its lease has to expire
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
