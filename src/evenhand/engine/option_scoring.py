"""Likelihoods of options through the door of ordinary answers, so that retries and storage are the same."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from evenhand.core.outcomes import Answered
from evenhand.core.protocols import Adapter, Capabilities
from evenhand.core.question_spec import OptionScore
from evenhand.core.types import GeneratedOutput, GenerationConfig, ModelInfo
from evenhand.engine.question_answers import write_scores
from evenhand.errors import CapabilityError


@runtime_checkable
class ScoresOptions(Protocol):
    """An adapter with the capability `score_options`."""

    async def score_options(
        self, messages: Sequence[Mapping[str, Any]], options: Sequence[str]
    ) -> Sequence[OptionScore]:
        """Return how likely each option is as the beginning of the answer, in the model's own chat template."""
        ...


def check_scoring(adapter: Adapter) -> None:
    """Refuse an adapter that cannot.

    Raises
    ------
    CapabilityError
        Naming what to do instead.
    """
    if not adapter.capabilities.score_options or not isinstance(adapter, ScoresOptions):
        raise CapabilityError(
            f"{adapter.name} gives no exact option likelihoods (capability 'score_options'); use --answer generate, or "
            "a model on this machine: evenhand adapters lists what each provider can do"
        )


class Scoring:
    """An adapter whose answer to a prompt is the scores of some options, as text."""

    def __init__(self, adapter: Adapter, options: Sequence[str]) -> None:
        self._adapter, self._options = adapter, options

    @property
    def name(self) -> str:
        """As requested."""
        return self._adapter.name

    @property
    def capabilities(self) -> Capabilities:
        """Those of the adapter."""
        return self._adapter.capabilities

    def get_model_info(self) -> ModelInfo:
        """Return what is measured."""
        return self._adapter.get_model_info()

    async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedOutput:
        """Score the options."""
        assert isinstance(self._adapter, ScoresOptions)  # checked before the run
        messages = [{"role": "user", "content": prompt}]
        if config is not None and config.system:
            messages.insert(0, {"role": "system", "content": config.system})
        scores = await self._adapter.score_options(messages, self._options)
        return GeneratedOutput(outcome=Answered(text=write_scores(scores), finish_reason="stop"))

    async def aclose(self) -> None:
        """Leave the adapter open: whoever opened it closes it."""
