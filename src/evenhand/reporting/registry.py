"""Which forms a scorecard has, and writing one to a file. A new form is one file and one line here."""

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from evenhand._base.registry import Registry
from evenhand.errors import UsageError
from evenhand.reporting.view import Scorecard

Form = Callable[[Scorecard], str]

BUILTIN = {
    "html": "evenhand.reporting.html:render",
    "json": "evenhand.reporting.json_form:render",
    "md": "evenhand.reporting.markdown:render",
}
_SUFFIXES = {"htm": "html", "markdown": "md"}


def registry() -> Registry[Form]:
    """Make a registry of the built-in forms and those that other packages offer."""
    return Registry("report form", BUILTIN, "evenhand.reports")


def write(scorecard: Scorecard, path: str | Path, *, forms: Registry[Form] | None = None) -> Path:
    """Write the form that the suffix names; the file appears whole or not at all.

    Raises
    ------
    UsageError
        If the path has no suffix or cannot be written.
    UnknownNameError
        If no form has that name.
    """
    target = Path(path)
    suffix = target.suffix.lower().removeprefix(".")
    if not suffix:
        raise UsageError(f"{target} has no suffix to choose a form by; end it in .html, .md or .json")
    form = (forms or registry()).get(_SUFFIXES.get(suffix, suffix))
    _replace(target, form(scorecard))
    return target


def _replace(target: Path, content: str) -> None:
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
    except OSError as error:
        raise UsageError(f"{target} cannot be written: {error.strerror or error}") from error
    finally:
        _remove(temporary)


def _remove(temporary: Path) -> None:
    """Clear up after a failure; after success there is nothing left to remove."""
    with suppress(OSError):
        temporary.unlink(missing_ok=True)
