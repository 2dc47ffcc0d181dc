"""How many replicates an audit needs, and what so many can show."""

from evenhand.instruments.audit.power.assumptions import Assumptions
from evenhand.instruments.audit.power.earlier import assumptions_from
from evenhand.instruments.audit.power.plan import (
    Planned,
    PowerPlan,
    plan_power,
    with_replicates,
)
from evenhand.instruments.audit.power.question import Unplanned, Unreachable

__all__ = [
    "Assumptions",
    "Planned",
    "PowerPlan",
    "Unplanned",
    "Unreachable",
    "assumptions_from",
    "plan_power",
    "with_replicates",
]
