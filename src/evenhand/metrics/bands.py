"""Bands: from a number to pass, watch, flag, fail or under, by the cuts of a named profile."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from math import inf, log
from pathlib import Path
from typing import Literal

from evenhand.core.results import Band, Direction, MetricResult
from evenhand.errors import UnknownNameError

DEFAULT_PROFILE = "evenhand-1"
Quantity = Literal["value", "excess", "normalised excess", "associations"]
SEVERITY: tuple[Band, ...] = ("pass", "under", "watch", "flag", "fail")
"""Bands from the mildest to the most severe."""

ROUNDING = 1e-9  # a ratio that is 1.2 on paper may be 1.2000000000000002 here


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricBands:
    """The cuts of one metric.

    Attributes
    ----------
    reads
        The quantity that the cuts apply to: the plug-in value; the excess over what sampling alone brings; the excess
        after dividing by the largest value possible; or the single associations, of which the most severe decides.
    direction
        On which side of the cuts the trouble lies.
    cuts
        Band to the number beyond which it begins. A number exactly on a cut is still in the milder band.
    actions
        Band to what a reader should do.
    """

    reads: Quantity
    direction: Direction
    cuts: Mapping[Band, float]
    actions: Mapping[Band, str]

    def band(self, number: float) -> Band:
        """Return the band in which `number` lies."""
        found: Band = "pass"
        sign = -1 if self.direction == "higher_is_better" else 1
        for band in ("watch", "flag", "fail"):
            if sign * (number - self.cuts[band]) > ROUNDING:
                found = band
        if self.direction == "one_is_best" and number < self.cuts["under"] - ROUNDING:
            return "under"
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class PointBand:
    """The band of a point estimate. It knows nothing of sampling error: a verdict does.

    Attributes
    ----------
    band
        None where the metric has no value or the profile has no cuts for it.
    quantity, number
        What the band was read from, and what it was.
    basis
        The same as a sentence, saying so where it is not what the profile asks for.
    note
        What a reader must know about this band; empty if nothing.
    """

    band: Band | None
    profile: str
    quantity: str = ""
    number: float | None = None
    cuts: Mapping[Band, float]
    action: str = ""
    basis: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BandProfile:
    """A named, versioned set of cuts."""

    name: str
    description: str
    metrics: Mapping[str, MetricBands]

    def point_band(self, result: MetricResult) -> PointBand:
        """Read the band of a result's point estimate."""
        bands = self.metrics.get(result.metric)
        if bands is None:
            return PointBand(
                band=None, profile=self.name, cuts={}, basis=f"{self.name} has no cuts for {result.metric}"
            )
        if result.value is None:
            return PointBand(band=None, profile=self.name, cuts=bands.cuts, basis=f"undefined: {result.reason}")
        quantity, number, basis = _read(bands, result, result.value)
        band = bands.band(number)
        return PointBand(
            band=band,
            profile=self.name,
            quantity=quantity,
            number=number,
            cuts=bands.cuts,
            action=bands.actions[band],
            basis=basis,
            note=_note(bands, band, result),
        )


def load_profile(name_or_path: str | Path = DEFAULT_PROFILE) -> BandProfile:
    """Load a profile that ships with Evenhand, by name, or one of your own, by path.

    A string that ends in ``.yaml`` or ``.yml`` is a path.

    Raises
    ------
    UnknownNameError
        If no shipped profile has that name.
    SpecError
        If the file cannot be read or does not say what it must; names file, line and field.
    """
    from evenhand.metrics.bands_file import read_profile  # pydantic is slow to import, and most commands need no bands

    if isinstance(name_or_path, Path) or name_or_path.endswith((".yaml", ".yml")):
        return read_profile(Path(name_or_path))
    shipped = files("evenhand.metrics").joinpath("data/bands")
    if name_or_path not in profile_names():
        raise UnknownNameError("band profile", name_or_path, profile_names())
    return read_profile(shipped.joinpath(f"{name_or_path}.yaml"))


def profile_names() -> tuple[str, ...]:
    """List the profiles that ship with Evenhand."""
    shipped = files("evenhand.metrics").joinpath("data/bands")
    return tuple(
        sorted(entry.name.removesuffix(".yaml") for entry in shipped.iterdir() if entry.name.endswith(".yaml"))
    )


def _read(bands: MetricBands, result: MetricResult, value: float) -> tuple[str, float, str]:
    """Return the quantity that the band is read from, its number, and both as a sentence."""
    high, low = result.parts.get("highest_s"), result.parts.get("lowest_s")
    if bands.reads == "associations" and high is not None and low is not None:
        worst = max((high, low), key=lambda s: (SEVERITY.index(bands.band(s)), abs(log(s)) if s > 0 else inf))
        return "most severe association", worst, f"read from the most severe association, {worst:.3f}"
    if bands.reads == "normalised excess":
        return _read_normalised(result, value)
    if bands.reads == "excess":
        if result.excess is not None:
            return "excess", result.excess, f"read from the excess, {result.excess:.3f}"
        return "value", value, f"read from the plug-in value, {value:.3f}; {_NO_REFERENCE}"
    return "value", value, f"read from the value, {value:.3f}"


_NO_REFERENCE = "what sampling alone brings has not been subtracted"


def _read_normalised(result: MetricResult, value: float) -> tuple[str, float, str]:
    excess, plug_in = result.parts.get("normalised_excess"), result.parts.get("normalised")
    if excess is not None:
        return "normalised excess", excess, f"read from the normalised excess, {excess:.3f}"
    if plug_in is not None:
        return "normalised", plug_in, f"read from the normalised plug-in value, {plug_in:.3f}; {_NO_REFERENCE}"
    return "value", value, f"read from the plug-in value, {value:.3f}, since the result has no normalised one"


def _note(bands: MetricBands, band: Band, result: MetricResult) -> str:
    reachable = result.parts.get("lowest_reachable_max")
    if band == "pass" and reachable is not None and reachable <= bands.cuts["watch"]:
        return (
            f"Cut unreachable: for at least one association even a model that always shows the value reaches only "
            f"{reachable:.3f}, so this pass says nothing about it; read its share."
        )
    return ""
