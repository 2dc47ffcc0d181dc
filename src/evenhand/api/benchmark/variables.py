"""``${NAME}`` from the environment, in three fields only. What a variable holds is never shown.

The headers of http-webhook may hold variables too; that adapter reads them itself.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from evenhand.scenarios.document import Document, Path, Plain, Problem
from evenhand.scenarios.loose import mapping

API_KEY: Path = ("model_under_test", "api_key")
BASE_URL: Path = ("model_under_test", "base_url")
OUTPUT: Path = ("output", "path")
_ALLOWED = (API_KEY, BASE_URL, OUTPUT)
_IN_WORDS = "model_under_test.api_key, model_under_test.base_url and output.path"
_USE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_OPTIONS: Path = ("model_under_test", "options")
_HEADERS: Path = (*_OPTIONS, "headers")
_SECRET_HEADER = re.compile(r"auth|key|token|secret|cookie|credential|session|password", re.IGNORECASE)
_NO_SECRET = "must not stand in a file that is shared; put it in an environment variable and write"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expanded:
    """A document's values with its variables read.

    Attributes
    ----------
    data
        The values; a field that could not be expanded stays as written.
    written
        The values as written, with an ``x`` for each variable.
    problems
        Variables that are not set or stand where none may, secrets that stand in the file itself, and what the reader
        of the file complained of, without any secret.
    secrets
        What the variables held: to be kept out of every message.
    """

    data: Plain
    written: Plain
    problems: tuple[Problem, ...]
    secrets: tuple[str, ...]


def expand(document: Document, environment: Mapping[str, str]) -> Expanded:
    """Expand the variables of a benchmark spec.

    Parameters
    ----------
    environment
        Variable to value.
    """
    data = document.data
    texts = {path: text for path in _ALLOWED if isinstance(text := _at(data, path), str)}
    problems = [*_literal_secrets(document), *_misplaced(data)]
    for path in texts.keys() - {problem.path for problem in problems}:
        problems += _faults(path, texts[path], environment)
    told = {problem.path for problem in problems}
    held = {name: environment[name].strip() for t in texts.values() for name in _USE.findall(t) if name in environment}
    expanded = written = data
    for path, text in texts.items():
        written = _replaced(written, path, _USE.sub("x", text))
        if path not in told:
            expanded = _replaced(expanded, path, _USE.sub(lambda use: held[use[1]], text))
    read = [_unseen(problem) for problem in document.problems if problem.path not in told]
    return Expanded(
        data=expanded,
        written=written,
        problems=(*problems, *read),
        secrets=tuple(value for value in held.values() if value),
    )


def _faults(path: Path, text: str, environment: Mapping[str, str]) -> Iterator[Problem]:
    if "${" in _USE.sub("", text):
        yield Problem(path=path, text="a variable is written ${NAME}, with letters, digits and _ in its name")
        return
    for name in dict.fromkeys(_USE.findall(text)):
        if name not in environment:
            yield Problem(path=path, text=f"the environment variable {name} is not set; set it before the run")
        elif not environment[name].strip():
            yield Problem(path=path, text=f"the environment variable {name} is empty; set it before the run")
        elif _CONTROL.search(environment[name].strip()):
            yield Problem(path=path, text=f"the environment variable {name} holds a line break or control character")


def _unseen(problem: Problem) -> Problem:
    is_secret = any(problem.path[: len(place)] == place for place in (API_KEY, _HEADERS))
    return replace(problem, value=None) if is_secret else problem


def _literal_secrets(document: Document) -> Iterator[Problem]:
    """Yield keys and passwords that stand in the file: it is shared and kept, they must be neither."""
    data = document.data
    # a key of digits may be a number that the reader refused: nothing is left of it in the data
    unread = any(problem.path == API_KEY and problem.value is not None for problem in document.problems)
    key, options = _at(data, API_KEY), mapping(_at(data, _OPTIONS))
    if unread or (key is not None and not (isinstance(key, str) and _USE.fullmatch(key))):
        yield Problem(path=API_KEY, text=f"a key {_NO_SECRET} ${{NAME}}")
    for path in (BASE_URL, (*_OPTIONS, "url")):
        if _has_literal_password(_at(data, path)):
            yield Problem(path=path, text=f"a password {_NO_SECRET} https://user:${{NAME}}@host in base_url")
    for name, value in mapping(_at(data, _HEADERS)).items():
        if _SECRET_HEADER.search(name) and not (isinstance(value, str) and "${" in value):
            yield Problem(path=(*_HEADERS, name), text=f"a secret header {_NO_SECRET} ${{NAME}}")
    for name in ("api_key", "base_url"):
        if name in options:
            yield Problem(path=(*_OPTIONS, name), text=f"write {name} under model_under_test itself, not in options")


def _has_literal_password(address: Plain) -> bool:
    if not isinstance(address, str):
        return False
    try:
        credentials, at, _ = urlsplit(address).netloc.rpartition("@")
    except ValueError:  # no address at all: the provider will say so
        return "@" in address
    user, _, password = credentials.partition(":")
    return bool(at) and _USE.sub("", password or user) != ""


def _misplaced(data: Plain) -> Iterator[Problem]:
    allowed: tuple[Path, ...] = _ALLOWED
    if _at(data, ("model_under_test", "provider")) == "http-webhook":
        allowed = (*_ALLOWED, *((*_HEADERS, name) for name in mapping(_at(data, _HEADERS))))
    for path, value in _values(data, ()):
        if path and isinstance(path[-1], str) and "${" in path[-1]:
            yield Problem(path=path, text=f"a variable may not stand in a key, only in {_IN_WORDS}")
        if isinstance(value, str) and "${" in value and path not in allowed:
            yield Problem(path=path, text=f"a variable may not stand here, only in {_IN_WORDS}")


def _values(value: Plain, path: Path) -> Iterator[tuple[Path, Plain]]:
    yield path, value
    if isinstance(value, dict | list):
        for key, child in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _values(child, (*path, key))


def _at(data: Plain, path: Path) -> Plain:
    for part in path:
        data = mapping(data).get(str(part))
    return data


def _replaced(data: Plain, path: Path, text: str) -> Plain:
    if not path:
        return text
    return {**mapping(data), str(path[0]): _replaced(_at(data, path[:1]), path[1:], text)}
