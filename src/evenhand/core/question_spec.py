"""What a run of questions was asked to do, as plain values with one digest."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from evenhand._base.digest import digest
from evenhand.core.types import GenerationConfig

AnswerMode = Literal["generate", "loglikelihood"]
Style = Literal["zero-shot", "think"]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSpec:
    """Everything that decides what is asked.

    Attributes
    ----------
    model, adapter
        Model as requested, and what its adapter says about itself that changes answers.
    items_digest
        sha256 of the items that are asked, in their order.
    runs
        Times that every item is asked, each time with its options in another order.
    answer
        Whether the model writes an answer, or the options' likelihoods are compared.
    style
        Whether it answers at once or thinks first; of no meaning for likelihoods.
    """

    model: str
    adapter: Mapping[str, Any]
    items_digest: str
    items: int
    runs: int = 20
    answer: AnswerMode = "generate"
    style: Style = "zero-shot"
    generation: GenerationConfig = GenerationConfig()
    seed: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON."""
        return asdict(self)

    @property
    def digest(self) -> str:
        """sha256 of the plain form."""
        return digest(self.as_json())


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionScore:
    """How likely one option is as the whole beginning of the answer.

    Attributes
    ----------
    log_likelihood
        Natural logarithm of the probability of the option's text, summed over its tokens; at most 0.
    tokens
        Tokens of the text, at least 1.
    """

    log_likelihood: float
    tokens: int

    @property
    def per_token(self) -> float:
        """Mean over its tokens."""
        return self.log_likelihood / self.tokens
