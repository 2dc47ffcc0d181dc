"""Texts in, judgements out: mask once, judge each distinct text once, let no bad text cost the others."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from evenhand.core.protocols import CouldNotJudge, Evaluator, Judged, Judgement, Subject
from evenhand.errors import UsageError
from evenhand.evaluation.masking import mask as mask_identity
from evenhand.evaluation.remembered import Remembered

EMPTY = CouldNotJudge(reason="the answer is empty")


class EvaluationPipeline:
    """Runs every evaluator over the same texts.

    A text that comes again, in this call or a later one, is not judged again while it is remembered (the latest
    1,000 texts). Calls must not overlap.

    Parameters
    ----------
    evaluators
        Each with a name of its own.
    mask
        Text to the text with identity words masked.

    Raises
    ------
    UsageError
        If two evaluators have the same name.
    """

    def __init__(self, evaluators: Sequence[Evaluator], *, mask: Callable[[str], str] = mask_identity) -> None:
        names = [evaluator.name for evaluator in evaluators]
        doubled = sorted({name for name in names if names.count(name) > 1})
        if doubled:
            raise UsageError(f"Two evaluators are called {doubled[0]!r}; give one of them another name.")
        self.evaluators = tuple(evaluators)
        self._mask = mask
        self._remembered = {evaluator.name: Remembered() for evaluator in evaluators}

    def judge(self, texts: Sequence[str]) -> Mapping[str, Sequence[Judgement]]:
        """Judge every text with every evaluator.

        Returns
        -------
        Mapping[str, Sequence[Judgement]]
            Evaluator name to judgements, in the order of `texts`. Empty answers reach no evaluator.

        Raises
        ------
        UsageError
            If an evaluator does not return one judgement per text: answers could then be given to the wrong text.
        """
        distinct = [text for text in dict.fromkeys(texts) if text.strip()]
        mask = cache(self._mask)  # evaluators may remember different texts, and still each is masked once
        found = {}
        for evaluator in self.evaluators:
            by_text = _judge_new(evaluator, distinct, mask, self._remembered[evaluator.name])
            found[evaluator.name] = [by_text.get(text, EMPTY) for text in texts]
        return found


def _judge_new(
    evaluator: Evaluator, texts: Sequence[str], mask: Callable[[str], str], remembered: Remembered
) -> dict[str, Judgement]:
    known = {text: judged for text in texts if (judged := remembered.get(text)) is not None}
    subjects = [Subject(text=text, masked=mask(text)) for text in texts if text not in known]
    judgements = _judge_batch(evaluator, subjects) if subjects else []
    fresh = {subject.text: judgement for subject, judgement in zip(subjects, judgements, strict=True)}
    for text, judgement in fresh.items():
        remembered.add(text, judgement)
    return {**known, **fresh}


def _judge_batch(evaluator: Evaluator, batch: Sequence[Subject]) -> Sequence[Judgement]:
    try:
        judgements = evaluator.evaluate(batch)
    except Exception as error:  # noqa: BLE001 - evaluators are plugins: what they raise is recorded, not passed on
        return _judge_singly(evaluator, batch, error)
    return _checked(evaluator, batch, judgements)


def _judge_singly(evaluator: Evaluator, batch: Sequence[Subject], error: Exception) -> Sequence[Judgement]:
    if len(batch) == 1:
        return [CouldNotJudge(reason=f"{evaluator.name} failed with {type(error).__name__}: {error}")]
    # one text may have broken the batch: the others are judged without it
    return [judgement for subject in batch for judgement in _judge_batch(evaluator, [subject])]


def _checked(evaluator: Evaluator, batch: Sequence[Subject], returned: object) -> Sequence[Judgement]:
    # evaluators are plugins: their declared type promises nothing
    judgements: list[Judgement] = []
    for judgement in returned if isinstance(returned, Sequence) else [returned]:
        if not isinstance(judgement, Judged | CouldNotJudge):
            raise UsageError(
                f"The evaluator {evaluator.name!r} returned {type(judgement).__name__}; "
                "it must return Judged or CouldNotJudge for each text."
            )
        judgements.append(judgement)
    if len(judgements) != len(batch):
        raise UsageError(
            f"The evaluator {evaluator.name!r} was given {len(batch)} texts and returned {len(judgements)} judgements; "
            "it must return one per text, in order."
        )
    return judgements
