"""Read a pickle without running it: only listed classes, each replaced by a stand-in that does nothing."""

import pickle
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from evenhand.errors import AssetError


class Inert:
    """Holds the attributes of a pickled object; has no behaviour of its own."""


def plain_dict(*_factory: object) -> dict[Any, Any]:
    """Stand in for every dictionary class; a default factory is dropped and never called."""
    return {}


def load(path: Path, *, allowed: Mapping[tuple[str, str], Callable[..., object]]) -> object:
    """Read a pickle in which only `allowed` may be named.

    Parameters
    ----------
    path
        The pickle.
    allowed
        (module, name) to what takes its place.

    Returns
    -------
    object
        Plain data and `Inert` objects.

    Raises
    ------
    AssetError
        If the pickle names anything else, or is not a pickle.
    """
    with path.open("rb") as handle:
        try:
            return _Reader(handle, allowed).load()
        except AssetError:
            raise
        except Exception as error:
            raise AssetError(f"{path.name} cannot be read: {type(error).__name__}.") from error


class _Reader(pickle.Unpickler):
    def __init__(self, handle: Any, allowed: Mapping[tuple[str, str], Callable[..., object]]) -> None:
        super().__init__(handle)
        self._allowed = allowed

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in self._allowed:
            raise AssetError(f"The pickle names {module}.{name}, which is not allowed. Refused.")
        return self._allowed[module, name]
