"""YAML as untrusted text: plain values out, each with its line. Whatever is doubtful is a SpecError."""

import re

from yaml.nodes import ScalarNode
from yaml.resolver import Resolver

from evenhand.errors import SpecError
from evenhand.scenarios.document import Document, Path, Place, Plain, Problem
from evenhand.scenarios.yaml_events import MAX_BYTES, events
from evenhand.scenarios.yaml_nodes import MAX_VALUES, Node, root_node

_TAG = "tag:yaml.org,2002:"
# YAML 1.1 also reads 1:30 as 90, 010 as 8 and 1_0 as 10; another reader of the same file would not
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
_LONGEST_NUMBER = 40


def read(content: str | bytes, *, source: str) -> Document:
    """Read one YAML document.

    Parameters
    ----------
    content
        The file's text, or its bytes in UTF-8.
    source
        Path or name of it, for messages.

    Returns
    -------
    Document
        Values are None, bool, int, finite float, str, list and dict only; dates stay text.

    Raises
    ------
    SpecError
        If the text cannot be read at all: not UTF-8, over 5 MB, a tab or control character, not YAML, empty, a second
        document, nested over 32 levels, over 250,000 values, aliases without end. Lesser faults are listed in
        `Document.problems`: a key given twice or that is not text, a tag, a merge key, a number that is not finite
        or that readers of YAML understand differently.
    """
    builder = _Builder(source)
    data = builder.value(root_node(events(content, source=source), source=source), ())
    return Document(source=source, data=data, places=builder.places, problems=tuple(builder.problems))


class _Builder:
    """Copies nodes into plain values. Aliased nodes are copied each time, so what is copied is counted."""

    def __init__(self, source: str) -> None:
        self._source = source
        self.places: dict[Path, Place] = {}
        self.problems: list[Problem] = []
        self._values = self._characters = 0

    def value(self, node: Node, path: Path, *, key: Node | None = None) -> Plain:
        self._count(node)
        at = key or node
        self.places[path] = Place(line=at.line, column=at.column, text=node.text if node.is_plain else "")
        if node.tag is not None:
            self._note(path, f"the tag {_short(node.tag)} is not allowed; write the value without it")
        if node.kind == "mapping":
            return self._mapping(node, path)
        if node.kind == "sequence":
            return [self.value(child, (*path, index)) for index, child in enumerate(node.children)]
        return self._scalar(node, path)

    def _mapping(self, node: Node, path: Path) -> Plain:
        found: dict[str, Plain] = {}
        for key, child in zip(node.children[::2], node.children[1::2], strict=True):
            name = self._key(key, path)
            if name in found:
                self._note((*path, name), f"the key {name!r} stands here and again in line {key.line}")
            else:
                found[name] = self.value(child, (*path, name), key=key)
        return found

    def _key(self, key: Node, path: Path) -> str:
        self._count(key)
        if key.kind != "scalar":
            # the key itself has no name, so its line must be said in words
            self._note(path, f"a key is a {key.kind} in line {key.line}; a key must be text")
        elif key.is_plain and key.text == "<<":
            self._note(path, f"the merge key << in line {key.line} is not supported; write the entries out")
        elif (kind := _kind(key)) != "str":
            self._note(path, f"the key {key.text!r} in line {key.line} is read as {_READ_AS[kind]}; put it in quotes")
        return key.text

    def _scalar(self, node: Node, path: Path) -> Plain:
        match _kind(node):
            case "null":
                return None
            case "bool":
                return node.text.lower() in {"yes", "true", "on"}
            case "int" | "float":
                return self._number(node, path)
            case _:
                return node.text

    def _number(self, node: Node, path: Path) -> Plain:
        text = node.text
        if len(text) <= _LONGEST_NUMBER and _INTEGER.fullmatch(text):
            return int(text)
        if len(text) <= _LONGEST_NUMBER and _DECIMAL.fullmatch(text):
            number = float(text)
            if abs(number) != float("inf"):
                return number
        if _is_not_finite(text) or _INTEGER.fullmatch(text) or _DECIMAL.fullmatch(text):
            self._note(path, "a number must be finite and of sensible length", text)
        else:
            self._note(path, "YAML readers disagree about this number; write it plainly, or in quotes for text", text)
        return None

    def _count(self, node: Node) -> None:
        self._values += 1
        self._characters += len(node.text)
        if self._values > MAX_VALUES or self._characters > MAX_BYTES:
            raise SpecError(
                f"with its aliases written out the file holds more than {MAX_VALUES:,} values "
                f"or {MAX_BYTES // 1_000_000} MB",
                file=self._source,
                line=node.line,
            )

    def _note(self, path: Path, text: str, value: object = None) -> None:
        self.problems.append(Problem(path=path, text=text, value=value))


_RESOLVER = Resolver()
_READ_AS = {"null": "nothing", "bool": "true or false", "int": "a number", "float": "a number"}


def _kind(node: Node) -> str:
    """Say how YAML 1.1 reads a scalar: null, bool, int, float or str."""
    if not node.is_plain:
        return "str"
    tag: str = _RESOLVER.resolve(ScalarNode, node.text, (True, False))  # type: ignore[no-untyped-call]  # no stub
    kind = tag.removeprefix(_TAG)
    # dates, "=" and the like are text for us
    return kind if kind in _READ_AS else "str"


def _is_not_finite(text: str) -> bool:
    return text.lstrip("+-").lower() in {".inf", ".nan"}


def _short(tag: str) -> str:
    return f"!!{tag.removeprefix(_TAG)}" if tag.startswith(_TAG) else tag
