"""Which model files are there: one line per asset, for the list that people read."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evenhand.assets.find import State, asset_path, state
from evenhand.assets.table import ASSETS, Asset


@dataclass(frozen=True, slots=True, kw_only=True)
class AssetStatus:
    """One asset, and whether it is there.

    Attributes
    ----------
    state
        ``"ready"``, ``"missing"`` or ``"altered"``, as `evenhand.assets.find.state` says.
    path
        Where it is; None unless it is there and verified.
    """

    asset: Asset
    state: State
    path: Path | None


def status(*, cache: Path | None = None) -> Sequence[AssetStatus]:
    """Say of every asset whether it is there, in the order of the table."""
    return [_status(asset, asset_path(asset, cache)) for asset in ASSETS]


def _status(asset: Asset, path: Path) -> AssetStatus:
    found = state(asset, path)
    return AssetStatus(asset=asset, state=found, path=path if found == "ready" else None)
