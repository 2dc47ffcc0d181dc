"""Confidence intervals. Counts in, Interval out."""

from evenhand.stats.intervals.beta import BetaPosterior, clopper_pearson, jeffreys
from evenhand.stats.intervals.by_name import METHODS, Method, proportion_interval
from evenhand.stats.intervals.clusters import ClusteredRate, design_effect, korn_graubard
from evenhand.stats.intervals.coverage import Coverage, coverage_at, exact_coverage
from evenhand.stats.intervals.differences import newcombe, newcombe_paired
from evenhand.stats.intervals.score import corrected_wilson, wilson

__all__ = [
    "METHODS",
    "BetaPosterior",
    "ClusteredRate",
    "Coverage",
    "Method",
    "clopper_pearson",
    "corrected_wilson",
    "coverage_at",
    "design_effect",
    "exact_coverage",
    "jeffreys",
    "korn_graubard",
    "newcombe",
    "newcombe_paired",
    "proportion_interval",
    "wilson",
]
