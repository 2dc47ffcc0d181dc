"""The seams: what an adapter can do, what an evaluator answers, what a store keeps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from evenhand.core.types import GeneratedOutput, GenerationConfig, ModelInfo

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

SeedSupport = Literal["none", "best effort", "deterministic"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What an adapter declares it can do. The plan checks it before any call is made.

    Attributes
    ----------
    generate, converse, score_options
        Single prompts; conversations with a system prompt; exact option log-likelihoods.
    parameters
        Fields of `GenerationConfig` that are honoured. Setting another is an error, never silently dropped.
    seeds
        Whether a seed reproduces an answer.
    max_concurrency
        More simultaneous calls than this bring nothing; None for no limit of its own.
    """

    generate: bool = True
    converse: bool = False
    score_options: bool = False
    parameters: frozenset[str] = frozenset({"max_tokens", "temperature", "top_p", "seed", "system"})
    seeds: SeedSupport = "none"
    max_concurrency: int | None = None


@runtime_checkable
class Adapter(Protocol):
    """How a model is reached. `evenhand.adapters.base.ModelAdapter` is the class to derive from."""

    @property
    def name(self) -> str:
        """Provider/model, as on the command line."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What it can do."""
        ...

    def get_model_info(self) -> ModelInfo:
        """What is measured, for the manifest."""
        ...

    async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedOutput:
        """Answer one prompt.

        Raises
        ------
        ModelError
            If the provider or the network failed; `retryable` says whether another try makes sense.
        """
        ...

    async def aclose(self) -> None:
        """Give back what it holds; safe to call twice."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a text evaluator sees: the answer alone, whole and masked. It never sees the group asked about."""

    text: str
    masked: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """An evaluator's word on one output.

    Attributes
    ----------
    values
        Plain JSON. The keys are the evaluator's own; see its docstring.
    vectors
        Name to float32 vector, for what is too long for JSON.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    vectors: "Mapping[str, NDArray[float32]]" = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CouldNotJudge:
    """An evaluator that has nothing to say about this output, and why."""

    reason: str


Judgement = Judged | CouldNotJudge


@runtime_checkable
class Evaluator(Protocol):
    """Says something about outputs, in batches.

    Attributes
    ----------
    name
        Unique among the evaluators of a run: ``"toxicity"``.
    version
        Changes whenever its answers could change; stored beside every answer.
    provides
        Fields of `EvaluatedOutput` that it fills.
    blind_spots
        What it cannot see, one sentence each; printed in every report.
    """

    name: str
    version: str
    provides: Sequence[str]
    blind_spots: Sequence[str]

    def evaluate(self, subjects: Sequence[Subject]) -> Sequence[Judgement]:
        """Judge each subject, in order. Subjects are never empty texts."""
        ...
