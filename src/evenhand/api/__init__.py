"""The library's front door."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evenhand.api.asking_questions import QuestionsResult, ask_questions
    from evenhand.api.auditing import audit
    from evenhand.api.benchmark import Benchmark, benchmark_from
    from evenhand.api.comparing import compare
    from evenhand.api.planning import plan_audit
    from evenhand.api.questions import IntersectionalResult, intersectional
    from evenhand.api.runs import AuditResult, load_run
    from evenhand.api.violations import ViolationAnalysis, violation_rate

__all__ = [
    "AuditResult",
    "Benchmark",
    "IntersectionalResult",
    "QuestionsResult",
    "ViolationAnalysis",
    "ask_questions",
    "audit",
    "benchmark_from",
    "compare",
    "intersectional",
    "load_run",
    "plan_audit",
    "violation_rate",
]

_PLACES = {
    "AuditResult": "runs",
    "Benchmark": "benchmark",
    "IntersectionalResult": "questions",
    "QuestionsResult": "asking_questions",
    "ViolationAnalysis": "violations",
    "ask_questions": "asking_questions",
    "audit": "auditing",
    "benchmark_from": "benchmark",
    "compare": "comparing",
    "intersectional": "questions",
    "load_run": "runs",
    "plan_audit": "planning",
    "violation_rate": "violations",
}


def __getattr__(name: str) -> Any:  # Any: functions and classes of several modules
    # looked up when asked for: one instrument need not wait for the modules of the others
    if name not in _PLACES:
        raise AttributeError(f"module 'evenhand.api' has no attribute {name!r}")
    return getattr(import_module(f"evenhand.api.{_PLACES[name]}"), name)
