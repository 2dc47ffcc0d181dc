"""Which forms a scorecard has, and writing one to a file. A new form is one file and one line here."""

from collections.abc import Callable
from pathlib import Path

from evenhand._base.atomic_file import replacing
from evenhand._base.registry import Registry
from evenhand.errors import UsageError
from evenhand.reporting.view import Scorecard

Form = Callable[[Scorecard], str]

BUILTIN = {
    "html": "evenhand.reporting.html:render",
    "json": "evenhand.reporting.json_form:render",
    "junit": "evenhand.reporting.junit_form:render",
    "md": "evenhand.reporting.markdown:render",
}
_SUFFIXES = {"htm": "html", "markdown": "md", "xml": "junit"}


def registry() -> Registry[Form]:
    """Make a registry of the built-in forms and those that other packages offer."""
    return Registry("report form", BUILTIN, "evenhand.reports")


def write(
    scorecard: Scorecard, path: str | Path, *, form: str | Form | None = None, forms: Registry[Form] | None = None
) -> Path:
    """Write one form to a file, which appears whole or not at all.

    Parameters
    ----------
    form
        A form or its name, whatever the path is called; None chooses by the path's suffix.
    forms
        Where names are looked up; None for the built-in forms and those that other packages offer.

    Raises
    ------
    UsageError
        If the path has no suffix to choose by, or cannot be written.
    UnknownNameError
        If no form has that name.
    """
    target = Path(path)
    chosen = _form_of(target) if form is None else form
    make = (forms or registry()).get(chosen) if isinstance(chosen, str) else chosen
    content = make(scorecard).encode()
    with replacing(target) as stream:
        stream.write(content)
    return target


def _form_of(target: Path) -> str:
    suffix = target.suffix.lower().removeprefix(".")
    if not suffix:
        raise UsageError(f"{target} has no suffix to choose a form by; end it in .html, .md, .json or .xml (JUnit)")
    return _SUFFIXES.get(suffix, suffix)
