"""Vector sets by name. A set is a file, found by being there."""

from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from evenhand.core.vectors import VectorSet
from evenhand.errors import UnknownNameError, UsageError
from evenhand.scenarios.vectors.reader import load_vectors, parse_vectors

ENDINGS = (".yaml", ".yml")


def vector_set_names() -> tuple[str, ...]:
    """Names of the built-in sets, sorted; no file is opened."""
    return tuple(sorted(_files()))


def vector_set(name_or_path: str | Path) -> VectorSet:
    """Read a set by its name, or by a path that ends in ``.yaml`` or ``.yml``.

    Raises
    ------
    UnknownNameError
        If there is no set of that name.
    UsageError
        If there is no such file.
    SpecError
        If the file's content cannot be used.
    """
    if isinstance(name_or_path, Path) or name_or_path.lower().endswith(ENDINGS):
        return load_vectors(name_or_path)
    found = _files()
    if name_or_path not in found:
        raise UnknownNameError("vector set", name_or_path, [*found, "PATH.yaml"])
    file = found[name_or_path]
    return parse_vectors(file.read_bytes(), source=file.name)


def chosen(group: VectorSet, ids: Sequence[str]) -> VectorSet:
    """Keep the vectors with these ids, in the order of the set; all of them if none are named.

    Raises
    ------
    UnknownNameError
        If the set has no vector of an id.
    UsageError
        If an id is named twice.
    """
    known = [vector.id for vector in group.vectors]
    for name in ids:
        if name not in known:
            raise UnknownNameError("vector", name, known)
    if len(set(ids)) < len(ids):
        raise UsageError("a vector is named twice; more conversations of it are more --replicates")
    return replace(group, vectors=tuple(v for v in group.vectors if v.id in ids)) if ids else group


def _files() -> dict[str, Traversable]:
    folder = files("evenhand.scenarios.vectors") / "builtin"
    named = sorted((file for file in folder.iterdir() if file.name.endswith(ENDINGS)), key=lambda file: file.name)
    return {file.name.rpartition(".")[0]: file for file in named}
