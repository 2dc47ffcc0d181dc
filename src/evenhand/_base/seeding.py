"""One seed per run, a named stream per use. Same seed and name, same numbers, whatever else was drawn."""

import hashlib

import numpy as np


def derive(seed: int, *names: object) -> int:
    """Derive a 63-bit seed from `seed` and a path of names.

    Names are joined with a separator that their text cannot hold, so ``("a", "bc")`` and ``("ab", "c")``
    differ. 63 bits, because SQLite and most providers take signed 64-bit integers.

    Examples
    --------
    >>> from evenhand._base.seeding import derive
    >>> derive(7, "bootstrap", "RSI") == derive(7, "bootstrap", "RSI")
    True
    >>> derive(7, "a", "bc") == derive(7, "ab", "c")
    False
    """
    parts = [str(seed), *(str(name) for name in names)]
    text = "".join(f"{len(part)}:{part}" for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def stream(seed: int, *names: object) -> np.random.Generator:
    """Return the generator of the stream called `names` under `seed`."""
    return np.random.default_rng(derive(seed, *names))
