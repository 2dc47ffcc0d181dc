"""Uniform numbers for one answer, without building a generator for each: that would cost more than the answer."""

import hashlib
import struct
from collections.abc import Sequence

from evenhand._base.seeding import derive

_SCALE = 2.0**-53


def draws(count: int, seed: int, *names: object) -> Sequence[float]:
    """Return `count` independent uniform numbers in [0, 1) of the stream called `names` under `seed`.

    Notes
    -----
    SHAKE-256 of the derived seed, 53 bits per number; longer sequences continue shorter ones.

    Examples
    --------
    >>> from evenhand.adapters.simulated.draws import draws
    >>> draws(3, 7, "a") == draws(5, 7, "a")[:3]
    True
    """
    key = derive(seed, *names).to_bytes(8, "big")
    numbers = struct.unpack(f">{count}Q", hashlib.shake_256(key).digest(8 * count))
    return [(number >> 11) * _SCALE for number in numbers]
