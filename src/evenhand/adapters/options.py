"""Settings of a provider, as given on the command line or in a call."""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any

from evenhand.errors import UsageError

Reader = Callable[[Any], Any]


def read_options(provider: str, options: Mapping[str, Any], readers: Mapping[str, Reader]) -> dict[str, Any]:
    """Read each option with its reader.

    Parameters
    ----------
    readers
        Option name to a function that returns the value or raises ValueError saying what it must be.

    Raises
    ------
    UsageError
        If an option is not known or its value does not fit.
    """
    values = {}
    for name, given in options.items():
        if name not in readers:
            near = get_close_matches(name, readers, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            known = ", ".join(sorted(readers)) or "none"
            raise UsageError(f"{provider} has no option {name!r}.{hint} Known: {known}.")
        try:
            values[name] = readers[name](given)
        except (ValueError, TypeError) as error:
            raise UsageError(f"the option {name!r} of {provider} {error}, not {given!r}") from None
    return values


def positive_integer(given: Any) -> int:
    """Read a whole number of at least 1."""
    number = int(given) if str(given).strip().isascii() and str(given).strip().isdigit() else 0
    if number < 1:
        raise ValueError("must be a whole number of at least 1")
    return number


def positive_number(given: Any) -> float:
    """Read a finite number above 0."""
    try:
        number = float(given)
    except (ValueError, TypeError):
        number = 0.0
    if not 0 < number < float("inf"):
        raise ValueError("must be a number above 0")
    return number


def text(given: Any) -> str:
    """Read a text that is not empty."""
    if not isinstance(given, str) or not given.strip():
        raise ValueError("must be a text")
    return given.strip()


def one_of(*choices: str) -> Reader:
    """Make a reader of one of a few words, also where YAML took them for a truth value or a day."""

    def read(given: Any) -> str:
        word = {True: "on", False: "off"}[given] if isinstance(given, bool) else str(given)
        if word not in choices:
            raise ValueError(f"must be {', '.join(choices[:-1])} or {choices[-1]}")
        return word

    return read
