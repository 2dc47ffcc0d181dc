"""A polite end: stop asking, keep what is already paid for, leave the rest for the same call to go on with."""

import asyncio


class Stop:
    """A request, from outside, to end a run before it is done.

    Parameters
    ----------
    grace_s
        Seconds that answers under way are waited for, because most providers bill what they have begun. What is
        not there by then is cancelled, and asked again when the run goes on.
    """

    def __init__(self, *, grace_s: float = 10.0) -> None:
        self.grace_s = grace_s
        self._requested = asyncio.Event()

    def request(self) -> None:
        """Ask for it; from the event loop's own thread. Asking twice changes nothing."""
        self._requested.set()

    @property
    def is_requested(self) -> bool:
        """True once somebody asked."""
        return self._requested.is_set()

    async def wait(self) -> None:
        """Return when somebody asks."""
        await self._requested.wait()
