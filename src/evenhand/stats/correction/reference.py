"""How good a detector is, measured on traces whose truth is known."""

from dataclasses import dataclass

from evenhand.core.results import Interval
from evenhand.stats.intervals import newcombe, wilson
from evenhand.stats.intervals.counts import check_counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Youden:
    """Youden's index J = sensitivity + specificity − 1, and its interval.

    Attributes
    ----------
    value
        In [−1, 1]; 0 is a detector that fires on violations and clean traces alike.
    interval
        Of it.
    """

    value: float
    interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A reference set, and what the detector did on it; the unit is the one whose rate is corrected (a trace).

    Attributes
    ----------
    detected, violations
        Violations that were flagged, of so many; at least one.
    cleared, clean
        Clean traces that were not flagged, of so many; at least one.
    """

    detected: int
    violations: int
    cleared: int
    clean: int

    def __post_init__(self) -> None:
        """Refuse counts that are no proportion."""
        check_counts(self.detected, self.violations)
        check_counts(self.cleared, self.clean)

    @property
    def sensitivity(self) -> float:
        """Share of violations that were flagged."""
        return self.detected / self.violations

    @property
    def specificity(self) -> float:
        """Share of clean traces that were not."""
        return self.cleared / self.clean

    def sensitivity_interval(self, *, level: float = 0.95) -> Interval:
        """Wilson's interval of the sensitivity."""
        return wilson(self.detected, self.violations, level=level)

    def specificity_interval(self, *, level: float = 0.95) -> Interval:
        """Wilson's interval of the specificity."""
        return wilson(self.cleared, self.clean, level=level)

    def youden(self, *, level: float = 0.95) -> Youden:
        """Compute Youden's index.

        Notes
        -----
        Youden (1950), Cancer 3:32-35. J is the difference of two independent shares, flagged violations less flagged
        clean traces, and its MOVER interval (Zou and Donner 2008, Statistics in Medicine 27:1693-1702) with Wilson's
        limits is Newcombe's.

        Examples
        --------
        >>> from evenhand.stats.correction import Reference
        >>> j = Reference(detected=30, violations=50, cleared=27, clean=50).youden()
        >>> round(j.value, 2), round(j.interval.low, 3), round(j.interval.high, 3)
        (0.14, -0.054, 0.32)
        """
        false_alarms = self.clean - self.cleared
        limits = newcombe(self.detected, self.violations, false_alarms, self.clean, level=level)
        interval = Interval(low=limits.low, high=limits.high, level=level, method="mover, wilson")
        # one subtraction of the counts: .9 + .1 − 1 would leave a residue on either side of 0
        return Youden(
            value=(self.detected * self.clean - false_alarms * self.violations) / (self.violations * self.clean),
            interval=interval,
        )
