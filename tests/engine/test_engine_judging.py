"""Judging beside generation: what goes wrong in the background comes to light, once."""

import asyncio
from collections.abc import Sequence

import pytest

from evenhand.core.protocols import Judged, Judgement, Subject
from evenhand.core.types import Condition, GeneratedOutput, Request, RequestId, RunId
from evenhand.engine.judging import Judging
from evenhand.errors import StoreError
from evenhand.evaluation.pipeline import EvaluationPipeline
from evenhand.storage.records import Evaluation, Response


class Length:
    name, version, provides, blind_spots = "length", "1", (), ()

    def evaluate(self, subjects: Sequence[Subject]) -> Sequence[Judgement]:
        return [Judged(values={"n": len(subject.text)}) for subject in subjects]


class FullDisk:
    """A store whose first save of evaluations fails."""

    def __init__(self) -> None:
        self.saves = 0

    def save_evaluations(self, run_id: RunId, evaluations: Sequence[Evaluation]) -> None:
        self.saves += 1
        if self.saves == 1:
            raise StoreError("the disk is full")


def response(name: str) -> Response:
    request = Request(
        id=RequestId(name), scenario_id="s", condition=Condition(), replicate=1, prompt="Describe a nurse.", seed=1
    )
    return Response(request=request, output=GeneratedOutput.answer("She works."))


@pytest.fixture
def judging() -> Judging:
    return Judging(RunId("run"), store=FullDisk(), pipeline=EvaluationPipeline([Length()]), on_batch=lambda count: None)  # type: ignore[arg-type]


async def test_a_batch_that_could_not_be_stored_is_not_forgotten(judging: Judging) -> None:
    """Later answers do not start a new task in place of the one that failed: the metrics would miss its answers."""
    judging.add([response("a")])
    assert judging._task is not None
    await asyncio.wait([judging._task])
    judging.add([response("b")])
    with pytest.raises(StoreError, match="disk is full"):
        await judging.finish()


async def test_stopping_after_a_failure_prints_nothing(judging: Judging) -> None:
    """The error that stopped the run is shown; asyncio would add a traceback of its own when the task is deleted."""
    complaints: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: complaints.append(context))
    judging.add([response("a")])
    await judging.stop()
    judging._task = None
    await asyncio.sleep(0)
    assert complaints == []
