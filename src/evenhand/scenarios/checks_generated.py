"""Whether the variants that a file asks for can be made: slots and lists that exist, grammar that is kept."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from evenhand.scenarios.document import Path, Plain, Problem
from evenhand.scenarios.expand import Lists, Made, base_prompt, chosen_words, make, same_prompts
from evenhand.scenarios.gender_swap import VALUES
from evenhand.scenarios.gender_vocabulary import gender_vocabulary
from evenhand.scenarios.loose import entries, mapping
from evenhand.scenarios.nearest import did_you_mean
from evenhand.scenarios.schema import GroupModel, ListModel, ScenarioModel
from evenhand.scenarios.slots import slot_names, stray_brace
from evenhand.scenarios.word_lists import of_model, shipped_lists
from evenhand.scenarios.words import Unsafe, words

# a file of 5 MB could ask for terabytes: one long prompt, a list of ten thousand words, a thousand groups
MAX_GENERATED = 20_000_000

_WAYS = ("variants", "before", "slot", "swap")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """One scenario of the file, its position, and its path."""

    scenario: ScenarioModel
    turn: int
    path: Path


def generation_problems(data: Plain) -> Iterator[Problem]:
    """Yield what stands in the way of the variants that a file asks for.

    Scenarios and lists whose own shape is wrong are passed over: `shape` reports them.
    """
    file = mapping(data)
    lists, broken = _known_lists(mapping(file.get("lists")))
    yield from _list_problems(mapping(file.get("lists")))
    room = MAX_GENERATED
    for place in _sound_scenarios(file):
        problems = list(_structure_problems(place, lists, broken))
        yield from problems
        if problems or any(group.list in broken for group in place.scenario.counterfactuals):
            continue
        room -= _size(place, lists)
        if room < 0:
            yield Problem(
                path=place.path,
                text=f"up to here the file asks for more than {MAX_GENERATED // 1_000_000} MB of prompts; "
                "give shorter prompts, or fewer values",
            )
            return
        yield from _grammar_problems(place, lists)


def file_lists(data: Plain) -> Lists:
    """Return the shipped lists and those of a sound file."""
    return _known_lists(mapping(mapping(data).get("lists")))[0]


# ---- lists ----


def _known_lists(plain: Mapping[str, Plain]) -> tuple[Lists, frozenset[str]]:
    found, broken = dict(shipped_lists()), set()
    for name, entry in plain.items():
        try:
            found.setdefault(name, of_model(name, ListModel.model_validate(entry)))
        except ValidationError:
            broken.add(name)
    return found, frozenset(broken)


def _list_problems(plain: Mapping[str, Plain]) -> Iterator[Problem]:
    for name, entry in plain.items():
        path: Path = ("lists", name)
        if name in shipped_lists() or name == "gender_words":
            yield Problem(path=path, text=f"{name!r} is the name of a list that ships; choose another")
        given = mapping(entry)
        if given.get("perceived") is True:
            for key in ("source", "year"):
                if given.get(key) is None:
                    yield Problem(
                        path=(*path, key),
                        text=f"the key {key!r} is missing: say who found that the words are perceived so",
                    )
        for value, found in mapping(given.get("values")).items():
            for word in found if isinstance(found, list) else [found]:
                if isinstance(word, str) and not set(word).isdisjoint("{}"):
                    yield Problem(path=(*path, "values", value), text="a word must not hold braces", value=word)


# ---- structure ----


def _sound_scenarios(file: Mapping[str, Plain]) -> Iterator[_Place]:
    for index, entry in entries(file.get("scenarios")):
        try:
            scenario = ScenarioModel.model_validate(entry)
        except ValidationError:
            continue
        yield _Place(scenario=scenario, turn=index, path=("scenarios", index))


def _structure_problems(place: _Place, lists: Lists, broken: frozenset[str]) -> Iterator[Problem]:
    yield from _slot_problems(place)
    for path, group in _groups(place):
        ways = [way for way in _WAYS if getattr(group, way) is not None]
        if len(ways) != 1:
            found = f"found {' and '.join(ways)}" if ways else "found none of them"
            yield Problem(path=path, text=f"variants are made in one way: variants, before, slot or swap; {found}")
        elif ways[0] in ("variants", "swap"):
            yield from _without_words(group, path, ways[0])
        else:
            yield from _word_problems(place, group, path, lists, broken)


def _slot_problems(place: _Place) -> Iterator[Problem]:
    slots, prompt = place.scenario.slots, place.scenario.prompt
    if slots is None:
        return
    brace = stray_brace(prompt)
    if brace is not None:
        text = f"the brace {brace} belongs to no slot; in a prompt with slots a brace is written {brace * 2}"
        yield Problem(path=(*place.path, "prompt"), text=text)
    used = slot_names(prompt)
    for name in used:
        if name not in slots:
            hint = did_you_mean(name, slots)
            yield Problem(path=(*place.path, "prompt"), text=f"the slot {{{name}}} is not among the slots{hint}")
    for name, filling in slots.items():
        if name not in used:
            yield Problem(path=(*place.path, "slots", name), text=f"the slot {{{name}}} does not occur in the prompt")
        if not set(filling).isdisjoint("{}"):
            yield Problem(path=(*place.path, "slots", name), text="a filling must not hold braces", value=filling)


def _without_words(group: GroupModel, path: Path, way: str) -> Iterator[Problem]:
    keys = ("list", "words") if way == "swap" else ("list", "words", "values")
    for key in keys:
        if getattr(group, key) is not None:
            yield Problem(path=(*path, key), text=f"{key} does not go with {way}; leave it out")
    if way == "swap":
        if group.values is None:
            yield Problem(path=(*path, "values"), text="the key 'values' is missing: say what to swap to")
        yield from _unknown_values(group.values or (), VALUES, path)


def _word_problems(
    place: _Place, group: GroupModel, path: Path, lists: Lists, broken: frozenset[str]
) -> Iterator[Problem]:
    if group.slot is not None and group.slot not in (place.scenario.slots or {}):
        hint = did_you_mean(group.slot, place.scenario.slots or ())
        yield Problem(path=(*path, "slot"), text=f"the scenario has no slot {{{group.slot}}}{hint}")
    if (group.list is None) == (group.words is None):
        text = "the words come from a list or stand under words; give one of the two"
        yield Problem(path=path, text=text)
    elif group.words is not None:
        if group.values is not None:
            yield Problem(path=(*path, "values"), text="values picks from a list; with words leave it out")
        for value, found in group.words.items():
            for word in found:
                if not set(word).isdisjoint("{}"):
                    yield Problem(path=(*path, "words", value), text="a word must not hold braces", value=word)
    elif group.list is not None and group.list not in broken:
        yield from _list_use_problems(group, group.list, path, lists)


def _list_use_problems(group: GroupModel, name: str, path: Path, lists: Lists) -> Iterator[Problem]:
    found = lists.get(name)
    if found is None:
        hint = "; use swap: gender_words" if name == "gender_words" else did_you_mean(name, lists)
        yield Problem(path=(*path, "list"), text=f"there is no list named {name!r}{hint}")
        return
    way = "before" if group.before is not None else "slot"
    if found.use != way:
        yield Problem(path=(*path, "list"), text=f"the list {name!r} is made for {found.use}, not for {way}")
    if found.attribute != group.attribute:
        text = f"the list {name!r} is about {found.attribute!r}, not about {group.attribute!r}"
        yield Problem(path=(*path, "list"), text=text)
    yield from _unknown_values(group.values or (), tuple(found.values), path)


def _unknown_values(values: Sequence[str], known: Sequence[str], path: Path) -> Iterator[Problem]:
    for index, value in enumerate(values):
        if value not in known:
            yield Problem(path=(*path, "values", index), text=f"no such value: {value!r}{did_you_mean(value, known)}")
        elif value in values[:index]:
            yield Problem(path=(*path, "values", index), text="the value stands here for the second time", value=value)


# ---- size ----


def _size(place: _Place, lists: Lists) -> int:
    """Count at least the characters that a scenario's prompts will have, without writing them."""
    scenario = place.scenario
    times = slot_names(scenario.prompt) if scenario.slots is not None else {}
    base = len(scenario.prompt) + sum(times[name] * len(text) for name, text in (scenario.slots or {}).items())
    total = base
    for _, group in _groups(place):
        if group.variants is not None:
            continue
        if group.swap is not None:
            total += len(group.values or ()) * base
            continue
        repeats = times.get(group.slot, 1) if group.slot is not None else 1
        total += sum(base + repeats * len(word) for _, word, _ in chosen_words(group, turn=place.turn, lists=lists))
    return total


