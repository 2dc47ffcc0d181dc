"""Whether vectors of the right shape make sense: ids, placeholders, sides that differ."""

from collections.abc import Iterator, Mapping
from typing import Any

from evenhand.core.vectors import PLACEHOLDER
from evenhand.scenarios.document import Path, Problem
from evenhand.scenarios.nearest import did_you_mean


def check_problems(data: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong between the values of a file that has the right shape."""
    places: dict[str, int] = {}
    for place, vector in enumerate(data["vectors"]):
        path: Path = ("vectors", place)
        first = places.setdefault(vector["id"], place)
        if first != place:
            yield Problem(path=(*path, "id"), text=f"vectors[{first}] has this id already", value=vector["id"])
        if "/" in vector["id"]:
            yield Problem(path=(*path, "id"), text="an id holds no slash, which parts it from the replicate")
        yield from _attributes(vector, path)
        yield from _sides(vector, path)
        yield from _placeholders(vector, path)


def _attributes(vector: Mapping[str, Any], path: Path) -> Iterator[Problem]:
    names = vector["attributes"]
    for place, name in enumerate(names):
        if name in names[:place]:
            yield Problem(path=(*path, "attributes", place), text="this attribute is listed already", value=name)
    if "pair" in vector and len(names) > 1:
        text = "a pair swaps one attribute, so that a difference can be said to be about it; list that one alone"
        yield Problem(path=(*path, "attributes"), text=text, value=names)
    if "figures" in vector and "pair" not in vector:
        yield Problem(path=(*path, "figures"), text="figures are compared between the sides of a pair; there is none")


def _sides(vector: Mapping[str, Any], path: Path) -> Iterator[Problem]:
    if "pair" not in vector:
        return
    treated, comparison = vector["pair"]["treated"], vector["pair"]["comparison"]
    for name in treated.keys() ^ comparison.keys():
        side = "treated" if name in treated else "comparison"
        other = "comparison" if name in treated else "treated"
        text = f"the placeholder {name!r} has a value on this side and none on the side {other!r}"
        yield Problem(path=(*path, "pair", side, name), text=text)
    if treated == comparison:
        yield Problem(path=(*path, "pair"), text="the two sides are equal, so there is nothing to compare")
    for name in vector.get("values", {}).keys() & {*treated, *comparison}:
        text = f"the placeholder {name!r} has a value here and in the pair; give it one place"
        yield Problem(path=(*path, "values", name), text=text)


def _placeholders(vector: Mapping[str, Any], path: Path) -> Iterator[Problem]:
    pair = vector.get("pair", {"treated": {}, "comparison": {}})
    known = {**vector.get("values", {}), **pair["comparison"], **pair["treated"]}
    used: set[str] = set()
    texts: list[tuple[Path, str]] = [((*path, "turns", n), text) for n, text in enumerate(vector["turns"])]
    if "system" in vector:
        texts.append(((*path, "system"), vector["system"]))
    for place, text in texts:
        names = PLACEHOLDER.findall(text)
        used.update(names)
        for name in dict.fromkeys(names):
            if name not in known:
                yield Problem(path=place, text=f"the placeholder {{{name}}} has no value{did_you_mean(name, known)}")
        if left := sorted(set(PLACEHOLDER.sub("", text)) & {"{", "}"}):
            wanted = "write placeholders as {name} in small letters, and no other braces"
            yield Problem(path=place, text=f"{' and '.join(left)} without a placeholder; {wanted}")
    owners = [("values",), ("pair", "treated"), ("pair", "comparison")]
    for owner, values in zip(owners, (vector.get("values", {}), pair["treated"], pair["comparison"]), strict=True):
        for name in values:
            if name not in used:
                yield Problem(path=(*path, *owner, name), text=f"no turn holds the placeholder {{{name}}}")
