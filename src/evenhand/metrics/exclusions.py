"""Every output is accounted for: it entered a value, or it did not, for exactly one reason."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.core.table import Codes, Flags, OutputTable

NOT_A_CANDIDATE = -1
ENTERED = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Accounting:
    """Who entered, and why the others did not.

    Attributes
    ----------
    code
        (n,) −1 for an output that was no candidate, 0 for one that entered, else the reason's place from 1.
    reasons
        Names of the reasons.
    """

    code: Codes
    reasons: tuple[str, ...]

    def counts(self, rows: Flags | None = None) -> tuple[int, dict[str, int]]:
        """Count the outputs that entered, and the others by reason; over `rows` only, if given."""
        code = self.code if rows is None else self.code[rows]
        return self._named(np.bincount(code[code >= 0], minlength=len(self.reasons) + 1))

    def counts_by(self, key: NDArray[np.integer], size: int) -> list[tuple[int, dict[str, int]]]:
        """Count as `counts`, separately for each key 0 … `size` − 1."""
        width = len(self.reasons) + 1
        inside = self.code >= 0
        flat = key[inside].astype(np.int64) * width + self.code[inside]
        return [self._named(row) for row in np.bincount(flat, minlength=size * width).reshape(size, width)]

    def _named(self, counts: NDArray[np.integer]) -> tuple[int, dict[str, int]]:
        return int(counts[0]), {r: int(n) for r, n in zip(self.reasons, counts[1:], strict=True) if n}


def account(table: OutputTable, candidates: Flags, entered: Flags, why: Mapping[str, Flags]) -> Accounting:
    """Give every candidate that did not enter one reason.

    Parameters
    ----------
    candidates
        (n,) outputs that the metric looks at.
    entered
        (n,) outputs behind the value.
    why
        Reason to flags, in order: the first that holds is counted. Failed, blocked and empty come before all of
        them; what is left over could not be judged.
    """
    failed = ~table.answered & ~table.blocked
    ordered = {"failed": failed, "blocked": table.blocked, "empty": table.empty, **why}
    ordered["could not judge"] = np.ones(len(table), dtype=bool)
    code = np.full(len(table), NOT_A_CANDIDATE, dtype=np.int32)
    open_rows = candidates & ~entered
    for place, flags in enumerate(ordered.values(), start=1):
        code[open_rows & flags] = place
        open_rows = open_rows & ~flags
    code[candidates & entered] = ENTERED
    return Accounting(code=code, reasons=tuple(ordered))
