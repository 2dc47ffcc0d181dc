"""Stored answers to questions → places of options. Needs no model."""

from collections.abc import Callable, Iterable, Sequence
from typing import assert_never

import numpy as np
import orjson

from evenhand.core.outcomes import Answered, Blocked, Failed
from evenhand.core.question_spec import AnswerMode, OptionScore
from evenhand.core.questions import Item
from evenhand.core.types import Outcome
from evenhand.instruments.intersectional.asking import Put, shown_options
from evenhand.instruments.intersectional.replies import place_in
from evenhand.instruments.intersectional.table import INVALID, MISSING, REFUSED, Choices
from evenhand.storage.records import Response

IsRefusal = Callable[[str], bool]


def choices_of(
    responses: Iterable[Response],
    puts: Sequence[Put],
    items: Sequence[Item],
    *,
    runs: int,
    answer: AnswerMode,
    is_refusal: IsRefusal,
) -> Choices:
    """Read what was chosen.

    Returns
    -------
    array
        (N, R) places in the item's own order; `REFUSED` for blocked answers and refusals without a choice, `INVALID`
        for what chooses no option, `MISSING` for failed and unasked questions.
    """
    by_id = {put.request.id: put for put in puts}
    choices = np.full((len(items), runs), MISSING, dtype=np.int8)
    for response in responses:
        put = by_id.get(response.request.id)
        if put is not None:
            shown = _shown(response.output.outcome, shown_options(items[put.place], put.order), answer, is_refusal)
            choices[put.place, put.request.replicate - 1] = put.order[shown] if shown >= 0 else shown
    return choices


def _shown(outcome: Outcome, options: Sequence[str], answer: AnswerMode, is_refusal: IsRefusal) -> int:
    match outcome:
        case Failed():
            return MISSING
        case Blocked():
            return REFUSED
        case Answered(text=text):
            if answer == "loglikelihood":
                return likeliest(read_scores(text))
            place = place_in(text, options)
            if place is not None:
                return place
            return REFUSED if text.strip() and is_refusal(text) else INVALID
        case _:
            assert_never(outcome)


def likeliest(scores: Sequence[OptionScore]) -> int:
    """Return the place of the largest sum; `INVALID` if two share it."""
    sums = [score.log_likelihood for score in scores]
    return sums.index(max(sums)) if sums.count(max(sums)) == 1 else INVALID


def write_scores(scores: Sequence[OptionScore]) -> str:
    """Write scores as they are stored: sums and tokens, in the order shown."""
    plain = {
        "log_likelihoods": [score.log_likelihood for score in scores],
        "tokens": [score.tokens for score in scores],
    }
    return orjson.dumps(plain).decode()


def read_scores(text: str) -> list[OptionScore]:
    """Read what `write_scores` wrote."""
    plain = orjson.loads(text)
    pairs = zip(plain["log_likelihoods"], plain["tokens"], strict=True)
    return [OptionScore(log_likelihood=total, tokens=tokens) for total, tokens in pairs]
