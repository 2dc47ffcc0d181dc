"""Rows of the listings of providers: how a model is written, and what it can do."""

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.core.protocols import SeedSupport


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownModel:
    """One line of a listing: the provider, a model of it as one would write it, and what it needs."""

    provider: str
    example: str
    needs: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CapabilityRow:
    """What the models of one provider can do.

    Attributes
    ----------
    converse, score_options
        Conversations; option log-likelihoods.
    parameters
        Fields of `GenerationConfig` that every model of the provider takes.
    seeds
        Whether a seed reproduces an answer, at best.
    by_model
        Fields that some models take, or take with a certain option; the adapter of a model says which.
    key_variables
        Variables of which one must hold a key; empty if no key is needed.
    as_of
        Day on which this was looked up, in ISO 8601; empty where our own code decides.
    note
        What a user should know.
    """

    provider: str
    converse: bool
    score_options: bool
    parameters: Sequence[str]
    seeds: SeedSupport
    by_model: Sequence[str] = ()
    key_variables: Sequence[str] = ()
    as_of: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyRow:
    """What the models of one family can do.

    Attributes
    ----------
    models
        Patterns of their names.
    parameters
        Fields of `GenerationConfig` that they take.
    more
        Fields that they take besides, and when: ``"temperature, top_p with reasoning_effort none"``.
    thinking
        ``"never"``, ``"off"``, ``"on"`` or ``"always"``: what happens unless the request says otherwise.
    as_of, source
        When and where this was looked up.
    note
        What a user should know.
    """

    provider: str
    models: Sequence[str]
    parameters: Sequence[str]
    more: str
    thinking: str
    as_of: str
    source: str
    note: str = ""
