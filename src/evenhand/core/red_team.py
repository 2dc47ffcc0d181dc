"""What a red-team run was asked to do, as plain values with one digest."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from evenhand._base.digest import digest
from evenhand.core.types import GenerationConfig
from evenhand.core.vectors import AttackVector


@dataclass(frozen=True, slots=True, kw_only=True)
class RedTeamSpec:
    """Everything that decides what a red-team run asks and how it is judged.

    Attributes
    ----------
    model
        Model as requested, ``provider/name``.
    adapter
        What the adapter says about itself that changes answers.
    vectors
        The whole text of what is said, so that a stored run needs no other file.
    detectors
        Detector name to version.
    paired, unpaired
        Names of the detectors that judge vectors with and without a pair.
    replicates
        Conversations per vector, or pairs of them; at least 1.
    is_control
        Whether both sides of each pair hold the comparison's values: what sampling alone makes of this detector.
    """

    model: str
    adapter: Mapping[str, Any]
    vectors: Sequence[AttackVector]
    detectors: Mapping[str, str]
    paired: str
    unpaired: str
    generation: GenerationConfig = GenerationConfig()
    replicates: int = 25
    seed: int = 0
    is_control: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON; `RedTeamSpec.from_json` is its inverse."""
        return {
            "model": self.model,
            "adapter": dict(self.adapter),
            "vectors": [vector.as_json() for vector in self.vectors],
            "detectors": dict(self.detectors),
            "paired": self.paired,
            "unpaired": self.unpaired,
            "generation": asdict(self.generation),
            "replicates": self.replicates,
            "seed": self.seed,
            "is_control": self.is_control,
        }

    @property
    def digest(self) -> str:
        """sha256 of the canonical JSON of everything above."""
        return digest(self.as_json())

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> "RedTeamSpec":
        """Rebuild a spec from the store."""
        rest = {name: value for name, value in plain.items() if name not in {"vectors", "generation"}}
        return cls(
            vectors=tuple(AttackVector.from_json(each) for each in plain["vectors"]),
            generation=GenerationConfig(**plain["generation"]),
            **rest,
        )
