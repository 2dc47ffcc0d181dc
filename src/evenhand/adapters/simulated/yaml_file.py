"""A small YAML file as untrusted text: plain values, and the line of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import yaml

from evenhand.errors import SpecError

_MAX_BYTES = 200_000
_MAX_DEPTH = 16
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """Plain values with the line of every key and item."""

    source: str
    data: Any
    lines: dict[Path, int]

    def error(self, problem: str, path: Sequence[str | int], *, known: Sequence[str] = ()) -> SpecError:
        """Make the error for what stands at `path`, with the nearest of the `known` keys."""
        place: Path = tuple(path)
        while place not in self.lines and place:  # a missing key has no line: its parent has
            place = place[:-1]
        near = get_close_matches(str(path[-1]), known, n=1) if path else []
        hint = f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(known)}" if known else ""
        field = ".".join(map(str, path)) or None
        return SpecError(problem + hint, file=self.source, line=self.lines.get(place, 1), field=field)


def read_yaml(content: bytes, *, source: str) -> Located:
    """Read one document of plain values.

    Raises
    ------
    SpecError
        If it is not UTF-8 or not YAML, is larger or deeper than a profile can be, gives a key twice, or uses
        anchors, tags or keys that are not text.
    """
    if len(content) > _MAX_BYTES:
        raise SpecError(f"the file is larger than {_MAX_BYTES // 1000} kB", file=source)
    try:
        text = content.decode("utf-8-sig")
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            _refuse_indirection(event, source)
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except UnicodeDecodeError as error:
        raise SpecError(f"the file is not UTF-8: {error.reason} at byte {error.start}", file=source) from None
    except yaml.MarkedYAMLError as error:
        raise SpecError(
            f"not YAML: {error.problem or error.context}", file=source, line=_line(error.problem_mark)
        ) from None
    except (yaml.YAMLError, RecursionError) as error:
        raise SpecError(f"not YAML: {str(error) or 'nested too deeply'}".splitlines()[0], file=source) from None
    if root is None:
        raise SpecError("the file is empty", file=source)
    reader = _Reader(source)
    return Located(source=source, data=reader.value(root, ()), lines=reader.lines)


def _refuse_indirection(event: yaml.Event, source: str) -> None:
    if getattr(event, "anchor", None) or getattr(event, "tag", None) not in (None, "!"):
        raise SpecError("anchors, aliases and tags are not allowed", file=source, line=_line(event.start_mark))


def _line(mark: Any) -> int | None:
    # Any: the stub types two kinds of mark, and None for documents built by hand
    return mark.line + 1 if mark is not None else None


class _Reader:
    """Copies nodes into plain values and notes their lines."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.lines: dict[Path, int] = {}
        self._constructor = yaml.constructor.SafeConstructor()

    def value(self, node: yaml.Node, path: Path) -> Any:
        self.lines.setdefault(path, node.start_mark.line + 1)
        if len(path) > _MAX_DEPTH:
            raise self._error("nested too deeply", node, path)
        match node:
            case yaml.MappingNode():
                return self._mapping(node, path)
            case yaml.SequenceNode():
                return [self.value(child, (*path, index)) for index, child in enumerate(node.value)]
            case _:
                return self._scalar(node, path)

    def _mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key_node, child in node.value:
            key = self._scalar(key_node, path) if isinstance(key_node, yaml.ScalarNode) else None
            if not isinstance(key, str):
                raise self._error("a key must be text; put it in quotes", key_node, path)
            if key in found:
                raise self._error(f"the key {key!r} stands here a second time", key_node, path)
            self.lines[*path, key] = key_node.start_mark.line + 1
            found[key] = self.value(child, (*path, key))
        return found

    def _scalar(self, node: yaml.Node, path: Path) -> Any:
        try:
            return self._constructor.construct_object(node)
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            raise self._error(f"the value cannot be read: {str(error).splitlines()[0]}", node, path) from None

    def _error(self, problem: str, node: yaml.Node, path: Path) -> SpecError:
        field = ".".join(map(str, path)) or None
        return SpecError(problem, file=self.source, line=node.start_mark.line + 1, field=field)
