"""The pipeline: each distinct text judged once, in order, and no text costs another its judgement."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.core.protocols import CouldNotJudge, Judged, Judgement, Subject
from evenhand.errors import UsageError
from evenhand.evaluation.pipeline import EvaluationPipeline
from evenhand.evaluation.remembered import LONGEST, Remembered


@dataclass
class Counting:
    """Judges the length of a text; fails on texts that hold "bomb". Remembers what it was given."""

    name: str = "counting"
    version: str = "1"
    provides: Sequence[str] = ()
    blind_spots: Sequence[str] = ()
    batches: list[list[Subject]] = field(default_factory=list)

    def evaluate(self, subjects: Sequence[Subject]) -> Sequence[Judgement]:
        self.batches.append(list(subjects))
        if any("bomb" in subject.text for subject in subjects):
            raise ValueError("cannot read this")
        return [Judged(values={"length": len(s.text), "masked": s.masked}) for s in subjects]


@dataclass
class Returning(Counting):
    """Returns whatever it was told to."""

    answer: Any = None

    def evaluate(self, subjects: Sequence[Subject]) -> Sequence[Judgement]:
        answer: Sequence[Judgement] = self.answer
        return answer


def pipeline(*evaluators: Any) -> EvaluationPipeline:
    return EvaluationPipeline(evaluators, mask=str.upper)


def test_masks_each_text_once() -> None:
    """Every evaluator sees the same subjects."""
    masked: list[str] = []
    counting, other = Counting(), Counting(name="other")
    EvaluationPipeline([counting, other], mask=lambda text: masked.append(text) or "m").judge(["a", "b", "a"])
    assert masked == ["a", "b"]
    assert counting.batches == other.batches == [[Subject(text="a", masked="m"), Subject(text="b", masked="m")]]


def test_a_text_that_comes_again_is_not_judged_again() -> None:
    """Not in a later batch either, and neither is it masked; its judgement is the one from before."""
    masked: list[str] = []
    counting = Counting()
    judging = EvaluationPipeline([counting], mask=lambda text: masked.append(text) or "m")
    first = judging.judge(["a", "b"])["counting"]
    again = judging.judge(["b", "c", "a", "b"])["counting"]
    assert [[subject.text for subject in batch] for batch in counting.batches] == [["a", "b"], ["c"]]
    assert masked == ["a", "b", "c"]
    assert [again[0], again[2], again[3]] == [first[1], first[0], first[1]]


def test_a_text_that_could_not_be_judged_is_tried_again() -> None:
    """The reason may have been a passing one; the other evaluators are not asked again."""

    @dataclass
    class FailingOnce(Counting):
        def evaluate(self, subjects: Sequence[Subject]) -> Sequence[Judgement]:
            judged = super().evaluate(subjects)
            return [CouldNotJudge(reason="busy")] if len(self.batches) == 1 else judged

    counting, failing = Counting(), FailingOnce(name="failing")
    judging = pipeline(counting, failing)
    assert judging.judge(["a"])["failing"] == [CouldNotJudge(reason="busy")]
    assert judging.judge(["a"])["failing"] == judging.judge(["a"])["counting"]
    assert (len(counting.batches), len(failing.batches)) == (1, 2)


def test_what_is_remembered_is_bounded() -> None:
    """The text not asked for longest goes first, and a very long one is not kept at all."""
    remembered = Remembered(2)
    a, b, c = (Judged(values={"text": text}) for text in "abc")
    remembered.add("a", a)
    remembered.add("b", b)
    assert remembered.get("a") == a
    remembered.add("c", c)
    assert (remembered.get("a"), remembered.get("b"), remembered.get("c")) == (a, None, c)
    remembered.add("x" * (LONGEST + 1), c)
    assert remembered.get("x" * (LONGEST + 1)) is None
    assert remembered.get("a") == a


def test_empty_answers_reach_no_evaluator() -> None:
    """Empty is not neutral: it says so, and an evaluator is promised that subjects are never empty."""
    counting = Counting()
    judged = pipeline(counting).judge(["", " \n", "\u2003"])
    assert judged["counting"] == [CouldNotJudge(reason="the answer is empty")] * 3
    assert counting.batches == []


@given(texts=st.lists(st.sampled_from(["", " ", "a", "bb", "ccc", "bomb"]), max_size=12))
def test_judgements_are_those_of_each_text_alone(texts: list[str]) -> None:
    """Order, repetition and company change nothing, not even company that breaks the batch."""
    together = pipeline(Counting()).judge(texts)["counting"]
    alone = [pipeline(Counting()).judge([text])["counting"][0] for text in texts]
    assert list(together) == alone


def test_one_bad_text_costs_no_other() -> None:
    """The batch is repeated text by text; the error is named."""
    judged = pipeline(Counting(), Counting(name="other")).judge(["fine", "a bomb", "good"])
    for name in ("counting", "other"):
        fine, bad, good = judged[name]
        assert isinstance(fine, Judged)
        assert isinstance(good, Judged)
        assert bad == CouldNotJudge(reason=f"{name} failed with ValueError: cannot read this")


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ([], "2 texts and returned 0"),
        ([Judged()] * 3, "2 texts and returned 3"),
        (None, "returned NoneType"),
        ([Judged(), 0.5], "returned float"),
    ],
)
def test_an_evaluator_that_miscounts_is_an_error_with_its_name(answer: object, problem: str) -> None:
    """Its answers could be given to the wrong text, so none of them is used."""
    with pytest.raises(UsageError, match=rf"'miscounting'.*{problem}"):
        pipeline(Returning(name="miscounting", answer=answer)).judge(["a", "b"])


def test_two_evaluators_of_one_name_are_refused() -> None:
    """One would overwrite the other."""
    with pytest.raises(UsageError, match="'counting'"):
        pipeline(Counting(), Counting())


def test_without_texts_there_are_no_judgements() -> None:
    """Every evaluator is there, with nothing."""
    assert pipeline(Counting()).judge([]) == {"counting": []}
