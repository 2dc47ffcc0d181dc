"""Question sets by name or file: ``mini`` ships, everything else is a file in BBQ's schema."""

from pathlib import Path

from evenhand.core.questions import Item
from evenhand.errors import UnknownNameError
from evenhand.scenarios.questions.reader import read_items

BUILTIN = ("mini",)


def read_set(*sources: str | Path) -> list[Item]:
    """Read sets by name, and files; `read_items` says what a file must hold.

    Raises
    ------
    UnknownNameError
        If a source is neither a name nor a file.
    DataError
        As `read_items`.
    """
    paths: list[Path] = []
    for source in sources:
        if str(source) in BUILTIN:
            paths.append(Path(__file__).with_name("builtin") / f"{source}.jsonl")
        elif Path(source).is_file():
            paths.append(Path(source))
        else:
            raise UnknownNameError("question set or file", str(source), BUILTIN)
    return read_items(paths)
