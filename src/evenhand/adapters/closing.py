"""Things that hold a connection or a model, and give it back."""

from types import TracebackType
from typing import Self


class Closing:
    """Adds ``async with`` to a class with `aclose`."""

    async def aclose(self) -> None:
        """Give back what is held; safe to call twice."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
