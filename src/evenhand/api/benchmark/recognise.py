"""Whether a file is a benchmark spec, by its keys."""

from pathlib import Path
from typing import Literal

from evenhand.api.benchmark.places import is_file, is_folder, is_yaml_path
from evenhand.errors import SpecError, UsageError
from evenhand.scenarios.loose import mapping
from evenhand.scenarios.yaml_events import MAX_BYTES
from evenhand.scenarios.yaml_source import read

Kind = Literal["benchmark", "other", "unreadable"]
_KEYS = frozenset({"benchmark", "model_under_test"})


def kind_of_file(path: str | Path) -> Kind:
    """Say what a file is.

    Returns
    -------
    Kind
        ``"benchmark"`` for a YAML file with one of a spec's own keys at its top; ``"unreadable"`` for one that is no
        YAML that Evenhand reads, whatever it was meant to be; ``"other"`` for everything else, files that do not
        exist included.
    """
    if not is_yaml_path(str(path)) or not is_file(Path(path)):
        return "other"
    try:
        content = read_spec(path)
        # most files are scenario sets, some of them large: these need not be read twice
        if not any(key in content.decode() for key in _KEYS):
            return "other"
        document = read(content, source=str(path))
    except (SpecError, UsageError, UnicodeDecodeError):
        return "unreadable"
    return "benchmark" if _KEYS & mapping(document.data).keys() else "other"


def read_spec(path: str | Path) -> bytes:
    """Return the content of a benchmark spec, cut behind the first byte too many.

    Raises
    ------
    UsageError
        If there is no such file, or it cannot be opened.
    """
    file = Path(path)
    # a pipe would block and a device never end
    if not is_file(file):
        if is_folder(file):
            raise UsageError(f"{str(path)!r} is a folder; name the benchmark spec in it.")
        raise UsageError(f"There is no benchmark spec {str(path)!r}. Write one with: evenhand init {path}")
    try:
        with file.open("rb") as handle:
            return handle.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"The benchmark spec {str(path)!r} cannot be read: {error.strerror}.") from error
