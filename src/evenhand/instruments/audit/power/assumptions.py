"""What a plan must assume about answers that nobody has seen yet."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite

from evenhand.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """Planning values: stated, or taken from an earlier run.

    Attributes
    ----------
    signal_share
        Share of answers that show a demographic signal, in (0, 1].
    refusal_rate
        Share of requests that are refused where no group is at a disadvantage, in [0, 1).
    length_variation
        Standard deviation of the words of an answer over their mean, answers to one prompt; at least 0.
    signal_by_attribute
        Shares of single attributes, where an earlier run tells; from 0 to 1.
    distance_spread
        By attribute: standard error of the CDS excess times the root of scenarios × replicates. Empty if no earlier
        run tells: a spread of distances cannot be guessed.
    harm_spread
        Standard deviation of the severity of one output; None takes the largest that its mean allows.
    source
        Where they come from: ``"stated"``, or the earlier run.
    """

    signal_share: float = 0.7
    refusal_rate: float = 0.1
    length_variation: float = 0.5
    signal_by_attribute: Mapping[str, float] = field(default_factory=dict)
    distance_spread: Mapping[str, float] = field(default_factory=dict)
    harm_spread: float | None = None
    source: str = "stated"

    def __post_init__(self) -> None:
        """Refuse what is no share."""
        if not 0 < self.signal_share <= 1:
            raise UsageError(
                f"the share of answers with a signal must lie above 0 and up to 1, not {self.signal_share}"
            )
        if not 0 <= self.refusal_rate < 1:
            raise UsageError(f"the refusal rate must be from 0 to below 1, not {self.refusal_rate}")
        if not (isfinite(self.length_variation) and self.length_variation >= 0):
            raise UsageError(f"the variation of lengths must be a number from 0 on, not {self.length_variation}")

    def signal(self, attribute: str) -> float:
        """Share of answers that show something about `attribute`."""
        return self.signal_by_attribute.get(attribute, self.signal_share)

    def sentences(self) -> list[str]:
        """Say what is assumed, each in a few words."""
        shares = [f"{share:.0%} for {attribute}" for attribute, share in sorted(self.signal_by_attribute.items())]
        signal = ", ".join(shares) if shares else f"{self.signal_share:.0%}"
        harm = "as large as its mean allows" if self.harm_spread is None else f"{self.harm_spread:.3g} per output"
        return [
            f"answers with a signal: {signal}",
            f"refused where no group is at a disadvantage: {self.refusal_rate:.0%}",
            f"lengths of answers to one prompt vary by {self.length_variation:.0%} of their mean",
            f"spread of harm: {harm}",
        ]
