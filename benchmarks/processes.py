"""Whole processes, measured from outside: wall time, processor time, peak memory."""

import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROGRAM = str(Path(sys.executable).parent / "evenhand")
"""The installed command, as a user starts it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one process took; `peak_mb` is its largest resident set."""

    wall_s: float
    processor_s: float
    peak_mb: float
    output: str


def measure(command: Sequence[str], *, environment: Mapping[str, str] | None = None) -> Cost:
    """Run `command` to its end; only `os.wait4` knows what this one process took.

    Raises
    ------
    RuntimeError
        If it fails; with what it wrote.
    """
    with tempfile.TemporaryFile() as output:
        started = time.perf_counter()
        pid = os.posix_spawn(
            command[0],
            command,
            {**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})},
            file_actions=[(os.POSIX_SPAWN_DUP2, output.fileno(), 1), (os.POSIX_SPAWN_DUP2, output.fileno(), 2)],
        )
        _, status, used = os.wait4(pid, 0)
        wall_s = time.perf_counter() - started
        output.seek(0)
        text = output.read().decode()
    if os.waitstatus_to_exitcode(status) != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{text}")
    peak = used.ru_maxrss / 1024
    return Cost(wall_s=wall_s, processor_s=used.ru_utime + used.ru_stime, peak_mb=peak, output=text)


def best_of(rounds: int, command: Sequence[str], *, environment: Mapping[str, str] | None = None) -> Cost:
    """Run `command` several times and return the quickest: the others were disturbed by something else."""
    return min((measure(command, environment=environment) for _ in range(rounds)), key=lambda cost: cost.wall_s)