# ---- grammar ----


def _grammar_problems(place: _Place, lists: Lists) -> Iterator[Problem]:
    base = base_prompt(place.scenario)
    if isinstance(base, Unsafe):
        yield _problem(base, (*place.path, "prompt"), "the base prompt")
        return
    for path, group in _groups(place):
        if group.variants is not None and place.scenario.slots is None:
            continue  # written out in full: `checks` has looked at them
        gendered = _gendered_beside(place, group, base)
        if gendered is not None:
            yield _problem(gendered, (*path, "slot" if group.slot is not None else "before"), "a variant")
            continue
        made = list(make(place.scenario, group, base, turn=place.turn, lists=lists))
        yield from _unsafe_variants(made, group, path)
        for problem in same_prompts(made, base):
            yield Problem(path=(*path, *problem.path), text=problem.text)


def _unsafe_variants(made: Sequence[Made], group: GroupModel, path: Path) -> Iterator[Problem]:
    unsafe = [(each, each.prompt) for each in made if isinstance(each.prompt, Unsafe)]
    reasons = {found for _, found in unsafe}
    if len(made) > 1 and len(unsafe) == len(made) and len(reasons) == 1:
        # nothing about the values: said once, at the field that all variants come from
        way = next(way for way in _WAYS if getattr(group, way) is not None)
        yield _problem(unsafe[0][1], (*path, way), "the variants")
        return
    for each, found in unsafe:
        yield _problem(found, (*path, *each.path), f"the variant for {each.value!r}")


def _gendered_beside(place: _Place, group: GroupModel, base: str) -> Unsafe | None:
    """Find a gender word beside the place that will say another gender: "a {person} and her desk"."""
    if "gender" not in group.attribute or (group.before is None and group.slot is None):
        return None
    prompt = base
    if group.slot is not None:
        # the slot's own filling may say a gender: it is what will be replaced
        slots = {**(place.scenario.slots or {}), group.slot: ""}
        prompt = place.scenario.prompt
        for name, filling in slots.items():
            prompt = prompt.replace(f"{{{name}}}", filling)
    known = gender_vocabulary()
    word = next((word for word in words(prompt) if known.is_gendered(word.key)), None)
    if word is None:
        return None
    return Unsafe(
        reason="beside what is changed the prompt says a gender too; use swap, or write the variants out",
        word=word.text,
    )


def _problem(unsafe: Unsafe, path: Path, what: str) -> Problem:
    return Problem(path=path, text=f"{what} cannot be made safely: {unsafe.reason}", value=unsafe.word)


def _groups(place: _Place) -> Iterator[tuple[Path, GroupModel]]:
    for index, group in enumerate(place.scenario.counterfactuals):
        yield (*place.path, "counterfactuals", index), group
