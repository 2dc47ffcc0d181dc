"""Pull: fetch the pinned files, check every byte, convert where needed, put the result into the cache at once."""

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Literal, cast

from evenhand._base.digest import file_digest
from evenhand.assets import fetch as sources
from evenhand.assets import record
from evenhand.assets.find import asset_path, find, sources_of
from evenhand.assets.table import Asset, Derivation, PinnedFile, by_name, expand
from evenhand.errors import AssetError, MissingAssetError

Fetch = Callable[[PinnedFile, Path], Path]
Converter = Callable[[Sequence[Path], Path], None]
Step = Literal["already there", "downloading", "checking", "converting", "done"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PullEvent:
    """One step of a pull.

    Attributes
    ----------
    asset
        Name of the asset.
    step
        What begins now; ``"done"`` and ``"already there"`` end an asset.
    size_bytes
        Bytes of what the step works on.
    path
        The file in the cache; None until the asset has ended.
    """

    asset: str
    step: Step
    size_bytes: int
    path: Path | None = None


def pull(name: str, *, cache: Path | None = None, fetch: Fetch = sources.fetch) -> Path:
    """Bring one asset into the cache and return its path; nothing is fetched if it is there already.

    Parameters
    ----------
    name
        Asset name; for groups and progress use `pull_steps`.
    cache
        Cache directory; the user's own if None.
    fetch
        Brings one pinned file into a directory.

    Raises
    ------
    UnknownNameError
        If the table has no such asset.
    AssetError
        If it cannot be fetched, is not the pinned file, cannot be converted or cannot be written.
    """
    asset = by_name(name)
    for event in _pull_one(asset, cache, fetch):
        if event.path is not None:
            return event.path
    raise AssertionError("a pull that did not fail ends with a path")


def pull_steps(name: str, *, cache: Path | None = None, fetch: Fetch = sources.fetch) -> Iterator[PullEvent]:
    """Pull an asset, or every asset of a group, and yield each step as it begins.

    Raises
    ------
    UnknownNameError, AssetError
        As `pull`; assets that were pulled before an error stay.
    """
    for asset in expand(name):
        yield from _pull_one(asset, cache, fetch)


def _pull_one(asset: Asset, cache: Path | None, fetch: Fetch) -> Iterator[PullEvent]:
    present = _present(asset, cache)
    if present is not None:
        yield PullEvent(asset=asset.name, step="already there", size_bytes=present.stat().st_size, path=present)
        return
    target = asset_path(asset, cache)
    with _workshop(target.parent) as workshop:
        yield PullEvent(asset=asset.name, step="downloading", size_bytes=asset.size_bytes)
        fetched = [fetch(file, workshop) for file in asset.files]
        yield PullEvent(asset=asset.name, step="checking", size_bytes=asset.size_bytes)
        for file, path in zip(asset.files, fetched, strict=True):
            _refuse_other_bytes(file, path)
        if asset.derived is not None:
            yield PullEvent(asset=asset.name, step="converting", size_bytes=asset.size_bytes)
        made = fetched[0] if asset.derived is None else _convert(asset.derived, fetched, workshop)
        _store(made, target, asset)
    yield PullEvent(asset=asset.name, step="done", size_bytes=target.stat().st_size, path=target)


def _present(asset: Asset, cache: Path | None) -> Path | None:
    try:
        return find(asset.name, cache=cache)
    except (MissingAssetError, AssetError):  # an altered file is replaced
        return None


@contextmanager
def _workshop(beside: Path) -> Iterator[Path]:
    # inside the cache: a rename is atomic only within one file system
    try:
        beside.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".pull-", dir=beside) as name:
            yield Path(name)
    except OSError as error:
        raise AssetError(f"The cache {beside} cannot be written: {error.strerror or error}.") from error


def _refuse_other_bytes(file: PinnedFile, path: Path) -> None:
    size = path.stat().st_size
    if size != file.size_bytes:
        raise AssetError(f"{file.source} is not the pinned file: {size} bytes instead of {file.size_bytes}. Refused.")
    found = file_digest(path)
    if found != file.sha256:
        raise AssetError(
            f"{file.source} is not the pinned file: sha256 {found[:12]}… instead of {file.sha256[:12]}…. Refused."
        )


def _convert(derived: Derivation, fetched: Sequence[Path], workshop: Path) -> Path:
    module, _, function = derived.converter.partition(":")
    converter = cast("Converter", getattr(import_module(module), function))
    made = workshop / derived.file_name
    converter(fetched, made)
    return made


def _store(made: Path, target: Path, asset: Asset) -> None:
    with made.open("r+b") as handle:
        os.fsync(handle.fileno())
    version = 0 if asset.derived is None else asset.derived.version
    known = record.measure(made, sources=sources_of(asset), converter_version=version)
    made.replace(target)  # a rename keeps size and time, so the record stays true
    record.write(target, known)
