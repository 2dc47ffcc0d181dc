"""What the built-in providers can do: asked of the adapters, or read from the table of model families."""

from collections.abc import Sequence
from dataclasses import replace

from evenhand.adapters.families import Family, families
from evenhand.adapters.listing_rows import CapabilityRow, FamilyRow
from evenhand.adapters.openai_compatible import OpenAICompatibleAdapter
from evenhand.adapters.presets import Preset, presets
from evenhand.adapters.simulated.adapter import SimulatedAdapter
from evenhand.adapters.simulated.profile import load_profile
from evenhand.core.protocols import Capabilities

_KEYS = {"anthropic": ("ANTHROPIC_API_KEY",), "openai": ("OPENAI_API_KEY",)}
_ALL = Capabilities()
_THINKS = "max_tokens limits thinking and answer together"


def builtin_rows() -> Sequence[CapabilityRow]:
    """Return one row per built-in provider."""
    server = _row("openai-compatible", OpenAICompatibleAdapter("MODEL", base_url="http://localhost/v1").capabilities)
    simulated = _row("simulated", SimulatedAdapter(load_profile("fair")).capabilities)
    return (
        # declared here as well as by the adapter, which cannot be made without a model file
        _row("local", Capabilities(converse=True, seeds="best effort")),
        simulated,
        _of_families("anthropic"),
        _of_families("openai"),
        *map(_of_preset, presets().values()),
        replace(server, note="a server that does not take a parameter should refuse it; not all do"),
        CapabilityRow(
            provider="http-webhook",
            converse=True,
            score_options=False,
            parameters=(),
            by_model=tuple(sorted(_ALL.parameters)),
            seeds="best effort",
            note="what the body has placeholders for; conversations need {{messages}}",
        ),
    )


def family_rows() -> Sequence[FamilyRow]:
    """Return what the families of models of each provider can do, in the order in which they are tried."""
    return tuple(_family_row(family) for provider in _KEYS for family in families(provider))


def _row(provider: str, capabilities: Capabilities) -> CapabilityRow:
    return CapabilityRow(
        provider=provider,
        converse=capabilities.converse,
        score_options=capabilities.score_options,
        parameters=tuple(sorted(capabilities.parameters)),
        seeds=capabilities.seeds,
    )


def _of_preset(preset: Preset) -> CapabilityRow:
    capabilities = OpenAICompatibleAdapter("MODEL", base_url=preset.base_url).capabilities
    keys = (preset.key_variable,) if preset.needs_key else ()
    return replace(_row(preset.name, capabilities), key_variables=keys, as_of=preset.as_of, note=preset.note)


def _of_families(provider: str) -> CapabilityRow:
    offered = [family for family in families(provider) if not family.refused]
    every = frozenset.intersection(*(frozenset(family.takes) for family in offered))
    some = frozenset.union(*(frozenset(_possible(family)) for family in offered)) - every
    return CapabilityRow(
        provider=provider,
        converse=True,
        score_options=False,
        parameters=tuple(sorted(every)),
        by_model=tuple(sorted(some)),
        seeds="best effort" if "seed" in every | some else "none",
        key_variables=_KEYS[provider],
        as_of=min(family.as_of for family in offered),
        note=_THINKS,
    )


def _possible(family: Family) -> Sequence[str]:
    versions = (name for names in family.takes_in_api.values() for name in names)
    return (*family.takes, *family.takes_without_reasoning, *versions)


def _family_row(family: Family) -> FamilyRow:
    more = [f"{', '.join(names)} with api_version {version}" for version, names in family.takes_in_api.items()]
    if family.takes_without_reasoning:
        more.append(f"{', '.join(family.takes_without_reasoning)} with reasoning_effort none")
    if family.never_together:
        more.append(f"only one of {' and '.join(family.never_together)}")
    return FamilyRow(
        provider=family.provider,
        models=family.models,
        parameters=tuple(sorted(family.takes)),
        more="; ".join(more),
        thinking=family.thinking,
        as_of=family.as_of,
        source=family.source,
        note=f"not offered: it {family.refused}" if family.refused else family.note,
    )
