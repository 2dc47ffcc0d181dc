"""Vector files to vector sets. A set, or one SpecError that lists everything that is wrong with the file."""

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from evenhand.core.vectors import AttackVector, Pair, VectorSet
from evenhand.scenarios.document import Document, Problem
from evenhand.scenarios.loader import MAX_PROBLEMS, read_file, refused
from evenhand.scenarios.vectors.checks import check_problems
from evenhand.scenarios.vectors.shape import shape_problems
from evenhand.scenarios.yaml_source import read


def load_vectors(path: str | Path) -> VectorSet:
    """Read a vector file.

    Raises
    ------
    UsageError
        If there is no such file, or it cannot be opened.
    SpecError
        If its content cannot be used; `SpecError.problems` lists every problem with file, line, field and value.
    """
    return parse_vectors(read_file(path), source=str(path))


def parse_vectors(text: str | bytes, *, source: str) -> VectorSet:
    """Read a vector set from the text of a file.

    Parameters
    ----------
    text
        YAML, or its bytes in UTF-8; at most 5 MB, 500 vectors, 20 turns each.
    source
        Name or path of it, for messages.

    Raises
    ------
    SpecError
        If the text cannot be used.
    """
    document = read(text, source=source)
    problems = list(islice(_problems(document), MAX_PROBLEMS + 1))
    if problems:
        raise refused(document, problems)
    data: Any = document.data  # Any: what was just checked
    return VectorSet(
        name=data["name"],
        version=data.get("version", ""),
        description=data.get("description", ""),
        vectors=tuple(_vector(each) for each in data["vectors"]),
    )


def _problems(document: Document) -> Iterator[Problem]:
    """Yield every problem; what has the wrong shape is not asked whether it makes sense."""
    found = False
    for problem in (*document.problems, *shape_problems(document)):
        found = True
        yield problem
    if not found:
        data: Any = document.data
        yield from check_problems(data)


def _vector(plain: Mapping[str, Any]) -> AttackVector:
    pair = plain.get("pair")
    return AttackVector(
        id=plain["id"],
        description=plain["description"].strip(),
        attributes=tuple(plain["attributes"]),
        turns=tuple(turn.strip() for turn in plain["turns"]),
        system=plain["system"].strip() if "system" in plain else None,
        values=dict(plain.get("values", {})),
        pair=None if pair is None else Pair(treated=dict(pair["treated"]), comparison=dict(pair["comparison"])),
        figures=dict(plain.get("figures", {})),
    )
