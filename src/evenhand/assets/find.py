"""Find a pulled file, and be sure that it is the pinned one."""

from contextlib import suppress
from pathlib import Path
from typing import Literal

from evenhand._base.digest import digest
from evenhand.assets import record
from evenhand.assets.location import cache_directory
from evenhand.assets.table import Asset, by_name
from evenhand.errors import AssetError, MissingAssetError

State = Literal["ready", "missing", "altered"]


def find(name: str, *, cache: Path | None = None, alternative: str = "") -> Path:
    """Return the path of a pulled, verified file.

    Parameters
    ----------
    name
        Asset name.
    cache
        Cache directory; the user's own if None.
    alternative
        What else can be done when it is missing, as a sentence for the error message.

    Raises
    ------
    UnknownNameError
        If the table has no such asset.
    MissingAssetError
        If it has not been pulled.
    AssetError
        If the file in the cache is not the pinned one.

    Notes
    -----
    The bytes are hashed when size or time differ from those last verified, else not: a changed file with forged
    size and time passes. The hash guards against damage and mix-ups, not against someone who owns the cache.
    """
    asset = by_name(name)
    path = asset_path(asset, cache)
    match state(asset, path):
        case "ready":
            return path
        case "missing":
            raise MissingAssetError(asset.name, asset.purpose, alternative)
        case "altered":
            raise AssetError(
                f"The model file {path} is not the pinned one: its sha256 differs. "
                f"Replace it with: evenhand models pull {asset.name}"
            )


def fingerprint(name: str) -> str:
    """First 12 hex digits of what the asset is: of its pinned sha256, or of all of them and the converter."""
    asset = by_name(name)
    if asset.derived is None:
        return asset.files[0].sha256[:12]
    return digest([[file.sha256 for file in asset.files], asset.derived.version])[:12]


def state(asset: Asset, path: Path) -> State:
    """Say whether `path` holds the asset.

    Returns
    -------
    State
        ``"ready"``: there and verified; ``"missing"``: not pulled, or made by an older converter; ``"altered"``:
        there, but not the pinned file.
    """
    if not path.is_file():
        return "missing"
    return _pinned_state(asset, path) if asset.derived is None else _derived_state(asset, path)


def asset_path(asset: Asset, cache: Path | None) -> Path:
    """Return where the asset's file belongs, whether it is there or not."""
    return (cache or cache_directory()) / asset.name / asset.file_name


def sources_of(asset: Asset) -> tuple[str, ...]:
    """Return the pinned digests, in the table's order."""
    return tuple(file.sha256 for file in asset.files)


def _pinned_state(asset: Asset, path: Path) -> State:
    pinned = asset.files[0].sha256
    known = record.read(path)
    if known is not None and known.sha256 == pinned and record.is_untouched(path, known):
        return "ready"
    found = record.measure(path, sources=sources_of(asset), converter_version=0)
    if found.sha256 != pinned:
        return "altered"
    with suppress(OSError):  # a read-only cache is verified each time instead
        record.write(path, found)
    return "ready"


def _derived_state(asset: Asset, path: Path) -> State:
    assert asset.derived is not None
    known = record.read(path)
    # without its record nobody can say from what it was made
    if known is None or (known.sources, known.converter_version) != (sources_of(asset), asset.derived.version):
        return "missing"
    if record.is_untouched(path, known):
        return "ready"
    found = record.measure(path, sources=known.sources, converter_version=known.converter_version)
    if found.sha256 != known.sha256:
        return "altered"
    with suppress(OSError):
        record.write(path, found)
    return "ready"
