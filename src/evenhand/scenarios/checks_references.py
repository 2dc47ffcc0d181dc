"""Whether references and stereotypes name figures that exist, add up, and lie within the taxonomy."""

from collections.abc import Iterator, Mapping

from evenhand.metrics.baselines import Baseline
from evenhand.scenarios.document import Path, Plain, Problem
from evenhand.scenarios.loose import entries, mapping, number, text
from evenhand.scenarios.nearest import did_you_mean

Table = Mapping[tuple[str, str], Baseline]

UNIFORM = "uniform"
# published shares are rounded: three categories of whole percents can miss 1 by .005
SUM_TOLERANCE = 0.005


def names_figures(scenario: Mapping[str, Plain]) -> bool:
    """Say whether a scenario names any published baseline; if none does, the figures need not be read."""
    references = mapping(scenario.get("references")).values()
    named = [reference.get("baseline") if isinstance(reference, dict) else reference for reference in references]
    named += [stereotype.get("baseline") for _, stereotype in entries(scenario.get("stereotypes"))]
    return any(isinstance(name, str) and name != UNIFORM for name in named)


def reference_problems(
    scenario: Mapping[str, Plain], path: Path, taxonomies: Mapping[str, list[str]], table: Table
) -> Iterator[Problem]:
    """Yield what is wrong with a scenario's references."""
    for attribute, reference in mapping(scenario.get("references")).items():
        where = (*path, "references", attribute)
        if isinstance(reference, str):
            yield from _named_problems(reference, attribute, where, taxonomies, table)
        elif isinstance(reference, dict):
            yield from _written_problems(reference, attribute, where, taxonomies, table)


def _written_problems(
    reference: Mapping[str, Plain], attribute: str, path: Path, taxonomies: Mapping[str, list[str]], table: Table
) -> Iterator[Problem]:
    name = text(reference.get("baseline"))
    if name is not None:
        extra = [key for key in ("shares", "source", "year", "place") if reference.get(key) is not None]
        if extra:
            yield Problem(path=path, text=f"a reference that names a baseline must not give {' and '.join(extra)} too")
        yield from _named_problems(name, attribute, (*path, "baseline"), taxonomies, table)
        return
    for key in ("shares", "source", "year"):
        if reference.get(key) is None:
            yield Problem(path=(*path, key), text=f"the key {key!r} is missing: shares are given with source and year")
    yield from _share_problems(mapping(reference.get("shares")), attribute, (*path, "shares"), taxonomies)


def _share_problems(
    shares: Mapping[str, Plain], attribute: str, path: Path, taxonomies: Mapping[str, list[str]]
) -> Iterator[Problem]:
    for category in shares:
        if category not in taxonomies.get(attribute, shares):
            yield _outside(category, attribute, (*path, category), taxonomies)
    numbers = [number(share) for share in shares.values()]
    known = [share for share in numbers if share is not None]
    # a share out of range is reported as such; the sum would only repeat it
    if known and len(known) == len(numbers) and all(0 <= share <= 1 for share in known):
        total = sum(known)
        if abs(total - 1) > SUM_TOLERANCE + 1e-9:
            yield Problem(path=path, text=f"the shares must sum to 1; they sum to {total:.4g}")


def _named_problems(
    name: str, attribute: str, path: Path, taxonomies: Mapping[str, list[str]], table: Table
) -> Iterator[Problem]:
    if name == UNIFORM:
        if attribute not in taxonomies:
            yield Problem(path=path, text=f"a uniform reference needs the categories under taxonomies.{attribute}")
        return
    baseline = table.get((name, attribute))
    if baseline is None:
        yield _unknown_baseline(name, attribute, path, table, others=(UNIFORM,))
        return
    for category in baseline.reference.shares:
        if attribute in taxonomies and category not in taxonomies[attribute]:
            yield _outside(category, attribute, path, taxonomies, of=f" of the baseline {name!r}")


def stereotype_problems(
    scenario: Mapping[str, Plain], path: Path, taxonomies: Mapping[str, list[str]], table: Table
) -> Iterator[Problem]:
    """Yield what is wrong with a scenario's stereotypes."""
    seen: set[tuple[str, str]] = set()
    for index, stereotype in entries(scenario.get("stereotypes")):
        where = (*path, "stereotypes", index)
        attribute, value = text(stereotype.get("attribute")), text(stereotype.get("value"))
        if attribute is None or value is None:
            continue
        if (attribute, value) in seen:
            yield Problem(path=where, text=f"the stereotype {attribute}={value} stands here for the second time")
        seen.add((attribute, value))
        if value not in taxonomies.get(attribute, [value]):
            yield _outside(value, attribute, (*where, "value"), taxonomies)
        yield from _baseline_problems(stereotype, attribute, value, where, table)


def _baseline_problems(
    stereotype: Mapping[str, Plain], attribute: str, value: str, path: Path, table: Table
) -> Iterator[Problem]:
    stated = stereotype.get("baseline")
    given = [key for key in ("source", "year", "place") if stereotype.get(key) is not None]
    if isinstance(stated, str):
        baseline = table.get((stated, attribute))
        if given:
            yield Problem(
                path=path, text=f"the baseline {stated!r} brings its own {' and '.join(given)}; leave them out"
            )
        if baseline is None:
            yield _unknown_baseline(stated, attribute, (*path, "baseline"), table)
        elif value not in baseline.reference.shares:
            known = did_you_mean(value, baseline.reference.shares)
            yield Problem(path=(*path, "baseline"), text=f"the baseline {stated!r} has no category {value!r}{known}")
        elif baseline.reference.shares[value] == 0:
            yield Problem(
                path=(*path, "baseline"), text=f"the baseline {stated!r} gives {value!r} as 0: no ratio to it exists"
            )
    elif number(stated) is not None:
        for key in ("source", "year"):
            if key not in given:
                yield Problem(
                    path=(*path, key), text=f"the key {key!r} is missing: a rate is given with source and year"
                )
    elif stated is None and given:
        problem = f"{' and '.join(given)} without a baseline: give the rate to which that belongs"
        yield Problem(path=(*path, "baseline"), text=problem)


def _unknown_baseline(name: str, attribute: str, path: Path, table: Table, others: tuple[str, ...] = ()) -> Problem:
    attributes = [known for other, known in table if other == name]
    if attributes:
        hint = did_you_mean(attribute, attributes)
        return Problem(path=path, text=f"the baseline {name!r} has no figures for {attribute!r}{hint}")
    names = [*others, *(other for other, known in table if known == attribute)]
    hint = did_you_mean(name, names, at_most=2)
    return Problem(path=path, text=f"there is no baseline named {name!r} for {attribute!r}{hint}")


def _outside(
    category: str, attribute: str, path: Path, taxonomies: Mapping[str, list[str]], *, of: str = ""
) -> Problem:
    known = ", ".join(taxonomies[attribute])
    return Problem(path=path, text=f"the category {category!r}{of} is not in taxonomies.{attribute} ({known})")
