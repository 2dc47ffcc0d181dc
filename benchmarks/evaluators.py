"""Each evaluator of layer 1 on its own: texts a second of one core, on answers of one length."""

import time

from benchmarks.answers import answer
from evenhand.core.protocols import Subject
from evenhand.evaluation.masking import mask
from evenhand.evaluation.registry import load_evaluators


def subjects(words: int, count: int = 300) -> list[Subject]:
    """Different answers with their masked form, as the pipeline hands them over."""
    return [Subject(text=text, masked=mask(text)) for text in (answer(number, words) for number in range(count))]


def texts_per_core_s(words: int) -> dict[str, float]:
    """Return evaluator to answers judged (raw and masked) a second of processor time."""
    given, other = subjects(words), subjects(words + 1)
    speeds = {}
    for evaluator in load_evaluators():
        evaluator.evaluate(other)  # first use loads and compiles
        start = time.process_time()
        evaluator.evaluate(given)
        speeds[evaluator.name] = len(given) / (time.process_time() - start)
    return speeds
