"""What a run was asked to do, as plain values with one digest. Shape only: names are resolved by `api`."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from evenhand._base.digest import digest
from evenhand.core.results import Target
from evenhand.core.types import (
    CounterfactualGroup,
    CounterfactualVariant,
    GenerationConfig,
    Reference,
    Scenario,
    ScenarioSet,
    Stereotype,
)
from evenhand.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditSpec:
    """Everything that decides what an audit asks and how it is judged.

    Attributes
    ----------
    model
        Model as requested, ``provider/name``.
    adapter
        What the adapter says about itself that changes answers: file digest, declared biases, base URL.
    scenario_sets
        The whole text of what is asked, so that a stored run needs no other file.
    metrics
        Metric names, in the order of the report.
    evaluators
        Evaluator name to version.
    skipped_evaluators
        Evaluators left out on request; metrics that need them are undefined.
    masking
        Version of the masking of identity words; every masked value depends on it.
    replicates
        Generations per prompt, at least 1.
    bands
        Name of the band profile.
    target
        What intervals speak about: the prompts that were asked, or prompts like them.
    """

    model: str
    adapter: Mapping[str, Any]
    scenario_sets: Sequence[ScenarioSet]
    metrics: Sequence[str]
    evaluators: Mapping[str, str]
    skipped_evaluators: Sequence[str] = ()
    masking: str = ""
    generation: GenerationConfig = GenerationConfig()
    replicates: int = 10
    seed: int = 0
    bands: str = "evenhand-1"
    target: Target = "these prompts"

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON; `AuditSpec.from_json` is its inverse."""
        plain: dict[str, Any] = _plain(asdict(self))
        return plain

    @property
    def digest(self) -> str:
        """sha256 of the canonical JSON of everything above."""
        return digest(self.as_json())

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> "AuditSpec":
        """Rebuild a spec from the store.

        Raises
        ------
        UsageError
            If it is the spec of a run of another kind.
        """
        if "vectors" in plain:
            raise UsageError(
                "this is a red-team run, which has conversations and no scorecard: evenhand violations rescore RUN "
                "prints its violation rate, evenhand show RUN --answers every turn"
            )
        rest = {k: v for k, v in plain.items() if k not in {"scenario_sets", "generation"}}
        if "scenario_sets" not in plain:  # runs of conversations and of questions are stored beside audits
            raise UsageError(
                "this run is no audit: evenhand runs says what it is, and the same command that began it "
                "prints its report"
            )
        return cls(
            scenario_sets=tuple(_scenario_set(item) for item in plain["scenario_sets"]),
            generation=GenerationConfig(**plain["generation"]),
            **rest,
        )


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """List the top-level fields in which two specs differ, one readable phrase each."""
    found = []
    for key in sorted({*old, *new}):
        before, after = old.get(key), new.get(key)
        if before != after:
            found.append(_difference(key, before, after))
    return found


def _difference(key: str, before: Any, after: Any) -> str:
    if isinstance(before, dict) and isinstance(after, dict):
        inner = [k for k in sorted({*before, *after}) if before.get(k) != after.get(k)]
        return ", ".join(f"{key}.{k}: {_brief(before.get(k))} → {_brief(after.get(k))}" for k in inner)
    return f"{key}: {_brief(before)} → {_brief(after)}"


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"(content {digest(value)[:12]})"


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value


def _scenario_set(plain: Mapping[str, Any]) -> ScenarioSet:
    return ScenarioSet(**{**plain, "scenarios": tuple(_scenario(item) for item in plain["scenarios"])})


def _scenario(plain: Mapping[str, Any]) -> Scenario:
    groups = tuple(
        CounterfactualGroup(
            attribute=group["attribute"],
            variants=tuple(CounterfactualVariant(**variant) for variant in group["variants"]),
        )
        for group in plain["counterfactuals"]
    )
    return Scenario(
        id=plain["id"],
        prompt=plain["prompt"],
        counterfactuals=groups,
        references={a: Reference(**r) for a, r in plain["references"].items()},
        stereotypes=tuple(Stereotype(**s) for s in plain["stereotypes"]),
    )
