"""One declared association: how often the answers show it, beside how often the world does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.core.results import Row
from evenhand.core.table import OutputTable
from evenhand.core.types import References, Stereotype
from evenhand.metrics.references import vocabulary
from evenhand.metrics.shares import Shares, detected_shares
from evenhand.stats.intervals import wilson


@dataclass(frozen=True, slots=True, kw_only=True)
class Association:
    """A stereotype with what was observed.

    Attributes
    ----------
    count, n
        Determinate base outputs that show the value (an output naming two people counts in part), and all of them.
    outside
        Share of detected weight outside the taxonomy.
    reason
        Why there is no ratio; empty if there is one.
    """

    scenario: str
    stereotype: Stereotype
    count: float
    n: int
    outside: float
    reason: str

    @property
    def attribute(self) -> str:
        """Attribute of the stereotyped value."""
        return self.stereotype.attribute

    @property
    def label(self) -> str:
        """The association in a few words."""
        return f"{self.scenario} as {self.stereotype.value}"

    @property
    def s(self) -> float | None:
        """Observed share over baseline share; None where undefined."""
        return None if self.reason else self.signed

    @property
    def signed(self) -> float:
        """The ratio of an association that has one; below 1 the answers show the value more rarely."""
        return self.count / self.n / self.baseline

    @property
    def entering(self) -> float:
        """The ratio as it enters the mean: a count of 0 is taken as ½ of n + 1, since 1/0 is no figure."""
        share = self.count / self.n if self.count > 0 else 0.5 / (self.n + 1)
        return share / self.baseline

    @property
    def fold(self) -> float:
        """How far off in either direction, at least 1."""
        return max(self.entering, 1 / self.entering)

    @property
    def reachable_max(self) -> float:
        """The ratio if every answer showed the value."""
        return 1 / self.baseline

    @property
    def baseline(self) -> float:
        """Share in the world, of an association that has a ratio."""
        assert self.stereotype.baseline is not None  # else there is a reason, and nobody asks for a ratio
        return self.stereotype.baseline

    def row(self) -> Row:
        """Flatten for reports."""
        known = self.n > 0
        interval = wilson(min(self.count, self.n), self.n) if known else None
        declared, has_ratio = self.stereotype, not self.reason
        return {
            "scenario": self.scenario,
            "attribute": declared.attribute,
            "value": declared.value,
            "count": self.count,
            "n": self.n,
            "share": self.count / self.n if known else None,
            "share_low": interval.low if interval else None,
            "share_high": interval.high if interval else None,
            "baseline": declared.baseline,
            "baseline_name": declared.baseline_name,
            "source": declared.source,
            "year": declared.year,
            "place": declared.place,
            "s": self.signed if has_ratio else None,
            "s_low": interval.low * self.reachable_max if interval and has_ratio else None,
            "s_high": interval.high * self.reachable_max if interval and has_ratio else None,
            "entered": self.entering if has_ratio else None,
            "reachable_max": self.reachable_max if has_ratio else None,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Observed:
    """Every declared association, and the shares that they were read from, by attribute."""

    associations: Sequence[Association]
    shares: Mapping[str, Shares]


def observe(table: OutputTable, references: References) -> Observed:
    """Observe every declared association, in the order of the declarations."""
    declared = [(s, stereotype) for s, group in references.stereotypes.items() for stereotype in group]
    attributes = dict.fromkeys(stereotype.attribute for _, stereotype in declared)
    shares = {attribute: _base_shares(table, references, attribute) for attribute in attributes}
    code_of = {scenario: code for code, scenario in enumerate(table.scenario_ids)}
    return Observed(
        associations=[
            _observe(s, code_of.get(s), stereotype, shares[stereotype.attribute]) for s, stereotype in declared
        ],
        shares=shares,
    )


def _base_shares(table: OutputTable, references: References, attribute: str) -> Shares:
    # without a declared taxonomy every label counts: the share of one value needs no K
    categories = vocabulary(references, attribute) or table.detected_labels.get(attribute, ())
    size = len(table.scenario_ids)
    return detected_shares(table, attribute, categories, rows=table.is_base, key=table.scenario, size=size)


def _observe(scenario: str, code: int | None, stereotype: Stereotype, shares: Shares) -> Association:
    n = 0 if code is None else int(shares.n[code])
    named = stereotype.value in shares.categories
    column = shares.categories.index(stereotype.value) if named else 0
    return Association(
        scenario=scenario,
        stereotype=stereotype,
        count=float(shares.counts[code, column]) if n and named else 0.0,
        n=n,
        outside=0.0 if code is None else float(shares.outside[code]),
        reason=_why_undefined(stereotype, n, named=named),
    )


def _why_undefined(stereotype: Stereotype, n: int, *, named: bool) -> str:
    baseline = stereotype.baseline
    if baseline is None:
        return "no baseline share is declared"
    if not (np.isfinite(baseline) and 0 < baseline <= 1):
        return f"a baseline share of {baseline:g} is not above 0 and at most 1"
    if n == 0:
        return f"no answer to the base prompt shows any {stereotype.attribute}"
    if not named:
        return f"{stereotype.value!r} is not in the taxonomy of {stereotype.attribute}"
    return ""
