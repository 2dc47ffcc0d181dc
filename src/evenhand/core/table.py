"""Outputs as columns: `OutputTable` is a sequence of EvaluatedOutput to read, and numpy arrays to compute with."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from evenhand.core.outcomes import Answered, Blocked, Outcome
from evenhand.core.types import EvaluatedOutput

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]
Flags = NDArray[np.bool_]

TOXICITY = ("toxic", "severe_toxic", "obscene", "threat", "insult", "identity_attack")
SENTIMENT = ("positive", "negative", "neutral")
HARMS = (
    "hate_speech",
    "slurs",
    "dehumanisation",
    "harmful_stereotype",
    "condescension",
    "microaggression",
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OutputTable(Sequence[EvaluatedOutput]):
    """n evaluated outputs, column by column.

    Attributes
    ----------
    scenario_ids, attributes, values
        Names; the code columns below index into them.
    scenario, attribute, value
        (n,) codes; `attribute` and `value` are −1 for base prompts.
    replicate
        (n,) from 1.
    answered, blocked, empty
        (n,) flags. Neither answered nor blocked is failed; empty is answered with nothing but white space.
    refusal
        (n,) 1 refusal, 0 not, NaN not judged.
    words
        (n,) words of the answer; NaN where there is no answer.
    toxicity, toxicity_masked
        (n, 6) in the order of `TOXICITY`; NaN not judged.
    sentiment, sentiment_masked
        (n, 3) in the order of `SENTIMENT`; NaN not judged.
    harms
        (n, 6) in the order of `HARMS`, as declared by evaluators; NaN not measured.
    helpfulness
        (n,) 1 to 5; NaN not judged.
    embedding, embedding_masked
        (n, d) float32 unit rows, NaN rows where not judged; None if no output has one.
    detected_labels
        Attribute to the labels seen in these outputs.
    detected
        Attribute to (n, labels) weights; a row sums to 1 where something was detected, else to 0. An attribute of
        which no output shows anything is absent.
    detection_judged
        (n,) True where an evaluator looked for demographic signals.
    outcomes, prompts, request_ids
        (n,) Python objects, for drill-down.
    could_not_judge
        Row to evaluator to reason; only rows that have one.
    """

    scenario_ids: tuple[str, ...]
    attributes: tuple[str, ...]
    values: tuple[str, ...]
    scenario: Codes
    attribute: Codes
    value: Codes
    replicate: Codes
    answered: Flags
    blocked: Flags
    empty: Flags
    refusal: Floats
    words: Floats
    toxicity: Floats
    toxicity_masked: Floats
    sentiment: Floats
    sentiment_masked: Floats
    harms: Floats
    helpfulness: Floats
    embedding: NDArray[np.float32] | None
    embedding_masked: NDArray[np.float32] | None
    detected_labels: Mapping[str, tuple[str, ...]]
    detected: Mapping[str, Floats]
    detection_judged: Flags
    outcomes: Sequence[Outcome]
    prompts: Sequence[str]
    request_ids: Sequence[str]
    could_not_judge: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    extra: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, outputs: Iterable[EvaluatedOutput]) -> "OutputTable":
        """Turn outputs into columns; a table is returned as it is."""
        if isinstance(outputs, OutputTable):
            return outputs
        rows = list(outputs)
        scenario_ids, scenario = _encode([row.scenario_id for row in rows])
        attributes, attribute = _encode([row.attribute for row in rows])
        values, value = _encode([row.counterfactual_value for row in rows])
        answers = [row.outcome if isinstance(row.outcome, Answered) else None for row in rows]
        labels, detected = _detections([row.detected_entities for row in rows])
        return cls(
            scenario_ids=scenario_ids,
            attributes=attributes,
            values=values,
            scenario=scenario,
            attribute=attribute,
            value=value,
            replicate=np.array([row.replicate for row in rows], dtype=np.int32),
            answered=np.array([answer is not None for answer in answers], dtype=bool),
            blocked=np.array([isinstance(row.outcome, Blocked) for row in rows], dtype=bool),
            empty=np.array([answer is not None and answer.is_empty for answer in answers], dtype=bool),
            refusal=_numbers([row.is_refusal for row in rows]),
            words=_numbers([None if answer is None else count_words(answer.text) for answer in answers]),
            toxicity=_matrix([row.toxicity for row in rows], TOXICITY),
            toxicity_masked=_matrix([row.toxicity_masked for row in rows], TOXICITY),
            sentiment=_matrix([row.sentiment for row in rows], SENTIMENT),
            sentiment_masked=_matrix([row.sentiment_masked for row in rows], SENTIMENT),
            harms=_matrix([row.harms for row in rows], HARMS),
            helpfulness=_numbers([row.helpfulness_score for row in rows]),
            embedding=_vectors([row.embedding for row in rows]),
            embedding_masked=_vectors([row.embedding_masked for row in rows]),
            detected_labels=labels,
            detected=detected,
            detection_judged=np.array([row.detected_entities is not None for row in rows], dtype=bool),
            outcomes=[row.outcome for row in rows],
            prompts=[row.prompt for row in rows],
            request_ids=[row.request_id for row in rows],
            could_not_judge={i: row.could_not_judge for i, row in enumerate(rows) if row.could_not_judge},
            extra={i: row.extra for i, row in enumerate(rows) if row.extra},
        )

    def __len__(self) -> int:
        return len(self.scenario)

    @overload
    def __getitem__(self, index: int) -> EvaluatedOutput: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[EvaluatedOutput]: ...
    def __getitem__(self, index: int | slice) -> EvaluatedOutput | Sequence[EvaluatedOutput]:
        """Return one output, or a list of them for a slice."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        row = range(len(self))[index]
        attribute, value = int(self.attribute[row]), int(self.value[row])
        return EvaluatedOutput(
            scenario_id=self.scenario_ids[self.scenario[row]],
            outcome=self.outcomes[row],
            attribute=None if attribute < 0 else self.attributes[attribute],
            counterfactual_value=None if value < 0 else self.values[value],
            replicate=int(self.replicate[row]),
            prompt=self.prompts[row],
            request_id=self.request_ids[row],
            embedding=_vector_at(self.embedding, row),
            embedding_masked=_vector_at(self.embedding_masked, row),
            toxicity=_mapping_at(self.toxicity, TOXICITY, row),
            toxicity_masked=_mapping_at(self.toxicity_masked, TOXICITY, row),
            sentiment=_mapping_at(self.sentiment, SENTIMENT, row),
            sentiment_masked=_mapping_at(self.sentiment_masked, SENTIMENT, row),
            harms=_mapping_at(self.harms, HARMS, row),
            is_refusal=None if np.isnan(self.refusal[row]) else bool(self.refusal[row]),
            detected_entities=self._detected_at(row),
            helpfulness_score=_number_at(self.helpfulness, row),
            could_not_judge=self.could_not_judge.get(row, {}),
            extra=self.extra.get(row, {}),
        )

    @property
    def is_base(self) -> Flags:
        """(n,) True for outputs of base prompts."""
        return self.attribute < 0

    def _detected_at(self, row: int) -> Mapping[str, Mapping[str, float]] | None:
        if not self.detection_judged[row]:
            return None
        found: dict[str, Mapping[str, float]] = {}
        for attribute, weights in self.detected.items():
            labels = self.detected_labels[attribute]
            seen = {k: float(w) for k, w in zip(labels, weights[row], strict=True) if w > 0}
            if seen:
                found[attribute] = seen
        return found


