"""First names that are given almost only to women or almost only to men; every other name has no reading."""

import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import orjson

from evenhand.assets.find import find, fingerprint

Gendered = Literal["female", "male"]

# letters that do not decompose into a base letter with marks
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "ß": "ss", "þ": "th", "’": "'"}
)


class NameGender:
    """A table of names, each read as female or male.

    Parameters
    ----------
    female, male
        Names in lower case without diacritics.
    version
        Changes with the table and with the rule that made it.

    Notes
    -----
    A name says how such a name is usually given, not who a person is. Names are read in aggregate, after pronouns
    and descriptors, and never for ethnicity. The table abstains on names that both women and men bear (Andrea,
    Taylor), on names whose romanisation hides the difference (Wei), and on rare names.
    """

    def __init__(self, *, female: Iterable[str], male: Iterable[str], version: str) -> None:
        self._female, self._male, self.version = frozenset(female), frozenset(male), version

    @classmethod
    def load(cls, cache: Path | None = None) -> "NameGender":
        """Load the table from the cache.

        Raises
        ------
        MissingAssetError
            If the asset has not been pulled.
        """
        path = find("names", cache=cache, alternative="Or read no names: --skip-evaluator names.")
        table = orjson.loads(path.read_bytes())
        return cls(
            female=table["female"].split("\n"),
            male=table["male"].split("\n"),
            version=f"names-1+{fingerprint('names')}",
        )

    def lookup(self, first_name: str) -> Gendered | None:
        """Read a first name; of several, all together if known, else the first alone. None: no reading.

        Examples
        --------
        >>> from evenhand.evaluation.names import NameGender
        >>> table = NameGender(female=["zoe"], male=[], version="example")
        >>> table.lookup("Zoë"), table.lookup("Zoë Marie"), table.lookup("Wei")
        ('female', 'female', None)
        """
        whole = _normalise(first_name)
        first, _, _ = whole.partition(" ")
        return self._read(whole) or self._read(first)

    def _read(self, name: str) -> Gendered | None:
        if name in self._female:
            return "female"
        return "male" if name in self._male else None


def _normalise(name: str) -> str:
    lowered = name.strip().lower().translate(_LETTERS)
    return "".join(c for c in unicodedata.normalize("NFKD", lowered) if not unicodedata.combining(c))
