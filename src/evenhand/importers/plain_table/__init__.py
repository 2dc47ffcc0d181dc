"""Decisions of a detector as a plain table: one row a decision, or one column an attribute."""

from evenhand.importers.plain_table.problems import Problem
from evenhand.importers.plain_table.read import Coverage, TableReading, read_table

__all__ = ["Coverage", "Problem", "TableReading", "read_table"]
