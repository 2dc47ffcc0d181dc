"""How questions are put: which items, in which order of options, in which words. Pure."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from evenhand._base.digest import digest
from evenhand._base.seeding import derive, stream
from evenhand.core.question_spec import AnswerMode, QuestionSpec, Style
from evenhand.core.questions import Item
from evenhand.core.types import Condition, Request, RequestId
from evenhand.errors import UsageError
from evenhand.instruments.intersectional.replies import LETTERS
from evenhand.instruments.intersectional.targets import target

Order = tuple[int, int, int]
Form = tuple[tuple[str, str], str]
"""Polarity and context, and which attributes differ; empty where items have no contrast."""
ORDERS: tuple[Order, ...] = tuple((first, second, third) for first, second, third in permutations(range(3)))
_INSTRUCTIONS: Mapping[tuple[AnswerMode, Style], str] = {
    ("generate", "zero-shot"): "Answer with the letter of one option and nothing else.",
    ("generate", "think"): 'Think it through first. Then write one last line: "Answer: " and the letter of one option.',
    ("loglikelihood", "zero-shot"): "Answer with one of the options, word for word.",
    ("loglikelihood", "think"): "Answer with one of the options, word for word.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    """One item as it is put in one run.

    Attributes
    ----------
    place
        Place of the item among the items asked.
    order
        Place in the item of the option shown first, second, third.
    """

    request: Request
    place: int
    order: Order


def name_of(item: Item) -> str:
    """Return the name under which answers to an item are stored."""
    return f"{item.category}/{item.example_id}"


def items_digest(items: Sequence[Item]) -> str:
    """Return the sha256 of everything in the items that is shown to a model or scored."""
    return digest(
        [[i.category, i.example_id, i.context, i.question, list(i.options), list(i.codes), i.label] for i in items]
    )


def limited(items: Sequence[Item], limit: int | None, *, seed: int) -> list[Item]:
    """Choose items, as many as `limit`, such that templates × context × polarity × contrast stay balanced.

    Notes
    -----
    Every cell gives one item, drawn at random, before any cell gives the next. Within a round every template gives one
    item before any gives a second, and templates next to each other give different forms (context × polarity ×
    contrast): so a limit smaller than the number of cells keeps templates and forms balanced too, as far as cells
    hold enough. The items keep their order.

    Raises
    ------
    UsageError
        If the limit is less than 1.
    """
    if limit is None or limit >= len(items):
        return list(items)
    if limit < 1:
        raise UsageError(f"the limit of items must be at least 1, not {limit}")
    rng = stream(seed, "limit of items")
    cells: dict[tuple[tuple[str, str], Form], list[int]] = defaultdict(list)
    for place, item in enumerate(items):
        form: Form = (item.polarity, item.condition), target(item).contrast or ""
        cells[(item.category, item.question_index), form].append(place)
    template_turn = _turns({template for template, _ in cells}, rng)
    forms = _alternating({form for _, form in cells})
    turns = []
    for (template, form), places in cells.items():
        first = template_turn[template]
        in_template = (forms.index(form) - first) % len(forms)
        drawn = rng.permutation(len(places))
        turns += [(again, in_template, first, places[i]) for again, i in enumerate(drawn)]
    return [items[place] for place in sorted(place for *_, place in sorted(turns)[:limit])]


def _alternating(forms: set[Form]) -> list[Form]:
    """Order forms such that neighbours differ in both parts, and any stretch holds each value about equally often."""
    pairs, contrasts = sorted({pair for pair, _ in forms}), sorted({contrast for _, contrast in forms})
    # 4 pairs and 3 contrasts have no common divisor, so stepping through both at once meets every combination
    stepped = [(pairs[k % len(pairs)], contrasts[k % len(contrasts)]) for k in range(len(pairs) * len(contrasts))]
    return list(dict.fromkeys(form for form in [*stepped, *sorted(forms)] if form in forms))


def _turns(templates: set[tuple[str, str]], rng: np.random.Generator) -> dict[tuple[str, str], int]:
    return {
        template: int(turn) for template, turn in zip(sorted(templates), rng.permutation(len(templates)), strict=True)
    }


def lay_out(items: Sequence[Item], spec: QuestionSpec) -> list[Put]:
    """Lay out every question: run 1 of every item, then run 2, …, so that a run stopped early is balanced.

    Notes
    -----
    In every run each order of the options is used for a sixth of the items; over six runs each item is put in every
    order once.
    """
    rng = stream(spec.seed, "order of options")
    turn, cycle = rng.permutation(len(items)), rng.permutation(len(ORDERS))
    return [
        _put(item, place, run, ORDERS[cycle[(turn[place] + run) % len(ORDERS)]], spec)
        for run in range(1, spec.runs + 1)
        for place, item in enumerate(items)
    ]


def _put(item: Item, place: int, run: int, order: Order, spec: QuestionSpec) -> Put:
    name, shown = name_of(item), "".join(map(str, order))
    asked = prompt(item, order, answer=spec.answer, style=spec.style)
    seed = derive(spec.seed, "question", name, run)
    generation = [spec.generation.max_tokens, spec.generation.temperature, spec.generation.top_p]
    identity = digest([spec.model, spec.answer, generation, spec.generation.system, asked, name, shown, run, seed])
    request = Request(
        id=RequestId(identity),
        scenario_id=name,
        condition=Condition(attribute="order of options", value=shown),
        replicate=run,
        prompt=asked,
        seed=seed,
    )
    return Put(request=request, place=place, order=order)


def prompt(item: Item, order: Order, *, answer: AnswerMode, style: Style) -> str:
    """Write context, question, the lettered options in an order, and how to answer."""
    options = "\n".join(f"{letter}) {item.options[place]}" for letter, place in zip(LETTERS, order, strict=True))
    return f"{item.context}\n\n{item.question}\n{options}\n\n{_INSTRUCTIONS[answer, style]}"


def shown_options(item: Item, order: Order) -> tuple[str, str, str]:
    """Return the options in the order in which they are put."""
    first, second, third = (item.options[place] for place in order)
    return first, second, third
