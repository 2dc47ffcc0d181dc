"""The shape of a benchmark spec: which keys the file has, and what each holds. Names are resolved by `api`."""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from evenhand.core.results import Target

OutputFormat = Literal["json", "md", "html", "all"]
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def _label(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError("empty_text", "this must not be empty")
    if text != text.strip() or _CONTROL.search(text):
        raise PydanticCustomError("spaced_label", "this must be one line without space around it")
    return text


def _provider(text: str) -> str:
    provider, slash, model = text.partition("/")
    if slash:
        raise PydanticCustomError(
            "provider_slash",
            "a provider has no slash; write provider: {provider} and model: {model}",
            {"provider": provider or "NAME", "model": model or "NAME"},
        )
    return text


def _stripped(text: str) -> str:
    # a block of YAML text ends in a line break that nobody means
    if not text.strip():
        raise PydanticCustomError("empty_text", "this must not be empty")
    if _SURROGATE.search(text):
        raise PydanticCustomError("surrogate", "this holds half a character, which cannot be sent or stored")
    return text.strip()


def _no_review(value: Any) -> Any:  # Any: what a file holds, before it is checked
    if value is not None:
        raise PydanticCustomError(
            "no_review",
            "this version has no review queue: it comes with triage and human review; leave the key out until then",
        )
    return value


Label = Annotated[str, AfterValidator(_label)]
Provider = Annotated[Label, AfterValidator(_provider)]
Words = Annotated[str, AfterValidator(_stripped)]
Share = Annotated[float, Field(ge=0, le=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class HeadModel(_Strict):
    """What people call the benchmark. Neither changes what is asked."""

    name: Label
    description: Words | None = None


class ModelUnderTest(_Strict):
    """Which model is asked, and how.

    Attributes
    ----------
    provider, model
        The two halves of ``--model PROVIDER/MODEL``.
    max_tokens
        Limit of an answer; None sends no limit.
    temperature, top_p, system
        None leaves them to the model.
    seed
        Seed of the run.
    api_key
        ``${NAME}`` of an environment variable; never the key itself.
    options
        Settings of the provider, as with ``--option``.
    """

    provider: Provider
    model: Label
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = 256
    temperature: Annotated[float, Field(ge=0, le=100)] | None = None
    top_p: Annotated[float, Field(ge=0, le=1)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    system: Words | None = None
    api_key: str | None = None
    base_url: Label | None = None
    options: dict[Label, Any] = {}  # Any: plain values; which ones fit, the provider says


class EvaluatorsModel(_Strict):
    """Which evaluators are left out."""

    skip: list[Label] = []


class BaselineModel(_Strict):
    """What one attribute is compared with: ``uniform``, a shipped baseline's name, or category to share."""

    name: Label | None = None
    shares: Annotated[dict[Label, Share], Field(min_length=1)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _name_or_shares(cls, value: Any) -> Any:  # Any: what a file holds, before it is checked
        if isinstance(value, str):
            return {"name": value}
        return {"shares": value} if isinstance(value, dict) else value


class OutputModel(_Strict):
    """Where the reports go.

    Attributes
    ----------
    path
        A file relative to the spec's folder; the ending that belongs to `format` may be left out.
    """

    path: Label
    format: OutputFormat = "all"


class BenchmarkModel(_Strict):
    """A whole benchmark spec."""

    benchmark: HeadModel | None = None
    model_under_test: ModelUnderTest
    scenarios: Annotated[list[Label], Field(min_length=1)]
    metrics: Annotated[list[Label], Field(min_length=1)] | None = None
    replicates_per_prompt: Annotated[int, Field(ge=1, le=10_000)] = 10
    human_review_sample_rate: Annotated[None, BeforeValidator(_no_review)] = None
    budget_usd: Annotated[float, Field(gt=0)] | None = None
    concurrency: Annotated[int, Field(ge=1, le=1_000)] = 8
    evaluators: EvaluatorsModel = EvaluatorsModel()
    bands: Label = "evenhand-1"
    target: Target = "these prompts"
    baselines: dict[Label, BaselineModel] = {}
    output: OutputModel | None = None
