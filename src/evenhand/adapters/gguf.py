"""The header of a GGUF model file: what it is, how it is quantised, whether it can chat."""

import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from evenhand.errors import DataError

_QUANTISATIONS = {
    **{0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K", 11: "Q3_K_S"},
    **{12: "Q3_K_M", 13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S", 17: "Q5_K_M", 18: "Q6_K"},
    **{19: "IQ2_XXS", 20: "IQ2_XS", 21: "Q2_K_S", 22: "IQ3_XS", 23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL"},
    **{26: "IQ3_S", 27: "IQ3_M", 28: "IQ2_S", 29: "IQ2_M", 30: "IQ4_XS", 31: "IQ1_M", 32: "BF16"},
}
# value types of the format: struct code of each number; 8 is text, 9 an array
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_TEXT, _ARRAY = 8, 9
_MOST_ENTRIES = 100_000
_LONGEST_TEXT = 16_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class GgufHeader:
    """What a GGUF file says about itself.

    Attributes
    ----------
    model
        The model's own name; empty if it gives none.
    quantisation
        Such as ``"Q4_1"``; ``"unknown (n)"`` for a file type that is not in our table.
    has_chat_template
        False for base models: a chat would be formatted by guesswork.
    """

    model: str
    architecture: str
    quantisation: str
    has_chat_template: bool


def read_header(path: Path) -> GgufHeader:
    """Read the metadata of a model file; the weights are not touched.

    Raises
    ------
    DataError
        If the file cannot be read or is not GGUF (version 2 or later).
    """
    try:
        with path.open("rb") as file:
            entries = dict(_entries(file))
    except OSError as error:
        raise DataError(f"the model file cannot be read: {error.strerror}", file=path) from error
    except (struct.error, UnicodeDecodeError, ValueError) as error:
        raise DataError(f"not a GGUF model file, or a damaged one: {error}", file=path) from None
    file_type = entries.get("general.file_type")
    return GgufHeader(
        model=str(entries.get("general.name", "")),
        architecture=str(entries.get("general.architecture", "")),
        quantisation=_QUANTISATIONS.get(file_type, f"unknown ({file_type})")
        if isinstance(file_type, int)
        else "unknown",
        has_chat_template="tokenizer.chat_template" in entries,
    )


def _entries(file: BinaryIO) -> Iterator[tuple[str, object]]:
    if file.read(4) != b"GGUF":
        raise ValueError("it does not start with GGUF")
    version = _number(file, "I")
    if version < 2:
        raise ValueError(f"version {version} is not supported")
    _number(file, "Q")  # how many tensors
    count = _number(file, "Q")
    if count > _MOST_ENTRIES:
        raise ValueError(f"{count} entries")
    for _ in range(int(count)):
        name = _text(file)
        yield name, _value(file, int(_number(file, "I")))


def _value(file: BinaryIO, kind: int) -> object:
    if kind == _TEXT:
        return _text(file)
    if kind == _ARRAY:  # vocabularies, of no use here
        _skip_array(file)
        return None
    return _number(file, _code(kind))


def _skip_array(file: BinaryIO) -> None:
    kind, count = int(_number(file, "I")), int(_number(file, "Q"))
    if kind not in (_TEXT, _ARRAY):
        file.seek(count * struct.calcsize(_code(kind)), 1)
        return
    for _ in range(count):
        if kind == _TEXT:
            file.seek(int(_number(file, "Q")), 1)
        else:
            _skip_array(file)


def _text(file: BinaryIO) -> str:
    length = int(_number(file, "Q"))
    if length > _LONGEST_TEXT:
        raise ValueError(f"a text of {length} bytes")
    data = file.read(length)
    if len(data) < length:
        raise ValueError("it ends in the middle of an entry")
    with suppress(UnicodeDecodeError):
        return data.decode()
    return data.decode("latin-1")  # a name in another encoding is still a name


def _number(file: BinaryIO, code: str) -> int | float:
    size = struct.calcsize("<" + code)
    number: int | float = struct.unpack("<" + code, file.read(size))[0]
    return number


def _code(kind: int) -> str:
    if kind not in _NUMBERS:
        raise ValueError(f"value type {kind}")
    return _NUMBERS[kind]
