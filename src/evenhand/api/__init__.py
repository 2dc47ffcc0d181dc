"""The library's front door."""

from evenhand.api.auditing import audit
from evenhand.api.runs import AuditResult, load_run

__all__ = ["AuditResult", "audit", "load_run"]
