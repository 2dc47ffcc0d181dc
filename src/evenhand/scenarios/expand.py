"""One scenario's base prompt and variants, made from its template and word lists; or what is not safe about them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evenhand.core.types import CounterfactualVariant
from evenhand.scenarios.describing import describe
from evenhand.scenarios.document import Path, Problem
from evenhand.scenarios.gender_swap import swap_gender
from evenhand.scenarios.schema import GroupModel, ScenarioModel
from evenhand.scenarios.slots import fill
from evenhand.scenarios.word_lists import WordList
from evenhand.scenarios.words import Unsafe

Lists = Mapping[str, WordList]


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """One variant; `prompt` is Unsafe if it could not be made. `path` is the field that asked for it."""

    value: str
    prompt: str | Unsafe
    path: Path


def base_prompt(scenario: ScenarioModel) -> str | Unsafe:
    """Return the base prompt, with its slots filled. The slots must be sound."""
    template = scenario.prompt.strip()
    return template if scenario.slots is None else fill(template, scenario.slots)


def variants(
    scenario: ScenarioModel, group: GroupModel, base: str, *, turn: int, lists: Lists
) -> tuple[CounterfactualVariant, ...]:
    """Return the variants of one group. The file must have been checked: all of them can be made."""
    made = []
    for each in make(scenario, group, base, turn=turn, lists=lists):
        assert isinstance(each.prompt, str), "checked before"
        made.append(CounterfactualVariant(prompt=each.prompt, attribute_value=each.value))
    return tuple(made)


def make(scenario: ScenarioModel, group: GroupModel, base: str, *, turn: int, lists: Lists) -> Iterator[Made]:
    """Make the variants of a group one by one.

    Parameters
    ----------
    base
        The scenario's base prompt, filled.
    turn
        Position of the scenario in its file: scenario n takes the nth word of a value that has several, and the
        first again after the last.
    """
    if group.variants is not None:
        for index, variant in enumerate(group.variants):
            value = variant.value or variant.attribute_value or ""
            yield Made(value=value, prompt=variant.prompt.strip(), path=("variants", index, "prompt"))
        return
    if group.swap is not None:
        for index, value in enumerate(group.values or ()):
            yield Made(value=value, prompt=swap_gender(base, value), path=("values", index))
        return
    for value, word, path in chosen_words(group, turn=turn, lists=lists):
        yield Made(value=value, prompt=_with_word(scenario, group, base, word), path=path)


def chosen_words(group: GroupModel, *, turn: int, lists: Lists) -> list[tuple[str, str, Path]]:
    """Return value, word and field of each variant that a list or `words` asks for."""
    if group.words is not None:
        return [(value, _in_turn(words, turn), ("words", value)) for value, words in group.words.items()]
    assert group.list is not None, "checked before"
    found = lists[group.list].values
    if group.values is None:
        return [(value, _in_turn(words, turn), ("list",)) for value, words in found.items()]
    return [(value, _in_turn(found[value], turn), ("values", index)) for index, value in enumerate(group.values)]


def how_made(group: GroupModel) -> str:
    """Say in a few words where a group's variants come from."""
    words = f"list {group.list}" if group.list is not None else "words of the file"
    if group.before is not None:
        return f"before {group.before!r}, {words}"
    if group.slot is not None:
        return f"slot {{{group.slot}}}, {words}"
    return f"swap {group.swap}" if group.swap is not None else "written out"


def same_prompts(made: Sequence[Made], base: str) -> Iterator[Problem]:
    """Yield a problem for each variant that is the base prompt or another variant."""
    seen: dict[str, str] = {}
    for each in made:
        if not isinstance(each.prompt, str):
            continue
        if each.prompt == base:
            yield Problem(path=each.path, text=f"the variant for {each.value!r} would equal the base prompt")
        elif each.prompt in seen:
            text = f"the variant for {each.value!r} would equal that for {seen[each.prompt]!r}"
            yield Problem(path=each.path, text=text)
        else:
            seen[each.prompt] = each.value


def _with_word(scenario: ScenarioModel, group: GroupModel, base: str, word: str) -> str | Unsafe:
    if group.before is not None:
        return describe(base, group.before, word)
    assert group.slot is not None, "checked before"
    return fill(scenario.prompt.strip(), {**(scenario.slots or {}), group.slot: word})


def _in_turn(words: Sequence[str], turn: int) -> str:
    return words[turn % len(words)]
