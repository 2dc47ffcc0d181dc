"""Parser events to a tree of nodes as written: bounded in depth and number, aliases resolved but not yet copied."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from evenhand.errors import SpecError

MAX_DEPTH = 32
# 5,000 scenarios with three variants each stay below; what is larger is no scenario set
MAX_VALUES = 250_000


@dataclass(slots=True, kw_only=True, eq=False)
class Node:
    """A value as written.

    Attributes
    ----------
    line, column
        Where it begins, from 1.
    text
        A scalar's text, without quotes.
    is_plain
        True for a scalar without quotes, which YAML may read as a number or a truth value.
    tag
        An explicit tag such as ``!!python/object``; None if there is none.
    children
        Values of a sequence; keys and values of a mapping, in turn.
    is_open
        True while its children are being read: an alias to it would be endless.
    """

    kind: Literal["scalar", "sequence", "mapping"]
    line: int
    column: int
    text: str = ""
    is_plain: bool = False
    tag: str | None = None
    children: "list[Node]" = field(default_factory=list)
    is_open: bool = False


def root_node(events: Iterator[Event], *, source: str) -> Node:
    """Return the root of the only document.

    Raises
    ------
    SpecError
        If there is no document or a second one, nesting over 32 levels, more than 250,000 values, or an alias
        without an anchor or inside its own anchor.
    """
    tree = _Tree(events, source)
    root: Node | None = None
    for event in events:
        if isinstance(event, DocumentStartEvent):
            if root is not None:
                raise tree.error("the file holds a second YAML document; give each set its own file", event)
            root = tree.node(next(events), depth=1)
    if root is None:
        raise SpecError("the file is empty", file=source)
    return root


class _Tree:
    def __init__(self, events: Iterator[Event], source: str) -> None:
        self._events, self._source = events, source
        self._anchors: dict[str, Node] = {}
        self._count = 0

    def node(self, event: Event, *, depth: int) -> Node:
        if isinstance(event, AliasEvent):
            return self._aliased(event)
        assert isinstance(event, NodeEvent)
        self._count += 1
        if depth > MAX_DEPTH:
            raise self.error(f"the file is nested deeper than {MAX_DEPTH} levels", event)
        if self._count > MAX_VALUES:
            raise self.error(f"the file holds more than {MAX_VALUES:,} values", event)
        node = _started(event)
        if event.anchor is not None:
            self._anchors[str(event.anchor)] = node
        if node.kind != "scalar":
            self._fill(node, depth + 1)
        return node

    def _fill(self, node: Node, depth: int) -> None:
        node.is_open = True
        for event in self._events:
            if isinstance(event, CollectionEndEvent):
                break
            node.children.append(self.node(event, depth=depth))
        node.is_open = False

    def _aliased(self, event: AliasEvent) -> Node:
        node = self._anchors.get(str(event.anchor))
        if node is None:
            raise self.error(f"the alias *{event.anchor} has no anchor &{event.anchor} before it", event)
        if node.is_open:
            raise self.error(f"the alias *{event.anchor} stands inside its own anchor", event)
        return node

    def error(self, problem: str, event: Event) -> SpecError:
        return SpecError(problem, file=self._source, line=_place(event)[0])


def _started(event: NodeEvent) -> Node:
    line, column = _place(event)
    match event:
        case ScalarEvent():
            is_plain = bool(event.implicit[0])
            return Node(kind="scalar", line=line, column=column, text=event.value, is_plain=is_plain, tag=event.tag)
        case MappingStartEvent():
            return Node(kind="mapping", line=line, column=column, tag=event.tag)
        case SequenceStartEvent():
            return Node(kind="sequence", line=line, column=column, tag=event.tag)
        case _:
            raise AssertionError(f"{event} begins no value")


def _place(event: Event) -> tuple[int, int]:
    assert event.start_mark is not None, "events that come from a parser know their place"
    return event.start_mark.line + 1, event.start_mark.column + 1
