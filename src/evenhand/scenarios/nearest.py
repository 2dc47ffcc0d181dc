"""Which known name a mistyped one may have meant."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str], *, at_most: int = 1) -> str:
    """Return ``"; did you mean 'prompt'?"``, or the known names if none is near and they are few."""
    known = tuple(known)
    near = get_close_matches(name, known, n=max(1, len(known)), cutoff=0.6)
    # whole words in common say more than letters: all baselines of a year share their first eleven
    shared = [len(_words(name) & _words(candidate)) for candidate in near]
    nearest = [candidate for candidate, words in zip(near, shared, strict=True) if words == max(shared)]
    if nearest:
        return f"; did you mean {' or '.join(map(repr, nearest[:at_most]))}?"
    return f"; known here: {', '.join(known)}" if 0 < len(known) <= 16 else ""


def _words(name: str) -> frozenset[str]:
    return frozenset(name.split("_"))
