"""Exclusions as one table: a row a reason, a column a metric."""

from evenhand.reporting import text
from evenhand.reporting.view import Scorecard


def exclusions(card: Scorecard) -> list[tuple[str, list[str]]]:
    """List every reason with its printed count per metric, in the order of the metrics; blank where it is none."""
    reasons = dict.fromkeys(reason for metric in card.metrics for reason in metric.overall.excluded)
    return [(reason, [_count(metric.overall.excluded.get(reason)) for metric in card.metrics]) for reason in reasons]


def _count(number: int | None) -> str:
    return "" if number is None else text.count(number)
