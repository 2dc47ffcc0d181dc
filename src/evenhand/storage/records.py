"""What the store keeps and gives back: responses, evaluations, counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from evenhand.core.outcomes import Outcome
from evenhand.core.protocols import Judgement
from evenhand.core.types import GeneratedOutput, Request, RequestId

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

OutcomeName = Literal["answered", "blocked", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What came back for one request.

    Attributes
    ----------
    round
        1 for the first time that the request was put; a request that failed may be put again in a later round.
        The earlier row stays, the latest round counts.
    """

    request: Request
    output: GeneratedOutput
    round: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What one version of one evaluator said about the answer to one request."""

    request_id: RequestId
    evaluator: str
    version: str
    judgement: Judgement


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ResponseColumns:
    """The latest round of each request of a run, column by column: by replicate, then in the order stored.

    Attributes
    ----------
    request_ids, scenario_ids, prompts, replicates
        (n,) what was asked; replicates count from 1.
    attributes, values
        (n,) what was changed in the prompt; None for base prompts.
    outcomes
        (n,) what came back.
    """

    request_ids: Sequence[RequestId]
    scenario_ids: Sequence[str]
    attributes: Sequence[str | None]
    values: Sequence[str | None]
    replicates: Sequence[int]
    prompts: Sequence[str]
    outcomes: Sequence[Outcome]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EvaluationColumns:
    """What one version of one evaluator said about the latest responses, in the order in which those were stored.

    Attributes
    ----------
    version
        The version that was read; None if this evaluator has said nothing in this run.
    request_ids
        (n,) requests.
    reasons
        (n,) why it could not judge; None where it judged.
    values
        (n,) its plain values; empty where it could not judge.
    vectors
        Vector name to (n, d) float32; NaN rows where the evaluator gave no such vector.
    """

    evaluator: str
    version: str | None
    request_ids: Sequence[RequestId]
    reasons: Sequence[str | None]
    values: Sequence[Mapping[str, Any]]
    vectors: "Mapping[str, NDArray[float32]]"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationCounts:
    """How often one version of one evaluator judged, and how often it could not."""

    version: str
    judged: int = 0
    could_not_judge: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What a run holds.

    Attributes
    ----------
    answered, blocked, failed
        Requests by the outcome of their latest round.
    superseded
        Rows of earlier rounds, which no longer count.
    evaluations
        Evaluator to the counts of its newest version.
    """

    answered: int = 0
    blocked: int = 0
    failed: int = 0
    superseded: int = 0
    evaluations: Mapping[str, EvaluationCounts] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """Requests that have an outcome."""
        return self.answered + self.blocked + self.failed
