"""Outputs as columns: `OutputTable` is a sequence of EvaluatedOutput to read, and numpy arrays to compute with."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from evenhand.core.columns import Codes, Floats, detections, encode, matrix, numbers, vectors
from evenhand.core.outcomes import Answered, Blocked, Outcome
from evenhand.core.types import EvaluatedOutput

__all__ = [
    "HARMS",
    "JUDGED",
    "SENTIMENT",
    "TOXICITY",
    "Codes",
    "Flags",
    "Floats",
    "OutputTable",
    "as_column",
    "count_words",
]

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
JUDGED = (
    "embedding",
    "embedding_masked",
    "toxicity",
    "toxicity_masked",
    "sentiment",
    "sentiment_masked",
    "harms",
    "is_refusal",
    "detected_entities",
    "helpfulness_score",
)
"""The fields of `EvaluatedOutput` that evaluators fill."""


_SCORES = {
    "toxicity": TOXICITY,
    "toxicity_masked": TOXICITY,
    "sentiment": SENTIMENT,
    "sentiment_masked": SENTIMENT,
    "harms": HARMS,
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
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
        return cls.from_columns(
            scenario_ids=[row.scenario_id for row in rows],
            attributes=[row.attribute for row in rows],
            values=[row.counterfactual_value for row in rows],
            replicates=[row.replicate for row in rows],
            outcomes=[row.outcome for row in rows],
            prompts=[row.prompt for row in rows],
            request_ids=[row.request_id for row in rows],
            judged={name: [getattr(row, name) for row in rows] for name in JUDGED},
            could_not_judge={i: row.could_not_judge for i, row in enumerate(rows) if row.could_not_judge},
            extra={i: row.extra for i, row in enumerate(rows) if row.extra},
        )

    @classmethod
    def from_columns(
        cls,
        *,
        scenario_ids: Sequence[str],
        attributes: Sequence[str | None],
        values: Sequence[str | None],
        replicates: Sequence[int],
        outcomes: Sequence[Outcome],
        prompts: Sequence[str],
        request_ids: Sequence[str],
        judged: Mapping[str, Any],  # Any: what a field holds is as different as the evaluators
        could_not_judge: Mapping[int, Mapping[str, str]],
        extra: Mapping[int, Mapping[str, Any]],
    ) -> "OutputTable":
        """Build a table without an object for each row.

        Parameters
        ----------
        scenario_ids, attributes, values, replicates, outcomes, prompts, request_ids
            The fields of `EvaluatedOutput` of these names, (n,) each; None in `attributes` and `values` for base
            prompts.
        judged
            Field of `EvaluatedOutput`, one of `JUDGED`, to its (n,) values, None where nobody judged; or what
            `as_column` made of them. A field that is not there was judged nowhere.
        could_not_judge, extra
            Row to the field of this name; only rows that have one.
        """
        n = len(outcomes)
        scenario_names, scenario = encode(scenario_ids)
        attribute_names, attribute = encode(attributes)
        value_names, value = encode(values)
        texts = [outcome.text if isinstance(outcome, Answered) else None for outcome in outcomes]
        column = {name: as_column(name, judged.get(name), n) for name in JUDGED}
        entities = column["detected_entities"]
        labels, detected = detections(entities)
        return cls(
            scenario_ids=scenario_names,
            attributes=attribute_names,
            values=value_names,
            scenario=scenario,
            attribute=attribute,
            value=value,
            replicate=np.array(replicates, dtype=np.int32),
            answered=np.array([text is not None for text in texts], dtype=bool),
            blocked=np.array([isinstance(outcome, Blocked) for outcome in outcomes], dtype=bool),
            empty=np.array([text is not None and not text.strip() for text in texts], dtype=bool),
            refusal=column["is_refusal"],
            words=numbers([None if text is None else count_words(text) for text in texts], n),
            toxicity=column["toxicity"],
            toxicity_masked=column["toxicity_masked"],
            sentiment=column["sentiment"],
            sentiment_masked=column["sentiment_masked"],
            harms=column["harms"],
            helpfulness=column["helpfulness_score"],
            embedding=column["embedding"],
            embedding_masked=column["embedding_masked"],
            detected_labels=labels,
            detected=detected,
            detection_judged=np.array([found is not None for found in entities], dtype=bool),
            outcomes=outcomes,
            prompts=prompts,
            request_ids=request_ids,
            could_not_judge=could_not_judge,
            extra=extra,
        )

    def __repr__(self) -> str:
        # asyncio writes out a task's result, and notebooks the last line: neither wants every answer
        return f"OutputTable({len(self)} outputs of {len(self.scenario_ids)} scenarios)"

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


def as_column(field: str, values: Any, n: int) -> Any:
    """Turn the (n,) values of a field of `JUDGED` into what a table holds; None was judged nowhere.

    Returns
    -------
    ndarray, list or None
        Scores as (n, names) and numbers as (n,), NaN where nobody judged; vectors as (n, d), or None without any;
        detected entities as a list. What is a column already is returned as it is.
    """
    match field:
        case "embedding" | "embedding_masked":
            return vectors(values)
        case "is_refusal" | "helpfulness_score":
            return numbers(values, n)
        case "detected_entities":
            return [None] * n if values is None else values
        case _:
            return matrix(values, _SCORES[field], n)


def count_words(text: str) -> int:
    """Words as runs of non-space characters: recomputable from the stored text with any tool."""
    return len(text.split())


def _vector_at(matrix: NDArray[np.float32] | None, row: int) -> NDArray[np.float32] | None:
    return None if matrix is None or np.isnan(matrix[row, 0]) else matrix[row]


def _mapping_at(matrix: Floats, names: tuple[str, ...], row: int) -> Mapping[str, float] | None:
    known = {name: float(x) for name, x in zip(names, matrix[row], strict=True) if not np.isnan(x)}
    return known or None


def _number_at(column: Floats, row: int) -> float | None:
    return None if np.isnan(column[row]) else float(column[row])
