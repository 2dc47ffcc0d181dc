"""The toxicity classifier's weights (HDF5) and vocabulary (pickle), once, into one .npz without any pickle in it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand._base.digest import file_digest
from evenhand.assets import inert_pickle
from evenhand.errors import AssetError

Array = NDArray[Any]

WEIGHTS: Mapping[str, tuple[str, tuple[int, ...]]] = {
    "embedding": ("layers/embedding/vars/0", (20000, 50)),
    "forward_kernel": ("layers/bidirectional/forward_layer/cell/vars/0", (50, 200)),
    "forward_recurrent": ("layers/bidirectional/forward_layer/cell/vars/1", (50, 200)),
    "forward_bias": ("layers/bidirectional/forward_layer/cell/vars/2", (200,)),
    "backward_kernel": ("layers/bidirectional/backward_layer/cell/vars/0", (50, 200)),
    "backward_recurrent": ("layers/bidirectional/backward_layer/cell/vars/1", (50, 200)),
    "backward_bias": ("layers/bidirectional/backward_layer/cell/vars/2", (200,)),
    "hidden_kernel": ("layers/dense/vars/0", (100, 50)),
    "hidden_bias": ("layers/dense/vars/1", (50,)),
    "output_kernel": ("layers/dense_1/vars/0", (50, 6)),
    "output_bias": ("layers/dense_1/vars/1", (6,)),
}
"""Array in the .npz to its path in the HDF5 file and its shape."""

ALLOWED: Mapping[tuple[str, str], Callable[..., object]] = {
    ("keras.src.legacy.preprocessing.text", "Tokenizer"): inert_pickle.Inert,
    ("collections", "OrderedDict"): inert_pickle.plain_dict,
    ("collections", "defaultdict"): inert_pickle.plain_dict,
    ("builtins", "int"): inert_pickle.Inert,
}
"""What the vocabulary's pickle may name."""

EXPECTED = {"split": " ", "lower": True, "char_level": False, "oov_token": None, "num_words": 20000}
"""Settings of the vocabulary that the evaluator relies on."""


def convert(sources: Sequence[Path], target: Path) -> None:
    """Write `target`: eleven float32 arrays, the words, the filtered characters, the digests of the sources.

    Parameters
    ----------
    sources
        The HDF5 file and the pickle.
    target
        The .npz to write. ``words`` holds the words with code 1, 2, … joined by line feeds, as UTF-8 bytes;
        ``filters`` the characters that become spaces; ``sources`` the two sha256, joined by a space.

    Raises
    ------
    AssetError
        If either file holds anything but what is expected.
    """
    weights_path, vocabulary_path = sources
    words, filters = _read_vocabulary(vocabulary_path)
    arrays: dict[str, Any] = {  # Any: numpy types its own keywords into the same place
        "words": _bytes("\n".join(words)),
        "filters": _bytes(filters),
        "sources": _bytes(" ".join(file_digest(path) for path in sources)),
        **_read_weights(weights_path),
    }
    np.savez(target, **arrays)


def _read_weights(path: Path) -> dict[str, Array]:
    import h5py  # costs 80 ms to import, and is needed once per machine

    try:
        with h5py.File(path, "r") as file:
            arrays = {name: np.asarray(file[place], dtype=np.float32) for name, (place, _) in WEIGHTS.items()}
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise AssetError(f"{path.name} does not hold the classifier's weights: {type(error).__name__}.") from error
    for name, (place, shape) in WEIGHTS.items():
        if arrays[name].shape != shape:
            raise AssetError(f"{place} in {path.name} has shape {arrays[name].shape}; {shape} was expected.")
    return arrays


def _read_vocabulary(path: Path) -> tuple[list[str], str]:
    tokenizer = inert_pickle.load(path, allowed=ALLOWED)
    settings = dict(vars(tokenizer)) if isinstance(tokenizer, inert_pickle.Inert) else {}
    for setting, expected in EXPECTED.items():
        if setting not in settings or settings[setting] != expected:
            raise AssetError(f"The vocabulary in {path.name} does not have {setting} = {expected!r}.")
    codes = settings.get("word_index")
    if not isinstance(codes, dict):
        raise AssetError(f"The vocabulary in {path.name} has no word index.")
    return _words_by_code(codes, path), str(settings.get("filters", ""))


def _words_by_code(codes: Mapping[str, int], path: Path) -> list[str]:
    limit = EXPECTED["num_words"]
    by_code = {code: word for word, code in codes.items()}
    try:
        words = [by_code[code] for code in range(1, int(str(limit)))]
    except KeyError as error:
        raise AssetError(f"The vocabulary in {path.name} has no word with code {error}.") from None
    if any("\n" in word for word in words):
        raise AssetError(f"A word in {path.name} holds a line feed.")
    return words


def _bytes(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode(), dtype=np.uint8)
