"""The library's front door."""

from evenhand.api.auditing import audit
from evenhand.api.benchmark import Benchmark, benchmark_from
from evenhand.api.runs import AuditResult, load_run

__all__ = ["AuditResult", "Benchmark", "audit", "benchmark_from", "load_run"]
