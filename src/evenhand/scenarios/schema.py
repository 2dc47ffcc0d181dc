"""The shape of a scenario file: which keys there are, and what each holds."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, model_validator
from pydantic_core import PydanticCustomError


def _label(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError("empty_text", "this must not be empty")
    if text != text.strip() or "\n" in text:
        raise PydanticCustomError("spaced_label", "this must be one line without space around it")
    return text


def _prompt(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError("empty_text", "a prompt must not be empty")
    return text


def _year(value: Any) -> Any:  # Any: what a file holds, before it is checked
    # a year looks like a number, but 2023-24 and 2015-2018 are years too
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _named_baseline(value: Any) -> Any:  # Any: what a file holds, before it is checked
    return {"baseline": value} if isinstance(value, str) else value


def _baseline_or_rate(value: Any) -> str | float | None:  # Any: what a file holds, before it is checked
    if value is None:
        return None
    if isinstance(value, str):
        return _label(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PydanticCustomError("baseline_or_rate", "a baseline's name or a number is wanted here")
    if not 0 < value <= 1:
        raise PydanticCustomError("rate_range", "a baseline rate is above 0 and at most 1")
    return float(value)


def _one_or_more(value: Any) -> Any:  # Any: what a file holds, before it is checked
    return [value] if isinstance(value, str) else value


Label = Annotated[str, AfterValidator(_label)]
Prompt = Annotated[str, AfterValidator(_prompt)]
Year = Annotated[Label, BeforeValidator(_year)]
Share = Annotated[float, Field(ge=0, le=1)]
# one word or phrase, or several that the scenarios take in turn
Labels = Annotated[list[Label], Field(min_length=1)]
Words = Annotated[list[Label], BeforeValidator(_one_or_more), Field(min_length=1)]
WordsByValue = Annotated[dict[Label, Words], Field(min_length=1)]
BaselineOrRate = Annotated[str | float | None, PlainValidator(_baseline_or_rate)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class VariantModel(_Strict):
    """One changed prompt; `value` and `attribute_value` are two names of the same key."""

    prompt: Prompt
    value: Label | None = None
    attribute_value: Label | None = None


Variants = Annotated[list[VariantModel], Field(min_length=1)]


class GroupModel(_Strict):
    """The variants of one attribute, made in one of four ways.

    ``variants`` writes them out; ``before`` puts describing words before a noun of the base prompt; ``slot`` fills a
    slot of it; ``swap`` exchanges its gender words. The words come from a ``list`` (of which ``values`` may pick
    some) or stand under ``words``.
    """

    attribute: Label
    variants: Variants | None = None
    before: Label | None = None
    slot: Label | None = None
    swap: Literal["gender_words"] | None = None
    list: Label | None = None
    values: Labels | None = None
    words: WordsByValue | None = None


class ListModel(_Strict):
    """Words for variants, by the value that they stand for."""

    attribute: Label
    use: Literal["before", "slot"]
    values: WordsByValue
    perceived: bool = False
    source: Label | None = None
    year: Year | None = None


class ReferenceModel(_Strict):
    """What a scenario's outputs are compared with: a baseline's name, ``uniform``, or shares with their source."""

    baseline: Label | None = None
    shares: Annotated[dict[Label, Share], Field(min_length=1)] | None = None
    source: Label | None = None
    year: Year | None = None
    place: Label | None = None

    @model_validator(mode="before")
    @classmethod
    def _accept_a_name(cls, value: Any) -> Any:  # Any: what a file holds, before it is checked
        return _named_baseline(value)


class StereotypeModel(_Strict):
    """A declared association: a baseline's name, or a rate with its source and year, or no figure."""

    attribute: Label
    value: Label
    baseline: BaselineOrRate = None
    source: Label | None = None
    year: Year | None = None
    place: Label | None = None


class ScenarioModel(_Strict):
    """A base prompt with its counterfactual groups; with ``slots``, the prompt is a template."""

    id: Label
    prompt: Prompt
    slots: Annotated[dict[Label, Label], Field(min_length=1)] | None = None
    references: dict[Label, ReferenceModel] = {}
    stereotypes: list[StereotypeModel] = []
    counterfactuals: list[GroupModel] = []


class SetModel(_Strict):
    """A whole scenario file."""

    name: Label
    version: Label = ""
    description: str = ""
    dimensions: list[Label] = []
    taxonomies: dict[Label, Annotated[list[Label], Field(min_length=2)]] = {}
    lists: dict[Label, ListModel] = {}
    scenarios: Annotated[list[ScenarioModel], Field(min_length=1)]
