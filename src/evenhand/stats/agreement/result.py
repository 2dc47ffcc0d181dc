"""What a measure of agreement says: a coefficient, or why there is none."""

from dataclasses import dataclass

from evenhand.core.results import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """A coefficient of agreement beyond chance.

    Attributes
    ----------
    coefficient
        ``"Cohen's kappa, unweighted"``, ``"Krippendorff's alpha, ordinal"``, ….
    value
        At most 1; 0 is what chance gives, below 0 is worse than chance. None where it is undefined.
    undefined
        Why there is no value; empty where there is one.
    interval
        Of the value; None where there is no value or none was asked for.
    standard_error
        Of the value, where a formula gives it.
    observed, expected
        Disagreement seen and disagreement by chance, in the units of the coefficient: value = 1 − observed/expected.
    n_units
        Units that at least two ratings were compared on.
    n_ratings
        Ratings of those units.
    """

    coefficient: str
    value: float | None
    undefined: str = ""
    interval: Interval | None = None
    standard_error: float | None = None
    observed: float | None = None
    expected: float | None = None
    n_units: int
    n_ratings: int

    def __post_init__(self) -> None:
        """Refuse a missing value without its reason."""
        if (self.value is None) != bool(self.undefined):
            raise ValueError(f"{self.coefficient}: a value is missing exactly when a reason says why")
