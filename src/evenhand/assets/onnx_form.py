"""The ONNX file form, as far as it is needed: tensors out of a file, a graph into one, without the onnx package."""

import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import AssetError

Array = NDArray[Any]

# numbers of fields and of types are those of onnx.proto, ONNX 1.16
IR_VERSION = 10
_GRAPH, _INITIALIZER = 7, 5
_DIMS, _TYPE, _NAME, _RAW = 1, 2, 8, 9
_INTEGER, _FLOAT_SETTING, _INTEGERS = 2, 1, 7
FLOAT, UINT8, INT8, INT32, INT64, BOOL = 1, 2, 3, 6, 7, 9
_KINDS: Mapping[int, str] = {FLOAT: "<f4", UINT8: "u1", INT8: "i1", INT32: "<i4", INT64: "<i8", BOOL: "?"}
_CODES: Mapping[np.dtype[Any], int] = {np.dtype(kind): code for code, kind in _KINDS.items()}


class Graph:
    """Steps and constants, in the order in which they are added; a step's inputs must be there before it."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []

    def constant(self, values: Array) -> str:
        """Add an array and return its name.

        Raises
        ------
        KeyError
            If its type is not float32, uint8, int8, int32, int64 or bool.
        """
        name = f"constant_{len(self._constants)}"
        dims = b"".join(_integer(_DIMS, size) for size in values.shape)
        kind = _integer(_TYPE, _CODES[values.dtype])
        raw = _bytes(_RAW, values.astype(values.dtype.newbyteorder("<")).tobytes())
        self._constants.append(dims + kind + _text(_NAME, name) + raw)
        return name

    def step(
        self, operator: str, *inputs: str, domain: str = "", output: str = "", **settings: int | float | Sequence[int]
    ) -> str:
        """Add a step with one output and return the output's name.

        Parameters
        ----------
        operator
            Name of the operator.
        inputs
            Names of constants, of inputs of the graph, or of other steps' outputs; "" for one left out.
        domain
            Set of operators that it belongs to; "" for ONNX's own.
        output
            Name for its output; a number is given if it is "".
        settings
            Attributes of the operator.
        """
        name = output or f"step_{len(self._nodes)}"
        ends = b"".join(_text(1, given) for given in inputs) + _text(2, name)
        attributes = b"".join(_bytes(5, _attribute(key, value)) for key, value in settings.items())
        self._nodes.append(ends + _text(4, operator) + attributes + _text(7, domain))
        return name

    def to_bytes(
        self,
        *,
        inputs: Mapping[str, tuple[int, Sequence[str]]],
        outputs: Mapping[str, tuple[int, Sequence[str]]],
        versions: Mapping[str, int],
    ) -> bytes:
        """Return the file's bytes; equal graphs give equal bytes.

        Parameters
        ----------
        inputs, outputs
            Name to type (`FLOAT`, `INT64`, …) and the names of its dimensions.
        versions
            Set of operators to its version.
        """
        parts = [_bytes(1, node) for node in self._nodes] + [_text(2, "graph")]
        parts += [_bytes(_INITIALIZER, constant) for constant in self._constants]
        parts += [_bytes(11, _value(name, *kind)) for name, kind in inputs.items()]
        parts += [_bytes(12, _value(name, *kind)) for name, kind in outputs.items()]
        sets = [_bytes(8, _text(1, domain) + _integer(2, version)) for domain, version in versions.items()]
        return _integer(1, IR_VERSION) + _bytes(_GRAPH, b"".join(parts)) + b"".join(sets)


def read_tensors(path: Path) -> dict[str, Array]:
    """Return the constants of the graph in `path`, in the order of the file.

    Raises
    ------
    AssetError
        If the file is not of this form, or holds tensors of types that `Graph.constant` does not take.
    """
    try:
        model = memoryview(path.read_bytes())
        graphs = [value for number, value in _fields(model) if number == _GRAPH]
        return dict(_tensor(value) for number, value in _fields(graphs[0]) if number == _INITIALIZER)
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise AssetError(
            f"{path.name} does not hold an ONNX graph that can be read: {type(error).__name__}."
        ) from error


def unsigned(model: bytes) -> bytes:
    """Return a file that `Graph` wrote with every int8 constant as uint8, 128 higher, zero points among them.

    What is multiplied stays the same; some processors multiply uint8 by int8 in 16 bits, which may be too few.
    """
    parts = []
    for number, value in _fields(memoryview(model)):
        if number == _GRAPH:
            inside = [_field(key, _shifted(item) if key == _INITIALIZER else item) for key, item in _fields(value)]
            parts.append(_bytes(_GRAPH, b"".join(inside)))
        else:
            parts.append(_field(number, value))
    return b"".join(parts)


def _shifted(tensor: memoryview) -> bytes | memoryview:
    fields = list(_fields(tensor))
    if (_TYPE, INT8) not in fields:
        return tensor
    parts = []
    for number, value in fields:
        if number == _TYPE:
            parts.append(_integer(_TYPE, UINT8))
        elif number == _RAW:  # -128 … 127 become 0 … 255 when the highest bit is turned
            parts.append(_bytes(_RAW, (np.frombuffer(value, dtype=np.uint8) ^ 128).tobytes()))
        else:
            parts.append(_field(number, value))
    return b"".join(parts)


def _field(number: int, value: int | bytes | memoryview) -> bytes:
    return _integer(number, value) if isinstance(value, int) else _bytes(number, bytes(value))


def _tensor(content: memoryview) -> tuple[str, Array]:
    dims, found = [], {}
    for number, value in _fields(content):
        if number == _DIMS:
            dims.append(value)
        else:
            found[number] = value
    return str(found[_NAME], "utf-8"), np.frombuffer(found[_RAW], dtype=_KINDS[found[_TYPE]]).reshape(dims)


def _fields(content: memoryview) -> Iterator[tuple[int, Any]]:
    # Any: an int for wire type 0, else the bytes
    at = 0
    while at < len(content):
        key, at = _read_varint(content, at)
        match key & 7:
            case 0:
                value, at = _read_varint(content, at)
                yield key >> 3, value
                continue
            case 1:
                size = 8
            case 2:
                size, at = _read_varint(content, at)
            case 5:
                size = 4
            case other:
                raise ValueError(f"wire type {other}")
        if at + size > len(content):
            raise ValueError("a field ends behind its message")
        yield key >> 3, content[at : at + size]
        at += size


def _read_varint(content: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = content[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:  # the highest bit says that another byte follows
            return value, at


def _attribute(name: str, value: int | float | Sequence[int]) -> bytes:
    match value:
        case int():
            return _text(1, name) + _integer(3, value) + _integer(20, _INTEGER)
        case float():
            return _text(1, name) + _varint(2 << 3 | 5) + struct.pack("<f", value) + _integer(20, _FLOAT_SETTING)
        case _:
            return _text(1, name) + b"".join(_integer(8, item) for item in value) + _integer(20, _INTEGERS)


def _value(name: str, kind: int, dimensions: Sequence[str]) -> bytes:
    shape = b"".join(_bytes(1, _text(2, dimension)) for dimension in dimensions)
    return _text(1, name) + _bytes(2, _bytes(1, _integer(1, kind) + _bytes(2, shape)))


def _text(number: int, text: str) -> bytes:
    return _bytes(number, text.encode())


def _bytes(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _integer(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _varint(value: int) -> bytes:
    value &= 2**64 - 1  # negative numbers are written as 64-bit two's complement
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])
