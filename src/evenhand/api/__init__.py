"""The library's front door."""

from evenhand.api.auditing import audit
from evenhand.api.benchmark import Benchmark, benchmark_from
from evenhand.api.comparing import compare
from evenhand.api.planning import plan_audit
from evenhand.api.runs import AuditResult, load_run
from evenhand.api.violations import ViolationAnalysis, violation_rate

__all__ = [
    "AuditResult",
    "Benchmark",
    "ViolationAnalysis",
    "audit",
    "benchmark_from",
    "compare",
    "load_run",
    "plan_audit",
    "violation_rate",
]
