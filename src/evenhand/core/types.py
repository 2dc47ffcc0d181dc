"""Scenarios, requests, outputs, runs: the nouns that every room shares."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NewType

from evenhand.core.outcomes import Answered, Attempt, Blocked, Failed, FinishReason, Outcome, Usage
from evenhand.core.results import MetricResult

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

__all__ = [
    "Answered",
    "Attempt",
    "Blocked",
    "Condition",
    "CounterfactualGroup",
    "CounterfactualVariant",
    "EvaluatedOutput",
    "EvaluationRun",
    "Failed",
    "GeneratedOutput",
    "GenerationConfig",
    "MetricResult",
    "ModelInfo",
    "Outcome",
    "Reference",
    "References",
    "Request",
    "RequestId",
    "RunId",
    "RunKind",
    "RunStatus",
    "Scenario",
    "ScenarioSet",
    "Stereotype",
    "Usage",
]

RequestId = NewType("RequestId", str)
RunId = NewType("RunId", str)
RunStatus = Literal["running", "interrupted", "partial", "failed", "complete"]
RunKind = Literal["audit", "red-team", "questions"]


# ---- models -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInfo:
    """What is being measured.

    Attributes
    ----------
    provider
        Who answers: ``"local"``, ``"simulated"``, a host name.
    name
        The model as requested.
    is_simulated
        True if no model answered; every report then says so.
    details
        Plain facts for the manifest: file digest, base URL without credentials, declared biases.
    """

    provider: str
    name: str
    is_simulated: bool = False
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationConfig:
    """How to sample. None leaves a parameter to the model's own default and sends nothing.

    Attributes
    ----------
    max_tokens
        Limit of the answer, in the model's tokens.
    temperature, top_p
        Sampling parameters as the provider understands them.
    seed
        Seed of this one request; the engine sets it from the run's seed.
    system
        System prompt.
    """

    max_tokens: int | None = 256
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    system: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedOutput:
    """What an adapter returns for one prompt.

    Attributes
    ----------
    outcome
        Answered | Blocked | Failed.
    model
        The model snapshot that the provider says it used.
    usage
        Tokens, if the provider counts them.
    latency_s
        Seconds of the successful try.
    provider_request_id
        The provider's id of the request.
    attempts
        Every try, oldest first; filled by the retry policy.
    """

    outcome: Outcome
    model: str | None = None
    usage: Usage = Usage()
    latency_s: float | None = None
    provider_request_id: str | None = None
    attempts: Sequence[Attempt] = ()

    @classmethod
    def answer(cls, text: str, *, finish_reason: FinishReason = "unknown") -> "GeneratedOutput":
        """Wrap a plain text: all that a simple custom adapter has to do."""
        return cls(outcome=Answered(text=text, finish_reason=finish_reason))

    @property
    def text(self) -> str | None:
        """The answer's text; None if there was no answer."""
        return self.outcome.text if isinstance(self.outcome, Answered) else None