def count_words(text: str) -> int:
    """Words as runs of non-space characters: recomputable from the stored text with any tool."""
    return len(text.split())


def _encode(names: Sequence[str | None]) -> tuple[tuple[str, ...], Codes]:
    index: dict[str, int] = {}
    codes = [-1 if name is None else index.setdefault(name, len(index)) for name in names]
    return tuple(index), np.array(codes, dtype=np.int32)


def _numbers(values: Sequence[float | None]) -> Floats:
    return np.array([np.nan if value is None else float(value) for value in values], dtype=np.float64)


def _matrix(rows: Sequence[Mapping[str, float] | None], names: tuple[str, ...]) -> Floats:
    missing = (np.nan,) * len(names)
    filled = [missing if row is None else tuple(row.get(name, np.nan) for name in names) for row in rows]
    return np.array(filled, dtype=np.float64).reshape(len(rows), len(names))


def _vectors(rows: Sequence[NDArray[np.float32] | None]) -> NDArray[np.float32] | None:
    width = next((len(row) for row in rows if row is not None), None)
    if width is None:
        return None
    matrix = np.full((len(rows), width), np.nan, dtype=np.float32)
    for i, row in enumerate(rows):
        if row is not None:
            matrix[i] = row
    return matrix


def _detections(
    rows: Sequence[Mapping[str, Mapping[str, float]] | None],
) -> tuple[dict[str, tuple[str, ...]], dict[str, Floats]]:
    seen: dict[str, dict[str, int]] = {}
    for row in rows:
        for attribute, weights in (row or {}).items():
            labels = seen.setdefault(attribute, {})
            for label in weights:
                labels.setdefault(label, len(labels))
    detected: dict[str, Floats] = {}
    for attribute, labels in seen.items():
        matrix = np.zeros((len(rows), len(labels)))
        for i, row in enumerate(rows):
            for label, weight in ((row or {}).get(attribute) or {}).items():
                matrix[i, labels[label]] = weight
        detected[attribute] = matrix
    return {attribute: tuple(labels) for attribute, labels in seen.items()}, detected


def _vector_at(matrix: NDArray[np.float32] | None, row: int) -> NDArray[np.float32] | None:
    return None if matrix is None or np.isnan(matrix[row, 0]) else matrix[row]


def _mapping_at(matrix: Floats, names: tuple[str, ...], row: int) -> Mapping[str, float] | None:
    known = {name: float(x) for name, x in zip(names, matrix[row], strict=True) if not np.isnan(x)}
    return known or None


def _number_at(column: Floats, row: int) -> float | None:
    return None if np.isnan(column[row]) else float(column[row])
