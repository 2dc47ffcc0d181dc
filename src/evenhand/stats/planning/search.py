"""The smallest sample that suffices, and the smallest effect that is found."""

from collections.abc import Callable
from math import ceil

MOST = 100_000
"""Larger samples than this are not looked for."""
STEADY = 4
"""So many consecutive sizes must suffice, because the power of discrete tests rises in saw teeth."""


def smallest_size(power_at: Callable[[int], float], wanted: float, *, start: int = 1, most: int = MOST) -> int | None:
    """Smallest whole number from `start` on at which the power is, and stays, at least `wanted`; None up to `most`.

    Parameters
    ----------
    power_at
        Power of a size, growing up to saw teeth.
    wanted
        Power asked for, in (0, 1).

    Notes
    -----
    Doubles until it suffices, halves the last step, then walks up until `STEADY` consecutive sizes suffice.
    """
    high = start
    while power_at(high) < wanted:
        if high >= most:
            return None
        high = min(most, high * 2)
    low = high // 2 if high > start else start - 1
    while high - low > max(1, high // 100):  # beyond 100, one per cent is near enough
        middle = (low + high) // 2
        low, high = (low, middle) if power_at(middle) >= wanted else (middle, high)
    return _steady(power_at, wanted, high, most)


def _steady(power_at: Callable[[int], float], wanted: float, size: int, most: int) -> int | None:
    step, held, first = max(1, ceil(size / 100)), 0, size
    while held < STEADY and size <= most:
        held = held + 1 if power_at(size) >= wanted else 0
        first = size if held == 1 else first
        size += step
    return first if held else None


def detectable_effect(
    power_at: Callable[[float], float], wanted: float, *, cut: float, farthest: float
) -> float | None:
    """Smallest effect beyond `cut` that is found with the power `wanted`; None if not even the `farthest` is.

    Parameters
    ----------
    power_at
        Power at an effect, growing from `cut` towards `farthest`, which may be the smaller number.
    """
    if power_at(farthest) < wanted:
        return None
    missed, found = cut, farthest
    for _ in range(_HALVINGS):
        middle = (missed + found) / 2
        missed, found = (missed, middle) if power_at(middle) >= wanted else (middle, found)
    return found


_HALVINGS = 10
"""To about 1/1000 of the way between cut and end, finer than the simulated powers are."""
