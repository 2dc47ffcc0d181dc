"""Names to things, looked up late. A registry holds ``"module:Attribute"`` and imports on first use."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from evenhand.errors import UnknownNameError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

T = TypeVar("T")


class Registry(Generic[T]):
    """Lazy lookup by name: built-in table, entry points, and what is registered at run time.

    Parameters
    ----------
    kind
        What it holds, in the singular, as error messages should call it.
    builtin
        Name to ``"module:Attribute"``.
    group
        Entry-point group through which other packages add names.

    Notes
    -----
    A name registered at run time wins over an entry point, which never wins over a built-in name: an
    installed package cannot silently change what a known name measures.
    """

    def __init__(self, kind: str, builtin: Mapping[str, str], group: str) -> None:
        self.kind, self.group = kind, group
        self._builtin = dict(builtin)
        self._own: dict[str, T] = {}

    def register(self, name: str, thing: T) -> None:
        """Add `thing` under `name` for this registry object only."""
        self._own[name] = thing

    def get(self, name: str) -> T:
        """Return the thing called `name`.

        Raises
        ------
        UnknownNameError
            If no built-in, entry point or registered thing has that name.
        """
        if name in self._own:
            return self._own[name]
        if name in self._builtin:
            module, _, attribute = self._builtin[name].partition(":")
            return cast("T", getattr(import_module(module), attribute))
        for point in self._points():
            if point.name == name:
                return cast("T", point.load())
        raise UnknownNameError(self.kind, name, self.names())

    def names(self) -> tuple[str, ...]:
        """Every name that `get` accepts: built-in ones in the order of their table, then the others, sorted."""
        points = {point.name for point in self._points()}
        return (*self._builtin, *sorted({*points, *self._own} - self._builtin.keys()))

    def _points(self) -> "EntryPoints":
        from importlib.metadata import entry_points  # slow to import, and rarely needed

        return entry_points(group=self.group)

    def __contains__(self, name: object) -> bool:
        return name in self.names()

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())
