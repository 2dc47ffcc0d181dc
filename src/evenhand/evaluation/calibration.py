"""What the toxicity and sentiment scorers say about plain sentences that name a group: their own share of a finding."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evenhand.core.protocols import Evaluator, Judged, Judgement
from evenhand.core.results import Row
from evenhand.evaluation.calibration_sentences import Named, sentences, sentences_version
from evenhand.evaluation.pipeline import EvaluationPipeline

MEASURED: Mapping[str, Sequence[str]] = {
    "toxicity": ("toxic", "identity_attack"),
    "sentiment": ("positive", "negative", "neutral"),
}
"""Evaluator to the scores of it that are calibrated."""


def calibrate(evaluators: Sequence[Evaluator]) -> list[Row]:
    """Put the calibration sentences to those of `evaluators` that score toxicity or sentiment.

    Parameters
    ----------
    evaluators
        Those of the run, in the versions that judged its answers. Others than toxicity and sentiment are left alone.

    Returns
    -------
    list of Row
        One per evaluator and word, plain JSON: ``evaluator``, ``version``, ``sentence_set``, ``attribute``, ``group``,
        ``word``, ``n_sentences``, ``n_judged``; and for each score in `MEASURED` its mean in [0, 1] over the judged
        sentences as they are (``toxic_mean``) and with identity words masked (``toxic_masked_mean``), None where
        nothing could be judged. Empty without either evaluator.

    Notes
    -----
    The sentences go through the same pipeline as answers: masked once, judged in one batch. The same evaluators give
    the same rows.
    """
    scorers = [evaluator for evaluator in evaluators if evaluator.name in MEASURED]
    groups = sentences()
    texts = [text for group in groups for text in group.texts]
    judged = EvaluationPipeline(scorers).judge(texts)
    return [_row(scorer, group, own) for scorer in scorers for group, own in _by_group(groups, judged[scorer.name])]


def _by_group(groups: Sequence[Named], judgements: Sequence[Judgement]) -> Iterator[tuple[Named, Sequence[Judgement]]]:
    start = 0
    for group in groups:
        end = start + len(group.texts)
        yield group, judgements[start:end]
        start = end


def _row(scorer: Evaluator, group: Named, judgements: Sequence[Judgement]) -> Row:
    values = [judgement.values for judgement in judgements if isinstance(judgement, Judged)]
    return {
        "evaluator": scorer.name,
        "version": scorer.version,
        "sentence_set": sentences_version(),
        "attribute": group.attribute,
        "group": group.group,
        "word": group.word,
        "n_sentences": len(group.texts),
        "n_judged": len(values),
        **dict(_means(MEASURED[scorer.name], values)),
    }


def _means(scores: Sequence[str], values: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, float | None]]:
    for score in scores:
        yield f"{score}_mean", _mean([value["raw"][score] for value in values])
        # masked is None where masking left nothing to read
        yield f"{score}_masked_mean", _mean([value["masked"][score] for value in values if value["masked"]])


def _mean(numbers: Sequence[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None
