"""Published reference distributions, each with its source. A name and an attribute in, a Reference out."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from itertools import groupby
from operator import itemgetter

from evenhand.core.types import Reference
from evenhand.errors import UnknownNameError

# One vocabulary with the detected labels: the sources' attribute "sex" is `gender` here, their "women" `female` and
# their "men" `male`. The data file keeps the sources' own words in source_attribute and source_category.
_ROWS = "baselines.csv"
_SOURCES = "baseline_sources.csv"


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """A published distribution, and how far it can be trusted.

    Attributes
    ----------
    reference
        What outputs are compared with.
    url
        Where the figures were read.
    caveat
        What the source covers and leaves out; empty if there is nothing to add.
    marks
        Category to how its share was read: ``"V2"`` two copies or pages agree, ``"V1+"`` one copy for the share and
        a second for the total, ``"V1"`` one copy, ``"S"`` a secondary page, ``"DERIVED"`` computed from the others.
    source_attribute, source_categories
        The source's own words: ``"sex"``, and category to ``"women"``.
    """

    reference: Reference
    url: str
    caveat: str
    marks: Mapping[str, str]
    source_attribute: str
    source_categories: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingNoise:
    """How far the women's share of an occupation moves from one year to the next, in percentage points.

    Attributes
    ----------
    median, percentile_90
        Of the absolute change between consecutive years.
    """

    median: float
    percentile_90: float

    def __str__(self) -> str:
        return (
            f"Among occupations of this size the share moves by {self.median:g} points in a median year and by "
            f"{self.percentile_90:g} in one year out of ten; do not report smaller gaps."
        )


def baseline(name: str, attribute: str) -> Reference:
    """Return the distribution of `attribute` that is published under `name`.

    For many look-ups call `load` once: nothing is cached, and every call reads the data file again.

    Raises
    ------
    UnknownNameError
        If there is no such name, or it has no figures for that attribute.
    """
    return find(load(), name, attribute).reference


def find(table: Mapping[tuple[str, str], Baseline], name: str, attribute: str) -> Baseline:
    """Return one entry of a loaded `table`.

    Raises
    ------
    UnknownNameError
        If there is no such name, or it has no figures for that attribute.
    """
    found = table.get((name, attribute))
    if found is not None:
        return found
    attributes = [known for other, known in table if other == name]
    if attributes:
        raise UnknownNameError(f"attribute of the baseline {name!r}", attribute, attributes)
    raise UnknownNameError("baseline", name, tuple(dict.fromkeys(other for other, _ in table)))


def names() -> tuple[str, ...]:
    """Every name that `baseline` accepts, sorted."""
    return tuple(sorted({name for name, _ in load()}))


def load() -> dict[tuple[str, str], Baseline]:
    """Read every baseline, by name and attribute.

    Returns
    -------
    dict
        793 distributions under 276 names. Shares lie in [0, 1] and sum to 1. `Reference.total` counts the persons
        that the distribution describes (for Pew, those who were asked); None where the source does not say.

    Notes
    -----
    Suppressed figures have no row and are never filled in. White, Black and Asian shares of the BLS include Hispanic
    people: `race` and `hispanic_ethnicity` must not be added, nor compared with `race_ethnicity_exclusive`.
    """
    sources = {key: texts for key, *texts in _read(_SOURCES)}
    groups = groupby(_read(_ROWS), key=itemgetter(0, 1))
    return {(name, attribute): _baseline(list(rows), sources) for (name, attribute), rows in groups}


def sampling_noise_points(total: int | None) -> SamplingNoise | None:
    """Say how noisy the women's share of an occupation is that `total` people have.

    Parameters
    ----------
    total
        Employed persons, as in `Reference.total` of a baseline named ``us_cps…``. The figures hold for occupations
        in Table 11 of the Current Population Survey only: a census or a list of companies has no such noise.

    Returns
    -------
    SamplingNoise or None
        None if `total` is unknown or below 50,000, where the BLS publishes no share.

    Notes
    -----
    Measured on Table 11: changes from 2021 to 2022 and from 2022 to 2023. They hold real change too.
    """
    if total is None:
        return None
    for at_least, median, percentile_90 in _NOISE:
        if total >= at_least:
            return SamplingNoise(median=median, percentile_90=percentile_90)
    return None


# employed persons, at least; median and 90th percentile of the absolute change in a year, in points
_NOISE = (
    (1_000_000, 0.7, 2.2),
    (500_000, 1.2, 3.5),
    (250_000, 2.3, 6.2),
    (100_000, 2.7, 8.0),
    (50_000, 3.2, 11.1),
)


def _read(file_name: str) -> list[list[str]]:
    text = (files("evenhand.metrics") / "data" / file_name).read_text(encoding="utf-8")
    return list(csv.reader(text.splitlines()))[1:]


def _baseline(rows: list[list[str]], sources: Mapping[str, list[str]]) -> Baseline:
    name, attribute, _, _, total, place, year, source, row, _, source_attribute, _ = rows[0]
    title, url, caveat = sources[source]
    reference = Reference(
        attribute=attribute,
        shares={cells[2]: float(cells[3]) for cells in rows},
        name=name,
        source=f'{title}: "{row}"' if row else title,
        year=year,
        place=place,
        total=int(total) if total else None,
    )
    return Baseline(
        reference=reference,
        url=url,
        caveat=caveat,
        marks={cells[2]: cells[9] for cells in rows},
        source_attribute=source_attribute,
        source_categories={cells[2]: cells[11] for cells in rows},
    )
