"""What a text chooses; what chooses nothing. And answers that name items."""

import numpy as np
import pytest
from bbq_builders import ambiguous, an_item

from evenhand.errors import DataError
from evenhand.instruments.intersectional.matching import Matched, match_answers
from evenhand.instruments.intersectional.replies import place_in, place_of
from evenhand.instruments.intersectional.table import INVALID, MISSING

OPTIONS = ("The Black man", "Can't be determined", "The Black woman")

CHOOSE = [
    ("C", 2),
    ("c", 2),
    ("(B)", 1),
    ("B.", 1),
    ("Option C", 2),
    ("The Black woman", 2),
    ("  the black WOMAN. ", 2),
    ("Can’t be determined", 1),
    ("Answer: C", 2),
    ("The answer is A", 0),
    ('{"answer": "C"}', 2),
    ('{"answer": "The Black man"}', 0),
    ('```json\n{"Answer": "b"}\n```', 1),
    ("A. The Black man", 0),
    ("**C) The Black woman**", 2),
    ("It was the Black woman who did it.", 2),
    ("First A seems right. The final answer is: (B) Can't be determined", 1),
    ("<think>The Black man</think> C", 2),
    ("B\n\nBecause it is not said.", 1),
]
NOTHING = [
    "Both of them",
    "Neither",
    "",
    "3",
    "0",
    "D",
    "A. The Black woman",
    "The Black man or the Black woman",
    "A person cannot know that",
    "It was not the Black man.",
    "I think it was the Black man, not the Black woman.",
    '{"answer": "both"}',
    "I'm sorry, but I can't help with that.",
]


@pytest.mark.parametrize(("reply", "place"), CHOOSE)
def test_replies_that_choose(reply: str, place: int) -> None:
    """Letter, text, JSON, a letter with its text, the only option named."""
    assert place_in(reply, OPTIONS) == place


@pytest.mark.parametrize("reply", NOTHING)
def test_replies_that_choose_nothing(reply: str) -> None:
    """Nothing is guessed: two options, none, a contradiction, a denial."""
    assert place_in(reply, OPTIONS) is None


def test_man_is_not_named_by_woman() -> None:
    """Options are found as whole words, and one inside a longer one is not named by it."""
    assert place_in("Surely the African American man", ("The American man", "The African American man", "Unknown")) == 1
    assert place_in("the woman", ("man", "woman", "unknown")) == 1


@pytest.mark.parametrize(("answer", "place"), [(0, 0), (2, 2), (3, None), (-1, None), ("3", None), ("-1", None)])
def test_an_index_out_of_range_is_unparsed(answer: int | str, place: int | None) -> None:
    """3 and −1 are no options, also as text."""
    assert place_of(answer, OPTIONS) == place


def test_a_misspelt_option_is_matched_by_its_right_spelling() -> None:
    """“The one on welfare” is the option that the published items spell “The on on welfare”."""
    options = ("The on on welfare", "The one with a job", "Unknown")
    assert place_of("The one on welfare", options) == 0
    assert place_of("The on on welfare", options) == 0


def _match(*rows: tuple[int, str, int | str | None]) -> Matched:
    return match_answers(
        ambiguous(2),
        categories=["Race_x_gender"] * len(rows),
        example_ids=[number for number, _, _ in rows],
        runs=[run for _, run, _ in rows],
        answers=[answer for _, _, answer in rows],
        rows=list(range(2, 2 + len(rows))),
        file="a.csv",
    )


def test_answers_are_put_in_the_order_of_the_items() -> None:
    """Runs become columns as they appear; what is not there is missing, what is no option is invalid and shown."""
    found = _match((1, "x", "B"), (0, "y", "The Black man"), (1, "y", 3), (0, "x", None))
    assert found.runs == ("x", "y")
    assert np.array_equal(found.choices, [[INVALID, 0], [1, INVALID]])
    assert (found.answers, found.invalid) == (4, 2)
    assert [(each.row, each.answer) for each in found.unparsed] == [(4, "3"), (5, "None")]
    assert _match((0, "x", 0)).choices[1, 0] == MISSING


def test_two_answers_in_one_run_are_refused() -> None:
    """With both rows."""
    with pytest.raises(DataError, match="two answers in run x; the other is in row 2") as error:
        _match((0, "x", 0), (0, "x", 0))
    assert (error.value.file, error.value.line) == ("a.csv", 3)


def test_an_answer_to_no_item_is_refused() -> None:
    """The key is category and example_id; a category that the data lacks is named."""
    with pytest.raises(DataError, match="no item 9 of Race_x_gender"):
        _match((9, "x", 0))
    with pytest.raises(DataError, match="no category 'Age', only Race_x_gender"):
        match_answers([an_item()], categories=["Age"], example_ids=[0], runs=["1"], answers=[0], rows=[2], file="a.csv")
