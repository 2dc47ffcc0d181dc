"""Paths that a benchmark spec names: relative to its folder, and not out of it."""

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath

from evenhand.scenarios.document import Path as Field
from evenhand.scenarios.document import Plain, Problem
from evenhand.scenarios.loose import mapping, text
from evenhand.scenarios.registry import ENDINGS

FORMATS: Mapping[str, tuple[str, ...]] = {
    "html": ("html",),
    "md": ("md",),
    "json": ("json",),
    "all": ("html", "md", "json"),
}
"""Format in the spec to the report forms that are written."""
_OUTPUT: Field = ("output", "path")
STAYS_INSIDE = "a path in a spec is relative to the folder of the file and stays in it"


def is_yaml_path(name: str) -> bool:
    """Say whether a name means a file, as everywhere in Evenhand: by its ending."""
    return name.lower().endswith(ENDINGS)


def is_file(path: Path) -> bool:
    """Say whether there is a file; what the system cannot even look up is none."""
    try:
        return path.is_file()
    except OSError:  # a name too long, a folder that may not be entered
        return False


def is_folder(path: Path) -> bool:
    """Say whether there is a folder; as `is_file`."""
    try:
        return path.is_dir()
    except OSError:
        return False


def leaves_folder(path: str) -> bool:
    """Say whether a path is absolute, begins in a home directory or climbs out, by the rules of any system."""
    kinds = (PurePosixPath(path), PureWindowsPath(path))
    return path.startswith("~") or any(kind.anchor or ".." in kind.parts for kind in kinds)


def file_problem(name: str, folder: Path, field: Field, *, what: str) -> Problem | None:
    """Say what is wrong with a file that is to be read; None if it is there."""
    if leaves_folder(name):
        return Problem(path=field, text=STAYS_INSIDE, value=name)
    if not is_file(folder / name):
        return Problem(path=field, text=f"there is no {what} {name!r} in the folder of this file")
    return None


def report_paths(path: str, form: str, folder: Path) -> Mapping[str, Path]:
    """Return report form to file. `path` may leave the ending out."""
    ending = f".{form}"
    stem = path.removesuffix(ending) if form != "all" else path
    return {each: folder / f"{stem}.{each}" for each in FORMATS[form]}


def output_problems(data: Plain, written: Plain, folder: Path) -> Iterator[Problem]:
    """Yield what keeps the reports from being written: better now than after the answers were paid for.

    Parameters
    ----------
    data
        The values with their variables read; only these say where the reports go.
    written
        The values as written, with a neutral word for each variable. A variable is the word of whoever runs the
        spec and may lead anywhere; the spec itself may not.
    folder
        The spec's folder.
    """
    given, form = text(mapping(mapping(data).get("output")).get("path")), _format(data)
    literal = text(mapping(mapping(written).get("output")).get("path"))
    if given is None or literal is None:
        return
    if leaves_folder(literal):
        yield Problem(path=_OUTPUT, text=STAYS_INSIDE)
        return
    if form not in FORMATS:  # said elsewhere
        return
    if given.endswith(("/", "\\")) or given.rpartition("/")[2] in {"", "."}:
        yield Problem(path=_OUTPUT, text="a file is wanted here, not a folder; add a name, as in reports/first")
        return
    ending = Path(given).suffix.lower().removeprefix(".")
    if ending in FORMATS["all"] and ending not in FORMATS[form][:1]:
        yield Problem(path=_OUTPUT, text=f"the path ends in .{ending}, but the format is {form}; change one of them")
        return
    if form == "all" and ending in FORMATS["all"]:
        yield Problem(path=_OUTPUT, text=f"with the format all the path has no ending; leave .{ending} out")
        return
    try:
        yield from _blocked(report_paths(given, form, folder))
    except OSError as error:
        yield Problem(path=_OUTPUT, text=f"nothing can be written there: {error.strerror}")


def _format(data: Plain) -> str:
    form = mapping(mapping(data).get("output")).get("format", "all")
    return form if isinstance(form, str) else ""


def _blocked(reports: Mapping[str, Path]) -> Iterator[Problem]:
    for form, file in reports.items():
        if file.is_dir():
            yield Problem(path=_OUTPUT, text=f"a folder stands where the {form} report would go")
            return
        above = next((parent for parent in file.parents if parent.exists()), None)
        if above is not None and not above.is_dir():
            yield Problem(path=_OUTPUT, text="a file stands where the folder of the reports would be")
            return
