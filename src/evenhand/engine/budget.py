"""A budget that is never exceeded: the worst case of every request under way is set aside before it is asked."""

import asyncio
import math

from evenhand.errors import UsageError

_ROUNDING = 1e-9
"""Relative; sums of binary fractions stray by far less, and a budget of exactly the cost must be enough."""


class Budget:
    """Counts what was spent, and lets a request through while its worst case still fits.

    Parameters
    ----------
    limit_usd
        For the whole run, earlier executions included; None for no limit.
    spent_usd
        What earlier executions of the run have spent.
    """

    def __init__(self, limit_usd: float | None = None, *, spent_usd: float = 0.0) -> None:
        self._limit = math.inf if limit_usd is None else limit_usd * (1 + _ROUNDING)
        self._reserved: dict[object, float] = {}
        self._turn, self._settled = asyncio.Lock(), asyncio.Event()
        self.spent_usd = spent_usd
        self.is_exhausted = False

    async def admit(self, key: object, worst_usd: float) -> bool:
        """Set `worst_usd` aside under `key`, or say that there is no room.

        Requests are let through in the order in which they come: a cheap one does not overtake, or replicates would
        not stay balanced. While others are under way one waits, since they nearly always cost less than their worst
        case. Once one request has not fitted, none does.
        """
        async with self._turn:
            while not self.is_exhausted:
                if self.spent_usd + math.fsum(self._reserved.values()) + worst_usd <= self._limit:
                    self._reserved[key] = worst_usd
                    return True
                if not self._reserved:
                    self.is_exhausted = True
                    break
                self._settled.clear()
                await self._settled.wait()
            return False

    def settle(self, key: object, cost_usd: float) -> None:
        """Replace what was set aside under `key` by what it cost."""
        self.spent_usd += cost_usd
        self._reserved.pop(key, None)
        self._settled.set()


def checked_budget(budget_usd: float | None) -> float | None:
    """Return a budget that can be kept to.

    Raises
    ------
    UsageError
        If it is not a positive number.
    """
    if budget_usd is not None and not (math.isfinite(budget_usd) and budget_usd > 0):
        raise UsageError(f"a budget is a positive number of US dollars, not {budget_usd!r}; leave it out for no limit")
    return budget_usd
