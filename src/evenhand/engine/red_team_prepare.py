"""A red-team run in words → everything that it needs, checked before any call to a model is made."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evenhand.adapters.base import check_config, default_config, model_info
from evenhand.core.protocols import Adapter
from evenhand.core.red_team import RedTeamSpec
from evenhand.core.types import GenerationConfig
from evenhand.core.vectors import AttackVector, Side, VectorSet
from evenhand.engine.budget import checked_budget
from evenhand.engine.pricing import Pricing, check_affordable, pricing
from evenhand.errors import CapabilityError, UsageError
from evenhand.evaluation.detectors.base import Detector
from evenhand.evaluation.detectors.registry import PAIRED, UNPAIRED, registry
from evenhand.scenarios.vectors.registry import chosen, vector_set


@dataclass(frozen=True, slots=True, kw_only=True)
class RedTeam:
    """A red-team run as a caller asks for it.

    Attributes
    ----------
    vectors
        Name of a built-in set, a YAML file, or a set.
    only
        Ids of the vectors to run; all of them if empty.
    replicates
        Conversations per vector; for paired vectors, pairs.
    paired, unpaired
        Names of the detectors that judge vectors with and without a pair.
    is_control
        Give both sides of every pair the comparison's values: what fires then is chance.
    budget_usd
        US dollars that the run may cost in all; None for no limit.
    """

    vectors: str | Path | VectorSet
    only: Sequence[str] = ()
    replicates: int = 25
    seed: int = 0
    generation_config: GenerationConfig | None = None
    paired: str = PAIRED
    unpaired: str = UNPAIRED
    is_control: bool = False
    name: str | None = None
    budget_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedRedTeam:
    """A red-team run with every name resolved."""

    name: str
    adapter: Adapter
    spec: RedTeamSpec
    detectors: Mapping[str, Detector]
    pricing: Pricing
    budget_usd: float | None = None

    @property
    def calls(self) -> int:
        """Turns that will be asked if no conversation ends early."""
        return self.spec.replicates * sum(len(v.turns) * len(v.sides) for v in self.spec.vectors)


def prepare_red_team(asked: RedTeam, adapter: Adapter) -> PreparedRedTeam:
    """Resolve names, check what the adapter can do.

    Raises
    ------
    UsageError
        If anything in the call cannot be honoured.
    CapabilityError
        If the adapter cannot hold conversations, or would not honour a parameter.
    SpecError
        If the vector file does not say what it must.
    """
    generation = asked.generation_config or default_config(adapter)
    check_config(adapter, generation)
    if not adapter.capabilities.converse:
        raise CapabilityError(
            f"{adapter.name} cannot hold conversations (capability 'converse'), and attack vectors are conversations; "
            "choose another model: evenhand adapters lists what each provider can do"
        )
    if asked.replicates < 1:
        raise UsageError(f"replicates must be at least 1, not {asked.replicates}")
    group = chosen(asked.vectors if isinstance(asked.vectors, VectorSet) else vector_set(asked.vectors), asked.only)
    if not group.vectors:
        raise UsageError(f"the vector set {group.name!r} holds no vector")
    vectors = tuple(replace(vector, is_control=asked.is_control and vector.is_paired) for vector in group.vectors)
    detectors = load_detectors(vectors, paired=asked.paired, unpaired=asked.unpaired)
    info = model_info(adapter)
    spec = RedTeamSpec(
        model=adapter.name,
        adapter={"provider": info.provider, "name": info.name, **info.details},
        vectors=vectors,
        detectors={detector.name: detector.version for detector in detectors.values()},
        paired=asked.paired,
        unpaired=asked.unpaired,
        generation=replace(generation, seed=None),
        replicates=asked.replicates,
        seed=asked.seed if generation.seed is None else generation.seed,
        is_control=asked.is_control,
    )
    priced = pricing(adapter, spec.generation)
    check_affordable(asked.budget_usd, priced, _first_turns(vectors), model=adapter.name)
    return PreparedRedTeam(
        name=asked.name or group.name + (" (control)" if asked.is_control else ""),
        adapter=adapter,
        spec=spec,
        detectors=detectors,
        pricing=priced,
        budget_usd=checked_budget(asked.budget_usd),
    )


def load_detectors(vectors: Sequence[AttackVector], *, paired: str, unpaired: str) -> dict[str, Detector]:
    """Make the detectors that these vectors need, by name.

    Raises
    ------
    UnknownNameError
        If there is no such detector.
    UsageError
        If a detector that reads one side was chosen for pairs, or the other way round.
    """
    wanted = {paired if vector.is_paired else unpaired: vector.is_paired for vector in vectors}
    if len(wanted) < len({vector.is_paired for vector in vectors}):
        raise UsageError(f"the detector {paired!r} cannot judge vectors with and without a pair alike; choose two")
    found = {name: registry().get(name)() for name in wanted}
    for name, detector in found.items():
        if detector.needs_pair != wanted[name]:
            reads = "compares the two sides of a pair" if detector.needs_pair else "reads one side"
            kind = "with" if wanted[name] else "without"
            raise UsageError(f"the detector {name!r} {reads} and was chosen for vectors {kind} a pair")
    return found


def _first_turns(vectors: Sequence[AttackVector]) -> Iterator[str]:
    for vector in vectors:
        side: Side = vector.sides[0]
        yield f"{vector.system_of(side) or ''}{vector.said(side)[0]}"