# ---- scenarios --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A distribution to compare with, and where it comes from.

    Attributes
    ----------
    attribute
        Attribute in the vocabulary of the detected labels: ``"gender"``.
    shares
        Category to share; shares sum to 1.
    name, source, year, place
        How to find the figures again. A uniform reference is named ``"uniform"`` and has no source.
    total
        Persons behind the figures, if known.
    """

    attribute: str
    shares: Mapping[str, float]
    name: str
    source: str = ""
    year: str = ""
    place: str = ""
    total: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stereotype:
    """A declared association: this scenario is stereotyped as `value` of `attribute`.

    Attributes
    ----------
    baseline
        Share of `value` in the world, in (0, 1]; None if no figure is known, which makes SAR undefined here.
    """

    attribute: str
    value: str
    baseline: float | None
    baseline_name: str = ""
    source: str = ""
    year: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterfactualVariant:
    """One changed prompt."""

    prompt: str
    attribute_value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterfactualGroup:
    """The variants of one attribute."""

    attribute: str
    variants: Sequence[CounterfactualVariant]

    def __post_init__(self) -> None:
        """Freeze the sequence, so that a caller's list cannot change later."""
        object.__setattr__(self, "variants", tuple(self.variants))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A base prompt with its counterfactual groups.

    Attributes
    ----------
    references
        Attribute to the distribution its detected labels are compared with; uniform over the taxonomy if absent.
    stereotypes
        Declared associations, for SAR.
    """

    id: str
    prompt: str
    counterfactuals: Sequence[CounterfactualGroup] = ()
    references: Mapping[str, Reference] = field(default_factory=dict)
    stereotypes: Sequence[Stereotype] = ()

    def __post_init__(self) -> None:
        """Freeze the sequences."""
        object.__setattr__(self, "counterfactuals", tuple(self.counterfactuals))
        object.__setattr__(self, "stereotypes", tuple(self.stereotypes))


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSet:
    """Scenarios that are asked together.

    Attributes
    ----------
    taxonomies
        Attribute to its declared categories. K is their number, never "the categories that appeared".
    """

    name: str
    scenarios: Sequence[Scenario]
    version: str = ""
    description: str = ""
    dimensions: Sequence[str] = ()
    taxonomies: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Freeze the sequences."""
        object.__setattr__(self, "scenarios", tuple(self.scenarios))
        object.__setattr__(self, "dimensions", tuple(self.dimensions))
        object.__setattr__(self, "taxonomies", {k: tuple(v) for k, v in self.taxonomies.items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """What outputs are compared with: the `baseline` of `Metric.compute`.

    Attributes
    ----------
    taxonomies
        Attribute to categories.
    shares
        (scenario id, attribute) to reference; uniform over the taxonomy where absent.
    stereotypes
        Scenario id to declared associations.
    """

    taxonomies: Mapping[str, Sequence[str]] = field(default_factory=dict)
    shares: Mapping[tuple[str, str], Reference] = field(default_factory=dict)
    stereotypes: Mapping[str, Sequence[Stereotype]] = field(default_factory=dict)

    @classmethod
    def of(cls, sets: Iterable[ScenarioSet]) -> "References":
        """Collect the references that scenario sets declare.

        An attribute without a declared taxonomy takes the categories of its first reference, and failing that
        the values of its counterfactual variants in the order in which they are declared.
        """
        sets = tuple(sets)
        taxonomies: dict[str, Sequence[str]] = {}
        for group in sets:
            taxonomies.update(group.taxonomies)
        scenarios = [scenario for group in sets for scenario in group.scenarios]
        for scenario in scenarios:
            for attribute, reference in scenario.references.items():
                taxonomies.setdefault(attribute, tuple(reference.shares))
        varied: dict[str, dict[str, None]] = {}
        for scenario in scenarios:
            for counterfactual in scenario.counterfactuals:
                values = varied.setdefault(counterfactual.attribute, {})
                values.update(dict.fromkeys(v.attribute_value for v in counterfactual.variants))
        return cls(
            taxonomies={**{a: tuple(v) for a, v in varied.items()}, **taxonomies},
            shares={(s.id, a): r for s in scenarios for a, r in s.references.items()},
            stereotypes={s.id: tuple(s.stereotypes) for s in scenarios if s.stereotypes},
        )

    def reference(self, scenario_id: str, attribute: str) -> Reference:
        """Return the declared reference, or the uniform one over the taxonomy.

        Raises
        ------
        KeyError
            If the attribute has neither a reference nor a taxonomy.
        """
        declared = self.shares.get((scenario_id, attribute))
        if declared is not None:
            return declared
        categories = self.taxonomies[attribute]
        return Reference(attribute=attribute, shares=dict.fromkeys(categories, 1 / len(categories)), name="uniform")


# ---- requests and evaluated outputs -----------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """What was changed in a prompt: nothing (the base prompt), or one attribute to one value."""

    attribute: str | None = None
    value: str | None = None

    @property
    def is_base(self) -> bool:
        """True for the base prompt."""
        return self.attribute is None

    def __str__(self) -> str:
        return "base" if self.attribute is None else f"{self.attribute}={self.value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One generation that the plan asks for.

    Attributes
    ----------
    id
        sha256 of what is asked (adapter, model, parameters, messages, scenario, condition, replicate).
    replicate
        1 … R.
    seed
        The request's own seed, from the run's.
    """

    id: RequestId
    scenario_id: str
    condition: Condition
    replicate: int
    prompt: str
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EvaluatedOutput:
    """One output with what the evaluators said about it.

    None means "not measured" or "could not be judged"; `could_not_judge` then says why. The fields ending in
    ``_masked`` were measured on the text with neutral identity words and gendered pronouns masked.

    Attributes
    ----------
    counterfactual_value
        The value that the prompt was changed to. Metadata, never an observation.
    embedding
        Unit vector of shape (d,).
    toxicity
        toxic, severe_toxic, obscene, threat, insult, identity_attack, each in [0, 1].
    sentiment
        positive, negative, neutral, each in [0, 1].
    harms
        Harm category (as in HSI) to severity in [0, 1]; only the categories that were measured.
    is_refusal
        True for a refusal, also one that goes on to give content.
    detected_entities
        Attribute to label to weight: what the output itself shows. Weights of one attribute sum to 1 if anything
        was detected; an attribute without signal is absent.
    helpfulness_score
        1 to 5, by a judge.
    """

    scenario_id: str
    outcome: Outcome
    attribute: str | None = None
    counterfactual_value: str | None = None
    replicate: int = 1
    prompt: str = ""
    request_id: str = ""
    embedding: "NDArray[float32] | None" = None
    embedding_masked: "NDArray[float32] | None" = None
    toxicity: Mapping[str, float] | None = None
    toxicity_masked: Mapping[str, float] | None = None
    sentiment: Mapping[str, float] | None = None
    sentiment_masked: Mapping[str, float] | None = None
    harms: Mapping[str, float] | None = None
    is_refusal: bool | None = None
    detected_entities: Mapping[str, Mapping[str, float]] | None = None
    helpfulness_score: float | None = None
    could_not_judge: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str | None:
        """The answer's text; None if there was no answer."""
        return self.outcome.text if isinstance(self.outcome, Answered) else None

    @property
    def condition(self) -> Condition:
        """What was changed in the prompt."""
        return Condition(attribute=self.attribute, value=self.counterfactual_value)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationRun:
    """One execution with its results, as stored.

    Attributes
    ----------
    id
        Sortable by time.
    spec
        Everything that was asked for, as plain JSON; `spec_digest` is its sha256.
    results
        Metric name to result.
    manifest
        Versions, seeds, digests, and the counts of every outcome.
    kind
        What was run, and so which spec it holds: `AuditSpec`, `RedTeamSpec`, `QuestionSpec`.
    """

    id: RunId
    name: str
    status: RunStatus
    model: ModelInfo
    spec: Mapping[str, Any]
    spec_digest: str
    created_at: str
    finished_at: str | None = None
    results: Mapping[str, MetricResult] = field(default_factory=dict)
    manifest: Mapping[str, Any] = field(default_factory=dict)
    kind: RunKind = "audit"
