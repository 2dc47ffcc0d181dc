"""The table of first names, once, into the names that are given almost only to women or almost only to men."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from evenhand._base.digest import file_digest
from evenhand.errors import AssetError

MAX_UNCERTAINTY = 0.1
MIN_COUNTS = 10


def convert(sources: Sequence[Path], target: Path) -> None:
    """Write `target`: the names to read as female or male, the rule, the digest of the source.

    Parameters
    ----------
    sources
        The JSON file: name to [sources, counts, share of bearers gendered female, …].
    target
        The JSON file to write: ``female`` and ``male``, names joined by line feeds; ``max_uncertainty`` and
        ``min_counts``, the rule; ``source``, a sha256.

    Raises
    ------
    AssetError
        If the source is not such a table.

    Notes
    -----
    A name is kept if at least `MIN_COUNTS` bearers were counted and the smaller share is at most
    `MAX_UNCERTAINTY`; all other names have no reading. Both are the defaults of Van Buskirk, Clauset and Larremore
    (2023), "An open-source cultural consensus approach to name-based gender classification", ICWSM 17,
    doi:10.1609/icwsm.v17i1.22195.
    """
    (source,) = sources
    shares = _read(source)
    table = {
        "source": file_digest(source),
        "max_uncertainty": MAX_UNCERTAINTY,
        "min_counts": MIN_COUNTS,
        "female": "\n".join(sorted(name for name, share in shares.items() if share >= 1 - MAX_UNCERTAINTY)),
        "male": "\n".join(sorted(name for name, share in shares.items() if share <= MAX_UNCERTAINTY)),
    }
    target.write_bytes(orjson.dumps(table))


def _read(source: Path) -> Mapping[str, float]:
    try:
        rows: dict[str, Any] = orjson.loads(source.read_bytes())
        return {name: float(row[2]) for name, row in rows.items() if row[1] >= MIN_COUNTS and "\n" not in name}
    except (ValueError, TypeError, IndexError, KeyError, AttributeError) as error:
        raise AssetError(f"{source.name} is not a table of names: {type(error).__name__}.") from error
