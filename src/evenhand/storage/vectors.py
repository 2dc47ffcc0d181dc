"""Named float32 vectors as bytes: many rows at once on the way in, whole matrices on the way out."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import StoreError
from evenhand.storage.codecs import to_json

Vectors = Mapping[str, NDArray[np.float32]]
Layout = tuple[tuple[str, int], ...]

_LITTLE_ENDIAN = "<f4"


def pack(rows: Sequence[Vectors], name_of: Callable[[int], str]) -> tuple[list[str | None], list[memoryview | None]]:
    """Turn each row's vectors into its layout (JSON, name to length) and its bytes, in the same order.

    Parameters
    ----------
    rows
        Name to vector; rows without any get None twice.
    name_of
        Says what a row is, by its index, for messages.

    Raises
    ------
    StoreError
        If a vector is not one-dimensional float32, or holds NaN or infinity.
    """
    layouts: list[str | None] = [None] * len(rows)
    packed: list[memoryview | None] = [None] * len(rows)
    for layout, indices in _by_layout(rows, name_of).items():
        text = to_json(dict(layout), "an evaluator's vector lengths")
        together = _together([rows[index] for index in indices])
        if not np.isfinite(together).all():
            _refuse_nonfinite({index: rows[index] for index in indices}, name_of)
        content = memoryview(together.astype(_LITTLE_ENDIAN, copy=False).tobytes())
        size = len(content) // len(indices)
        for position, index in enumerate(indices):
            layouts[index] = text
            packed[index] = content[position * size : (position + 1) * size]
    return layouts, packed


def unpack(layout: Mapping[str, int], packed: bytes) -> dict[str, NDArray[np.float32]]:
    """Undo `pack` for one row. The vectors are read-only views of one buffer."""
    everything = np.frombuffer(packed, dtype=_LITTLE_ENDIAN).astype(np.float32, copy=False)
    vectors: dict[str, NDArray[np.float32]] = {}
    start = 0
    for name, length in layout.items():
        vectors[name] = everything[start : start + length]
        start += length
    return vectors


def unpack_all(layout: Mapping[str, int], packed: Sequence[bytes]) -> dict[str, NDArray[np.float32]]:
    """Undo `pack` for rows of one layout: name to (rows, length), views of one buffer."""
    together = np.frombuffer(b"".join(packed), dtype=_LITTLE_ENDIAN).reshape(len(packed), sum(layout.values()))
    matrices: dict[str, NDArray[np.float32]] = {}
    start = 0
    for name, length in layout.items():
        matrices[name] = together[:, start : start + length]
        start += length
    return matrices


def _by_layout(rows: Sequence[Vectors], name_of: Callable[[int], str]) -> dict[Layout, list[int]]:
    groups: dict[Layout, list[int]] = defaultdict(list)
    for index, vectors in enumerate(rows):
        if vectors:
            for name, vector in vectors.items():
                if vector.dtype != np.float32 or vector.ndim != 1:
                    raise StoreError(
                        f"{name_of(index)}: the vector {name!r} is {vector.dtype} of shape {vector.shape}; "
                        "a vector is float32 of shape (d,)."
                    )
            groups[tuple((name, len(vector)) for name, vector in vectors.items())].append(index)
    return groups


def _together(rows: Sequence[Vectors]) -> NDArray[np.float32]:
    return np.concatenate([vector for vectors in rows for vector in vectors.values()])


def _refuse_nonfinite(rows: Mapping[int, Vectors], name_of: Callable[[int], str]) -> NoReturn:
    index, name = next(
        (index, name)
        for index, vectors in rows.items()
        for name, vector in vectors.items()
        if not np.isfinite(vector).all()
    )
    raise StoreError(f"{name_of(index)}: the vector {name!r} holds NaN or infinity; say 'could not judge' instead.")
